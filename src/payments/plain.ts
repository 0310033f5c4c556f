import { sql } from 'kysely';
import { lockAccounts, MERCHANT_KINDS, merchantAccount, shareAccounts } from '../ledger/accounts.ts';
import { type JournalDraft, postJournals } from '../ledger/post.ts';
import type { Trx } from '../lib/db-types.ts';
import { announce, notifyOfMoves } from './announce.ts';
import { journalsOf, type PaymentMove } from './move.ts';
import { savePayments } from './queries.ts';
import type { PaymentDeps } from './service.ts';
import type { Payment, SeenCredit, Totals } from './types.ts';

/** Whether nobody has decided about the money of payment `p`: none was settled or given back. */
export const isUntouched = sql<boolean>`(
  p.settled_micro = 0 and p.settled_wrong_micro = 0 and p.returned_micro = 0 and p.returned_wrong_micro = 0)`;

/** A move of a payment that has one transfer, and what is booked for it before that. */
export type PlainMove = PaymentMove & { readonly credit: SeenCredit; readonly arrived: readonly JournalDraft[] };

/** What `readTotals` would read for a payment with one transfer that is applied. Pure. */
export function totalsOf(payment: Payment, credit: SeenCredit): Totals {
  const { valueE18, bookedMicro, arrivedAt, counted, confirmedAt } = credit;
  const late = payment.expiresAt.getTime() + Number(payment.lateWindowMs);
  const value = (counts: boolean): bigint => (counted && counts ? valueE18 : 0n);
  const micro = (counts: boolean): bigint => (counts ? (bookedMicro ?? 0n) : 0n);
  const isDeep = confirmedAt !== null;
  return {
    seen: value(true),
    confirmed: value(isDeep),
    inTime: value(arrivedAt <= payment.expiresAt),
    inLateWindow: value(arrivedAt.getTime() <= late),
    inLedger: {
      counted: micro(counted === true),
      wrong: micro(counted === false),
      countedDeep: micro(counted === true && isDeep),
      wrongDeep: micro(counted === false && isDeep),
    },
  };
}

/** What only comes in goes beside other money that comes in; what leaves an account locks those of its merchant. */
function lockMoney(trx: Trx, moves: readonly PlainMove[]) {
  const merchants = [...new Set(moves.map(({ payment }) => payment.merchantId))];
  const leaves = moves.some(({ arrived }) => arrived.length === 0);
  if (!leaves) return shareAccounts(trx, merchants);
  return lockAccounts(
    trx,
    merchants.flatMap((id) => MERCHANT_KINDS.map((kind) => merchantAccount(id, kind))),
  );
}

/** Writes moves of locked payments: the payments, their events, the journals. A fixed number of statements. */
export async function storePlain(trx: Trx, deps: PaymentDeps, moves: readonly PlainMove[], now: Date): Promise<void> {
  await savePayments(
    trx,
    moves.map(({ payment }) => payment),
  );
  await announce(
    trx,
    deps,
    moves.map(({ payment, events, credit }) => ({ payment, events, credits: [credit] })),
    now,
  );
  // After all that needs no account of the merchants: other transactions wait for those from here to the commit.
  const balances = await lockMoney(trx, moves);
  await postJournals(trx, [...moves.flatMap(({ arrived }) => arrived), ...journalsOf(moves, balances)], now);
  await notifyOfMoves(trx, deps.listeners, moves);
}
