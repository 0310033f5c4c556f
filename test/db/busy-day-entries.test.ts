import { afterAll, beforeAll, expect, test } from 'vitest';
import { merchantAccount } from '../../src/ledger/accounts.ts';
import type { PageWindow } from '../../src/lib/paging.ts';
import { type EntryFilter, type LedgerEntry, listEntries } from '../../src/settlements/queries.ts';
import { buffersOf } from '../support/buffers.ts';
import { connectOwner } from '../support/database.ts';
import { addExternalAccount, EXTERNAL } from '../support/ledger.ts';
import { createPaymentWorld, type PaymentWorld } from '../support/payments.ts';

/** Of one day, each on two accounts of the merchant; three at a time have one moment. */
const JOURNALS = 15_000;
const ENTRIES = 2 * JOURNALS;
const LIMIT = 20;
const DAY = new Date('2026-09-05T00:00:00Z');
const NOON = new Date('2026-09-05T12:00:00Z');
/** The 2,542nd of all 5,000 moments is the first after noon. */
const AFTERNOON = 2 * 3 * 2_458;

let world: PaymentWorld;
beforeAll(async () => {
  world = await createPaymentWorld();
  const owner = await connectOwner(world.database);
  const [pending, available] = (['pending', 'available'] as const).map((kind) =>
    merchantAccount(world.merchantId, kind),
  );
  await addExternalAccount(owner);
  await owner.query(
    `with journal as (
       insert into journals (id, kind, ref, merchant_id, created_at)
       select 'je_' || lpad((g * 7919 % ${JOURNALS})::text, 6, '0'), 'payment.confirmed', 'ref ' || g, $1,
              $2::timestamptz + (g / 3) * interval '17 seconds' from generate_series(0, ${JOURNALS} - 1) g
       returning id, created_at)
     insert into entries (journal_id, account_id, amount, created_at)
     select id, account, amount, created_at from journal
      cross join (values ('${EXTERNAL}', -2), ($3, 1), ($4, 1)) as e (account, amount) order by created_at, id`,
    [world.merchantId, DAY, pending, available],
  );
  await owner.query('vacuum analyze');
  await owner.end();
});
afterAll(() => world.close());

const read = (filter: Omit<EntryFilter, 'merchantId'>, window: PageWindow) =>
  listEntries(world.db, { merchantId: world.merchantId, ...filter }, window);
const nameOf = ({ journalId, account }: LedgerEntry): string => `${journalId} ${account}`;

test.each([
  ['all accounts', {}, ENTRIES],
  ['one account', { account: 'available' }, JOURNALS],
  ['the afternoon', { from: NOON }, AFTERNOON],
] as const)('of a busy day any page of %s has the entries that walking there shows', async (_, filter, all) => {
  const walked: string[] = [];
  let page = await read(filter, { offset: 0, limit: 1000 });
  for (; page.next !== null; page = await read(filter, { after: page.next, limit: 1000 }))
    walked.push(...page.rows.map(nameOf));
  walked.push(...page.rows.map(nameOf));
  expect([walked.length, new Set(walked).size]).toEqual([all, all]);
  for (const offset of [0, 480, 501, all / 2, all - 2_100, all - 31, all - 3, all, all + 50]) {
    const { rows, next, previous } = await read(filter, { offset, limit: LIMIT });
    expect(rows.map(nameOf)).toEqual(walked.slice(offset, offset + LIMIT));
    expect([next !== null, previous !== null]).toEqual([offset + LIMIT < all, offset > 0 && offset < all]);
  }
});

test('the last page of a busy day reads as little as the first, and one in the middle each entry once', async () => {
  const costAt = (offset: number): Promise<number> =>
    buffersOf(world.database, (db) => listEntries(db, { merchantId: world.merchantId }, { offset, limit: LIMIT }));
  const [first, middle, last] = [await costAt(0), await costAt(ENTRIES / 2), await costAt(ENTRIES - LIMIT)];
  expect(middle).toBeLessThan(first + ENTRIES / 2 / 50);
  expect(last).toBeLessThan(first + 60);
});
