import { afterAll, beforeAll, expect, test } from 'vitest';
import { listMovements } from '../../src/settlements/statement-queries.ts';
import { buffersOf } from '../support/buffers.ts';
import { connectOwner } from '../support/database.ts';
import { addExternalAccount, EXTERNAL } from '../support/ledger.ts';
import { createPaymentWorld, type PaymentWorld } from '../support/payments.ts';

/** In a month of 30 days, and a few at the moments where it begins and ends. */
const MOVEMENTS = 24_000;
const LIMIT = 50;

let world: PaymentWorld;
let span: { readonly merchantId: string; readonly from: Date; readonly to: Date };
beforeAll(async () => {
  world = await createPaymentWorld();
  span = { merchantId: world.merchantId, from: new Date('2026-09-01T00:00:00Z'), to: new Date('2026-10-01T00:00:00Z') };
  const owner = await connectOwner(world.database);
  await addExternalAccount(owner);
  // Four at a time have one moment; the first and the last lie in the months before and after.
  await owner.query(
    `with journal as (
       insert into journals (id, kind, ref, merchant_id, created_at)
       select 'je_' || lpad((g * 7919 % ${MOVEMENTS})::text, 6, '0'), 'credit', 'crd_' || g, $1,
              '2026-09-01Z'::timestamptz + (g / 4 - 1) * interval '30 days' / (${MOVEMENTS} / 4 - 2)
         from generate_series(0, ${MOVEMENTS} - 1) g returning id, created_at)
     insert into entries (journal_id, account_id, amount, created_at)
     select id, account, amount, created_at from journal
      cross join (values ('${EXTERNAL}', -1), ($1 || ':suspense', 1)) as e (account, amount)`,
    [world.merchantId],
  );
  await owner.query('analyze');
  await owner.end();
});
afterAll(() => world.close());

const idsAt = async (offset: number): Promise<string[]> =>
  (await listMovements(world.db, span, { offset, limit: LIMIT })).rows.map(({ id }) => id);

test('any page of a statement has the movements that walking there shows, in the middle and at the end', async () => {
  const walked: string[] = [];
  let page = await listMovements(world.db, span, { offset: 0, limit: 1000 });
  for (; page.next !== null; page = await listMovements(world.db, span, { after: page.next, limit: 1000 }))
    walked.push(...page.rows.map(({ id }) => id));
  walked.push(...page.rows.map(({ id }) => id));
  expect(walked).toHaveLength(MOVEMENTS - 8);
  for (const offset of [4_950, 5_000, 6_013, 12_000, 18_777, walked.length - 30, walked.length, walked.length + 70])
    expect(await idsAt(offset)).toEqual(walked.slice(offset, offset + LIMIT));
  const last = await listMovements(world.db, span, { offset: walked.length - 30, limit: LIMIT });
  expect(last.next).toBeNull();
  expect(last.previous).not.toBeNull();
});

test('the last page reads no more of the database than one that lies before it in its day', async () => {
  const cost = (offset: number) => buffersOf(world.database, (db) => listMovements(db, span, { offset, limit: LIMIT }));
  const [first, last] = [await cost(700), await cost(MOVEMENTS - 60)];
  expect(last).toBeLessThan(first + 30);
});
