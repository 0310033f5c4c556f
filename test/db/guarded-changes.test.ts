import { expect } from 'vitest';
import { sqlState } from '../../src/db/transaction.ts';
import { test } from '../fixture.ts';
import type { TestService } from '../harness.ts';
import { propose } from '../support/changes.ts';

/** The SQLSTATE that the database refuses a change of a row with; "ok" if it takes it. */
const set = ({ db }: TestService, id: string, values: Record<string, unknown>) =>
  db
    .updateTable('guarded_changes')
    .set(values)
    .where('id', '=', id)
    .execute()
    .then(
      () => 'ok',
      (error: unknown) => sqlState(error),
    );

test('the database refuses what no code should do to a change that waits', async ({ service, admin }) => {
  const now = service.clock.now();
  const { id, dueAt } = await propose(service, admin.id);
  const other = (await service.admin([])).id;
  const approved = { status: 'approved', approved_by: other, approved_at: now };
  const refused: readonly Record<string, unknown>[] = [
    // Without approval, by the proposer, or past the approval.
    { status: 'approved' },
    { ...approved, approved_by: admin.id },
    { ...approved, status: 'in_effect', ended_at: dueAt },
    // Something else than was proposed.
    { ...approved, fields: JSON.stringify({ permissions: { from: [], to: ['users.manage'] } }) },
    { ...approved, due_at: now },
    { ...approved, needs_approval: false },
    { status: 'cancelled', ended_at: now },
  ];
  for (const values of refused) expect([values, await set(service, id, values)]).toEqual([values, '23514']);
  expect(await set(service, id, approved)).toBe('ok');
  // Before its time; then by another approver; then it is over for good.
  expect(await set(service, id, { status: 'in_effect', ended_at: now })).toBe('23514');
  expect(await set(service, id, { status: 'in_effect', ended_at: dueAt, approved_by: null })).toBe('23514');
  expect(await set(service, id, { status: 'in_effect', ended_at: dueAt })).toBe('ok');
  expect(await set(service, id, { status: 'cancelled', reason: 'Too late.' })).toBe('23514');
  await expect(service.db.deleteFrom('guarded_changes').where('id', '=', id).execute()).rejects.toThrow();
});
