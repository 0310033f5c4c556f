import { type Selectable, sql } from 'kysely';
import type { Payments } from '../../generated/db.ts';
import { inTransaction } from '../db/transaction.ts';
import { lockAccounts, MERCHANT_KINDS, merchantAccount } from '../ledger/accounts.ts';
import { postJournals } from '../ledger/post.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { allocate, feeOf, settlePostings } from './booking.ts';
import { confirmCreditsOf } from './credits.ts';
import { step } from './payment.ts';
import { presentPayment } from './present.ts';
import { savePayments, toPayment } from './queries.ts';
import type { PaymentDeps } from './service.ts';
import type { Payment, PaymentEvent, SeenCredit, Totals } from './types.ts';

/**
 * The plain ones, which most are: paid by one transfer of an offered token that is booked as pending, for which nothing else has come. Of the
 * payment `p`.
 */
export const isPlain = sql<boolean>`(
  p.status = 'confirming' and p.credit_count = 1 and p.booked_available = 0 and p.booked_suspense = 0
  and p.settled_micro = 0 and p.settled_wrong_micro = 0
  and not exists (select from credits d where d.payment_id = p.id and (d.applied_at is null or not d.canonical or not d.counted)))`;

/**
 * Confirms plain payments whose transfer lies deep enough, as many as `limit` in one transaction and a number of statements that does not
 * depend on how many they are; returns how many. Those that somebody else is at are left to them.
 */
export const confirmPlain = (db: Db, deps: PaymentDeps, limit: number, now: Date): Promise<number> =>
  inTransaction(db, async (trx) => {
    const payments = await lockPlain(trx, limit);
    if (payments.length === 0) return 0;
    const credits = await confirmCreditsOf(
      trx,
      payments.map(({ id }) => id),
      now,
    );
    const moved = payments.flatMap((payment) => {
      const credit = credits.get(payment.id);
      return credit ? [decide(payment, credit, now)] : []; // A reorg was quicker.
    });
    await savePayments(
      trx,
      moved.map(({ payment }) => payment),
    );
    await announce(trx, deps, moved, now);
    // After all that does not need the merchants' accounts, which everybody else waits for from here to the commit.
    await book(trx, moved, now);
    for (const { payment } of moved) trx.wake('kasi_payment', payment.id);
    const passed = moved.filter(({ payment, before }) => payment.status !== before.status);
    for (const listener of deps.listeners) {
      await listener(
        trx,
        passed.map(({ payment, before }) => ({ payment, from: before.status })),
      );
    }
    return payments.length;
  });

/**
 * By the index of what is not confirmed, oldest block first: its cost follows the limit, not how many wait. The condition stands in a case, so
 * that each payment is found by its id: when the statistics are from a time at which none was confirming, all that are would be joined to
 * all that wait.
 */
async function lockPlain(trx: Trx, limit: number): Promise<Payment[]> {
  const { rows } = await sql<Selectable<Payments>>`
    select p.* from chain_cursors u
     cross join lateral (
       select c.payment_id from credits c
        where c.network = u.network and c.canonical and c.confirmed_at is null and c.block_number <= u.confirmed_height
          and c.applied_at is not null and c.parked_at is null
        order by c.block_number) deep
      join payments p on p.id = deep.payment_id
     where case when p.id is null then false else ${isPlain} end
     limit ${limit} for no key update of p skip locked`.execute(trx);
  return rows.map(toPayment);
}

type Moved = {
  readonly before: Payment;
  readonly payment: Payment;
  readonly credit: SeenCredit;
  readonly events: readonly PaymentEvent[];
};

function decide(before: Payment, credit: SeenCredit, now: Date): Moved {
  const totals = totalsOf(before, credit);
  const seen = { ...before, seenE18: totals.seen, confirmedE18: totals.confirmed };
  const { next, events } = step(seen, { kind: 'observed', arrived: 0, arrivedWrong: 0 }, totals, now);
  const booked = allocate(next, totals.standing);
  const payment: Payment = {
    ...next,
    booked,
    feeMicro: feeOf(next, booked.available),
    moves: before.moves + 1,
    eventSequence: before.eventSequence + events.length,
    updatedAt: now,
  };
  return { before, payment, credit, events };
}

function totalsOf(payment: Payment, { valueE18, bookedMicro, blockTime }: SeenCredit): Totals {
  const late = payment.expiresAt.getTime() + Number(payment.lateWindowMs);
  const counted = bookedMicro ?? 0n;
  return {
    seen: valueE18,
    confirmed: valueE18,
    inTime: blockTime <= payment.expiresAt ? valueE18 : 0n,
    inLateWindow: blockTime.getTime() <= late ? valueE18 : 0n,
    standing: { counted, wrong: 0n, countedDeep: counted, wrongDeep: 0n },
  };
}

/** Moves the money of all to where their states say; what a merchant owes is repaid by the first of its payments. */
async function book(trx: Trx, moved: readonly Moved[], now: Date): Promise<void> {
  const merchants = [...new Set(moved.map(({ payment }) => payment.merchantId))];
  const accounts = merchants.flatMap((id) => MERCHANT_KINDS.map((kind) => merchantAccount(id, kind)));
  const balances = new Map(await lockAccounts(trx, accounts));
  const journals = moved.map(({ before, payment }) => ({
    kind: 'payment.moved',
    ref: `${payment.id}#${payment.moves}`,
    merchantId: payment.merchantId,
    paymentId: payment.id,
    postings: settlePostings(payment, before.booked, payment.booked, balances),
  }));
  await postJournals(trx, journals, now);
}

async function announce(trx: Trx, deps: PaymentDeps, moved: readonly Moved[], now: Date): Promise<void> {
  const drafts = moved.flatMap(({ before, payment, credit, events }) => {
    const data = presentPayment(payment, [credit], deps);
    const { merchantId, id: resourceId } = payment;
    return events.map((type, i) => ({ merchantId, type, resourceId, sequence: before.eventSequence + i + 1, data }));
  });
  await deps.events.recordMany(trx, drafts, now);
}
