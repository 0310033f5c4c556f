import { type Selectable, sql } from 'kysely';
import type { Credits } from '../../generated/db.ts';
import { lockAccounts, MERCHANT_KINDS, merchantAccount } from '../ledger/accounts.ts';
import { type JournalKind, type Posting, postJournal } from '../ledger/post.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { conflict } from '../lib/errors.ts';
import { min } from '../lib/money.ts';
import { looseCredits } from './firm.ts';
import { keptOf, movePayment } from './move.ts';
import { isOpen, step } from './payment.ts';
import { lockPayment, type PaymentRef } from './queries.ts';
import { type Observed, type PaymentDeps, requireComplete, storeMove, takeIn } from './service.ts';
import type { LedgerTotals, Payment } from './types.ts';

/** What of a payment a refund gives back. Micro-dollars; `counted`: of the transfers that count, else of the others. */
export type Return = {
  readonly refundId: string;
  readonly counted: boolean;
  readonly fromSuspense: bigint;
  readonly fromAvailable: bigint;
};

/** The confirmed transfers to a payment in one token on one network: base units, and what the ledger got for them. */
export type ArrivedToken = Pick<Selectable<Credits>, 'token' | 'network' | 'decimals'> & {
  readonly counted: boolean;
  readonly units: bigint;
  readonly micro: bigint;
  /** When the first of them came. */
  readonly since: Date;
};

/** What of a payment could be given back now, by token. */
export async function readArrived(db: Db | Trx, paymentId: string): Promise<ArrivedToken[]> {
  const { rows } = await sql<ArrivedToken>`
    select token, network, decimals, counted, sum(amount_units)::numeric(78, 0) as units,
           sum(booked_micro)::bigint as micro, min(coalesce(arrived_at, least(block_time, seen_at))) as since
      from credits
     where payment_id = ${paymentId} and canonical and booked_micro is not null and confirmed_at is not null
       and id not in (${looseCredits(paymentId)})
     group by token, network, decimals, counted order by micro desc, network, token`.execute(db);
  return rows;
}

/** What the ledger has of it, of the tokens that count and of the others. Pure. */
export function deepOf(arrived: readonly ArrivedToken[]): Pick<LedgerTotals, 'countedDeep' | 'wrongDeep'> {
  const sumOf = (counted: boolean): bigint =>
    arrived.reduce((sum, each) => (each.counted === counted ? sum + each.micro : sum), 0n);
  return { countedDeep: sumOf(true), wrongDeep: sumOf(false) };
}

/** What came to a payment in a token on a network. Base units are compared only of a token with the same decimals. */
type Kind = { readonly paymentId: string } & Pick<ArrivedToken, 'token' | 'network' | 'decimals'>;

/** The sender of most of what was confirmed of it at a moment; undefined when nothing was. */
export async function findMainSender(
  db: Db | Trx,
  { paymentId, token, network, decimals, at }: Kind & { readonly at: Date },
): Promise<string | undefined> {
  const found = await db
    .selectFrom('credits')
    .select('sender')
    .where('payment_id', '=', paymentId)
    .where('token', '=', token)
    .where('network', '=', network)
    .where('decimals', '=', decimals)
    .where('canonical', '=', true)
    .where('confirmed_at', '<=', at)
    .groupBy('sender')
    .orderBy((eb) => eb.fn.sum('amount_units'), 'desc')
    .orderBy('sender')
    .executeTakeFirst();
  return found?.sender;
}

/** What some wallets have sent of what could be given back of a payment, in a token on a network; base units. */
export async function readSent(
  db: Db | Trx,
  { paymentId, token, network, decimals, senders }: Kind & { readonly senders: readonly string[] },
): Promise<bigint> {
  const { rows } = await sql<{ units: bigint }>`
    select coalesce(sum(amount_units), 0)::numeric(78, 0) as units from credits
     where payment_id = ${paymentId} and token = ${token} and network = ${network} and decimals = ${decimals}
       and canonical and confirmed_at is not null and sender = any (${[...senders]}::text[])
       and id not in (${looseCredits(paymentId)})`.execute(db);
  return rows[0]?.units ?? 0n;
}

/**
 * Locks a payment and the accounts of its merchant, and takes in what the chain has brought. Throws NOT_FOUND, and
 * CONFLICT while credits are still counted.
 */
export async function lockObserved(trx: Trx, deps: PaymentDeps, ref: PaymentRef, now: Date): Promise<Observed> {
  const observed = await takeIn(trx, deps, await lockPayment(trx, ref), now);
  requireComplete(observed.complete);
  await lockMoney(trx, observed.payment.merchantId);
  return observed;
}

/** The same, so that a refund of it can be decided. Throws CONFLICT while the payment is decided by what arrives. */
export async function lockReturnable(trx: Trx, deps: PaymentDeps, ref: PaymentRef, now: Date): Promise<Observed> {
  const observed = await lockObserved(trx, deps, ref, now);
  const { payment } = observed;
  if (isOpen(payment) || payment.status === 'confirming') {
    throw conflict(
      `This payment is ${payment.status}: what arrived still decides it. Give money back when it is over.`,
    );
  }
  return observed;
}

/** Takes money of a payment out of suspense and the balance, and holds it for a refund. The caller has checked both. */
export async function holdReturn(
  trx: Trx,
  deps: PaymentDeps,
  observed: Observed,
  part: Return,
  now: Date,
): Promise<Payment> {
  const { payment } = observed;
  const { merchantId } = payment;
  const { fromSuspense, fromAvailable } = part;
  await postReturn(trx, payment, 'refund.created', part, now, [
    { account: merchantAccount(merchantId, 'suspense'), amount: -fromSuspense },
    { account: merchantAccount(merchantId, 'available'), amount: -fromAvailable },
    { account: merchantAccount(merchantId, 'hold'), amount: fromSuspense + fromAvailable },
  ]);
  return reckon(trx, deps, observed, part, 1n, now);
}

/** Takes back what a refund holds: to suspense, and to the balance once a debt is repaid. */
export async function releaseReturn(
  trx: Trx,
  deps: PaymentDeps,
  paymentId: string,
  part: Return,
  now: Date,
): Promise<Payment> {
  const observed = await takeIn(trx, deps, await lockPayment(trx, { id: paymentId }), now);
  const { payment } = observed;
  const { merchantId } = payment;
  const { fromSuspense, fromAvailable } = part;
  const balances = await lockMoney(trx, merchantId);
  const repaid = min(fromAvailable, -(balances.get(merchantAccount(merchantId, 'debt')) ?? 0n));
  await postReturn(trx, payment, 'refund.released', part, now, [
    { account: merchantAccount(merchantId, 'hold'), amount: -(fromSuspense + fromAvailable) },
    { account: merchantAccount(merchantId, 'suspense'), amount: fromSuspense },
    { account: merchantAccount(merchantId, 'debt'), amount: repaid },
    { account: merchantAccount(merchantId, 'available'), amount: fromAvailable - repaid },
  ]);
  return reckon(trx, deps, observed, part, -1n, now);
}

/** Counts a return in (`sign` 1) or out (-1) of a payment, and moves its money where that belongs then. */
async function reckon(
  trx: Trx,
  deps: PaymentDeps,
  { payment, totals }: Observed,
  { counted, fromSuspense, fromAvailable }: Return,
  sign: 1n | -1n,
  now: Date,
): Promise<Payment> {
  const amount = sign * (fromSuspense + fromAvailable);
  const { booked, returned } = payment;
  const changed: Payment = {
    ...payment,
    returned: {
      counted: returned.counted + (counted ? amount : 0n),
      wrong: returned.wrong + (counted ? 0n : amount),
      settled: returned.settled + sign * fromAvailable,
    },
    settledMicro: payment.settledMicro - (counted ? sign * fromAvailable : 0n),
    settledWrongMicro: payment.settledWrongMicro - (counted ? 0n : sign * fromAvailable),
    booked: {
      ...booked,
      suspense: booked.suspense - sign * fromSuspense,
      available: booked.available - sign * fromAvailable,
    },
  };
  const kept = keptOf(totals, changed.returned);
  const decided = step(changed, { kind: 'returned' }, kept, now);
  return storeMove(trx, deps, movePayment(changed, decided, kept.inLedger, now), now);
}

const lockMoney = (trx: Trx, merchantId: string) =>
  lockAccounts(
    trx,
    MERCHANT_KINDS.map((kind) => merchantAccount(merchantId, kind)),
  );

const postReturn = (
  trx: Trx,
  { id: paymentId, merchantId }: Payment,
  kind: JournalKind,
  { refundId }: Return,
  now: Date,
  postings: readonly Posting[],
) => postJournal(trx, { kind, ref: refundId, merchantId, paymentId, refundId, postings }, now);
