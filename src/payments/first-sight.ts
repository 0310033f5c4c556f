import { type Selectable, sql } from 'kysely';
import type { Payments } from '../../generated/db.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { bookable, moveOn, txHashWith } from './arrival.ts';
import { applyCredits, getCredits } from './credits.ts';
import { type DuePage, listToApply } from './due.ts';
import { type BookedCredit, creditJournal } from './move.ts';
import { isOffered } from './options.ts';
import { isUntouched, type PlainMove, storePlain, totalsOf } from './plain.ts';
import { toPayment } from './queries.ts';
import type { PaymentDeps } from './service.ts';
import type { Credit, Payment, SeenCredit } from './types.ts';

/**
 * Whether credit `c` is the first that came to payment `p`, which is open, and brings a token, as most do. Looks at no
 * more than two credits of the payment, because anybody can send thousands of tiny ones to it: in the order of their
 * index, for any two of thousands would be cheaper to find in the table, the planner thinks.
 */
const isFirst = sql<boolean>`(
  c.applied_at is null and c.parked_at is null and c.failure is null and c.canonical and c.booked_micro is null
  and c.inclusion = 1 and c.token in ('USDT', 'USDC')
  and p.status in ('initiated', 'pending') and p.credit_count = 0
  and p.booked_suspense = 0 and p.booked_pending = 0 and p.booked_available = 0
  and ${isUntouched}
  and exists (select from chain_cursors u where u.network = c.network)
  and (select count(*) from (
         select from credits d where d.payment_id = c.payment_id order by d.block_number, d.id limit 2) d) = 1)`;

/** Whether all that waits for payment `p` is such a credit. */
export const isFirstSight = sql<boolean>`exists (
  select from (select * from credits where payment_id = p.id order by block_number, id limit 2) c where ${isFirst})`;

/** Those of the next `limit` payments with credits to apply, after one, to which only such a credit came. */
export const listFirstSights = (db: Db, after: string, limit: number): Promise<DuePage> =>
  listToApply(db, { after, limit }, isFirstSight);

/**
 * Takes in the first transfers of these payments, all in one transaction, whose number of statements does not depend on
 * how many they are: books and counts them, and confirms those that lie deep enough already. Skips what is locked, or
 * has changed meanwhile. Returns those that it took. See decision payments/plain-payments-together.
 */
export const takeFirstSights = (
  db: Db,
  deps: PaymentDeps,
  ids: readonly string[],
  now: Date,
): Promise<readonly string[]> =>
  inTransaction(db, async (trx) => {
    const locked = await lockFirstSights(trx, ids);
    if (locked.length === 0) return [];
    const credits = await getCredits(
      trx,
      locked.map(({ creditId }) => creditId),
    );
    const firsts = locked.map(({ payment, creditId }) => toFirst(payment, creditOf(credits, creditId)));
    const applied = await applyCredits(
      trx,
      firsts.map(({ credit }) => credit),
      now,
    );
    const moves = firsts.map(({ payment, credit }) => seen(payment, creditOf(applied, credit.id), now));
    await storePlain(trx, deps, moves, now);
    return locked.map(({ payment }) => payment.id);
  });

/** Locks the credits, too: what a watcher takes back meanwhile waits until it is booked, and is queued again then. */
async function lockFirstSights(
  trx: Trx,
  ids: readonly string[],
): Promise<{ readonly payment: Payment; readonly creditId: string }[]> {
  const { rows } = await sql<Selectable<Payments> & { credit_id: string }>`
    select p.*, c.id as credit_id from credits c join payments p on p.id = c.payment_id
     where c.payment_id = any (${[...ids]}::text[]) and case when p.id is null then false else ${isFirst} end
       for no key update of p, c skip locked`.execute(trx);
  return rows.map(({ credit_id: creditId, ...row }) => ({ payment: toPayment(row), creditId }));
}

function creditOf<T extends Credit>(credits: ReadonlyMap<string, T>, id: string): T {
  const credit = credits.get(id);
  if (credit === undefined) throw new Error(`credit ${id} is gone in spite of its lock`);
  return credit;
}

const toFirst = (payment: Payment, credit: Credit) => ({
  payment,
  credit: {
    ...{ id: credit.id, network: credit.network, counted: isOffered(payment, credit) },
    bookedMicro: bookable(credit.valueE18, { value: 0n, micro: 0n }),
  },
});

/** The move of a payment whose first credit is booked in suspense. */
function seen(before: Payment, credit: BookedCredit & SeenCredit, now: Date): PlainMove {
  const totals = totalsOf(before, credit);
  const payment: Payment = {
    ...before,
    booked: { ...before.booked, suspense: before.booked.suspense + credit.bookedMicro },
    creditCount: before.creditCount + 1,
    txHash: txHashWith(before, [credit]),
    seenE18: totals.seen,
    confirmedE18: totals.confirmed,
  };
  const arrival = { payment, totals, arrived: credit.counted ? 1 : 0, arrivedWrong: credit.counted ? 0 : 1 };
  return { ...moveOn(before, arrival, now), credit, arrived: [creditJournal(before, credit)] };
}
