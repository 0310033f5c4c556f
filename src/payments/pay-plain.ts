import { type Selectable, sql } from 'kysely';
import type { Payments } from '../../generated/db.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { moveOn } from './arrival.ts';
import { confirmCreditsOf } from './credits.ts';
import { isDeep } from './depth.ts';
import { isSeconded, UNDER_SECONDED } from './opinion-queries.ts';
import { isUntouched, type PlainMove, storePlain, totalsOf } from './plain.ts';
import { toPayment } from './queries.ts';
import type { PaymentDeps } from './service.ts';
import type { Payment, SeenCredit } from './types.ts';

/**
 * Whether payment `p` is plain, as most are: confirming, with one transfer of an offered token, which is booked as
 * pending, and nothing else.
 */
export const isPlain = sql<boolean>`(
  p.status = 'confirming' and p.credit_count = 1 and p.booked_available = 0 and p.booked_suspense = 0
  and ${isUntouched}
  and not exists (
    select from credits d where d.payment_id = p.id
       and (d.applied_at is null or d.failure is not null or not d.canonical or not d.counted)))`;

/**
 * Confirms plain payments whose transfer lies deep enough: they become paid. Takes up to `limit` in one transaction,
 * whose number of statements does not depend on `limit`, and skips locked rows. Returns how many it took. See
 * decision payments/plain-payments-together.
 */
export const payPlain = (db: Db, deps: PaymentDeps, limit: number, now: Date): Promise<number> =>
  inTransaction(db, async (trx) => {
    const payments = await lockPlain(trx, limit);
    if (payments.length === 0) return 0;
    const credits = await confirmCreditsOf(
      trx,
      payments.map(({ id }) => id),
      now,
    );
    const moves = payments.flatMap((payment) => {
      const credit = credits.get(payment.id);
      return credit ? [confirmed(payment, credit, now)] : []; // Without one, a reorg took the credit meanwhile.
    });
    await storePlain(trx, deps, moves, now);
    return payments.length;
  });

async function lockPlain(trx: Trx, limit: number): Promise<Payment[]> {
  const { rows } = await sql<Selectable<Payments>>`
    select p.* from ${UNDER_SECONDED}
     where case when p.id is null then false else ${isDeep} and ${isSeconded} and ${isPlain} end
     limit ${limit} for no key update of p skip locked`.execute(trx);
  return rows.map(toPayment);
}

function confirmed(before: Payment, credit: SeenCredit, now: Date): PlainMove {
  const totals = totalsOf(before, credit);
  const payment = { ...before, seenE18: totals.seen, confirmedE18: totals.confirmed };
  return { ...moveOn(before, { payment, totals, arrived: 0, arrivedWrong: 0 }, now), credit, arrived: [] };
}
