import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureFirstAdmin, upsertAdmin } from '../../src/admins/first-admin.ts';
import { applyAdminGrant } from '../../src/admins/grants.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { createPasswords } from '../../src/identity/passwords.ts';
import { DAY_MS } from '../../src/lib/clock.ts';
import { decideChange, proposeChange } from '../../src/settings/changes.ts';
import { insertTestRole } from '../support/admins.ts';
import { connectTestDatabase, type TestConnection } from '../support/connection.ts';

const NOW = new Date('2026-01-02T03:00:00.000Z');
const email = 'admin@kasi.example';
const passwords = createPasswords({ memoryKib: 64, passes: 1, lanes: 1 });

let connection: TestConnection;
let admin: { readonly id: string; readonly role_id: string };
beforeAll(async () => {
  connection = await connectTestDatabase();
  await ensureFirstAdmin({ db: connection.db, passwords }, { email }, NOW);
  admin = await connection.db.selectFrom('admins').select(['id', 'role_id']).executeTakeFirstOrThrow();
});
afterAll(() => connection.close());

const waiting = { delayMs: DAY_MS, needsApproval: false };

test('a change of a role that has waited does not take away the last super_admin', async () => {
  const { db } = connection;
  const clerk = await insertTestRole({ db, clock: { now: () => NOW } as never }, ['merchants.view'], 'clerk');
  const draft = { kind: 'admin', subjectId: admin.id, proposedBy: admin.id } as const;
  const fields = { roleId: { from: admin.role_id, to: clerk } };
  const outcome = await inTransaction(db, async (trx) => {
    const change = await proposeChange(trx, { ...draft, fields }, waiting, NOW);
    return applyAdminGrant(trx, change, NOW);
  });
  expect(outcome).toBe('It would leave no active super_admin.');
  expect(await db.selectFrom('admins').select('role_id').execute()).toEqual([{ role_id: admin.role_id }]);
});

test('resetting an account cancels what it has proposed, because perhaps a thief did', async () => {
  const { db } = connection;
  const fields = { offRampAddress: { from: null, to: '0x000000000000000000000000000000000000bEEF' } };
  const draft = { kind: 'settings', subjectId: 'platform', fields, proposedBy: admin.id } as const;
  const { id } = await inTransaction(db, (trx) => proposeChange(trx, draft, waiting, NOW));
  await upsertAdmin({ db, passwords }, { email }, NOW);
  const change = db.selectFrom('guarded_changes').select(['status', 'reason']).where('id', '=', id);
  expect(await change.executeTakeFirst()).toEqual({
    status: 'cancelled',
    reason: 'The account of whoever proposed or approved it was reset.',
  });
  const open = db.selectFrom('incidents').select('subject').where('resolved_at', 'is', null);
  expect(await open.execute()).toEqual([]);
});

test('nor does what it has approved take effect', async () => {
  const { db } = connection;
  await upsertAdmin({ db, passwords }, { email: 'second@kasi.example', isNew: true }, NOW);
  const find = db.selectFrom('admins').select('id').where('email', '=', 'second@kasi.example');
  const { id: second } = await find.executeTakeFirstOrThrow();
  const fields = { withdrawalMaxOpen: { from: 5, to: 50 } };
  const draft = { kind: 'settings', subjectId: 'platform', fields, proposedBy: admin.id } as const;
  const id = await inTransaction(db, async (trx) => {
    const change = await proposeChange(trx, draft, { ...waiting, needsApproval: true }, NOW);
    const approvers = { requireTwoPeople: async () => {} } as never;
    await decideChange(trx, { approvers }, change.id, { kind: 'approve', by: second }, NOW);
    return change.id;
  });
  await upsertAdmin({ db, passwords }, { email: 'second@kasi.example' }, NOW);
  const change = db.selectFrom('guarded_changes').select(['status', 'ended_by']).where('id', '=', id);
  expect(await change.executeTakeFirst()).toEqual({ status: 'cancelled', ended_by: null });
});
