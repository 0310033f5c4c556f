import { findChainTime } from '../chains/cursors.ts';
import type { RequireSecondFactor } from '../identity/second-factor.ts';
import { resolveIncidents } from '../incidents/incidents.ts';
import { lockAccounts, merchantAccount } from '../ledger/accounts.ts';
import type { Trx } from '../lib/db-types.ts';
import { AppError, conflict, notFound } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import type { JsonObject } from '../lib/json.ts';
import { divideUp, formatCents, MICRO_PER_CENT } from '../lib/money.ts';
import { requireMayWithdraw } from '../merchants/guard.ts';
import { lockMerchantShared } from '../merchants/queries.ts';
import { keptInLedger } from '../payments/move.ts';
import { type CoinRates, readCoinRates } from '../payments/quotes.ts';
import { type ArrivedToken, deepOf, holdReturn, lockReturnable, readArrived } from '../payments/returns.ts';
import type { PaymentDeps } from '../payments/service.ts';
import { type DestinationRules, isSame, requirePayable } from '../payouts/destination.ts';
import { leastPayable } from '../payouts/least.ts';
import type { Chains } from '../ports/chain-kind.ts';
import { bookMove, returnOf } from './booking.ts';
import { newClaimSecret } from './claim-secret.ts';
import { isOfItsWallet, requireDailyRoom } from './limits.ts';
import { type Ask, type Facts, isByMarket, type Plan, planRefund } from './plan.ts';
import { presentRefund } from './present.ts';
import { insertRefund, listOfPayment, lockRefund, type RefundRef, saveRefund } from './queries.ts';
import {
  type Destination,
  type Refund,
  type RefundEvent,
  type RefundInput,
  requireAllowed,
  step,
  UNTOUCHED,
} from './refund.ts';

export type RefundDeps = PaymentDeps &
  DestinationRules & { readonly chains: Pick<Chains, 'leastPayout' | 'openSignatures' | 'presentAddress'> };

/** Who asks: a merchant's person has to show a second factor where one is on, a merchant's server signs. */
export type Asker = { readonly byKey: boolean; readonly otp: string | undefined };

export type RefundRequestDeps = RefundDeps & { readonly requireSecondFactor: RequireSecondFactor };

export type Moment = { readonly now: Date; readonly real: Date };

export type RefundDraft = Asker & {
  readonly merchantId: string;
  readonly paymentId: string;
  readonly ask: Ask;
  readonly reason: string;
  /** Where it goes, if the merchant says so; else the payer does. */
  readonly destinationAddress: string | null;
};

/** A refund, and the secret of its claim link if it has got one just now. */
export type MadeRefund = {
  readonly refund: Refund;
  readonly secret: string | null;
  /** The audit entry's note on the second factor. */
  readonly secondFactor: JsonObject;
};

/**
 * Makes a refund and holds its money, under the locks of the payment and of the merchant's accounts: whatever runs at
 * once, no more than arrived is given back, and the balance never goes below zero. Throws FORBIDDEN for a merchant that
 * is not active, UNAUTHORIZED for the second factor, NOT_FOUND, VALIDATION_ERROR for the address, CONFLICT
 * (`merchant_owes`, `refund_exceeds`, `refund_needs_token`, `payout_dust`, `limit_exceeded`), INSUFFICIENT_BALANCE,
 * RATE_UNAVAILABLE where what is sent of a coin depends on its price and it has none, and SERVICE_UNAVAILABLE for an
 * address on a network that is not listed.
 */
export async function createRefund(
  trx: Trx,
  deps: RefundRequestDeps,
  draft: RefundDraft,
  { now, real }: Moment,
): Promise<MadeRefund> {
  requireMayWithdraw((await lockMerchantShared(trx, draft.merchantId)).status);
  const secondFactor = await confirmAsker(trx, deps, draft.merchantId, draft, real);
  const plan = (facts: Facts): Plan => planRefund(facts, draft.ask);
  const made = await makeRefund(trx, deps, { ...draft, plan, offered: false }, now);
  if (made === null) throw new Error('what was asked for is planned or refused');
  return { ...made, secondFactor };
}

/** A refund that may be made, as far as its merchant is concerned. The caller has locked the merchant. */
export type RefundToMake = Pick<RefundDraft, 'merchantId' | 'paymentId' | 'reason' | 'destinationAddress'> & {
  /** Null: there is nothing to give back. */
  readonly plan: (facts: Facts) => Plan | null;
  readonly offered: boolean;
};

/**
 * Plans a refund of what the payment has, holds its money, and announces it; null where nothing is planned. Throws as
 * `createRefund`.
 */
export async function makeRefund(
  trx: Trx,
  deps: RefundDeps,
  { merchantId, paymentId, reason, offered, destinationAddress: address, ...draft }: RefundToMake,
  now: Date,
): Promise<Omit<MadeRefund, 'secondFactor'> | null> {
  const observed = await lockReturnable(trx, deps, { id: paymentId, merchantId }, now);
  const { payment, totals } = observed;
  // Without what is not deep enough to be given away, like all that has arrived.
  const [arrived, refunds] = [await readArrived(trx, paymentId), await listOfPayment(trx, paymentId)];
  const kept = keptInLedger({ ...totals.inLedger, ...deepOf(arrived) }, payment.returned);
  const rates = await readMarket(deps, arrived, now);
  const plan = draft.plan({ payment, kept, arrived, refunds, rates, now, leastOf: leastPayable(deps) });
  if (plan === null) return null;
  const destination = await toDestination(trx, deps, plan.network, { address, by: 'merchant', proven: false }, now);
  await requireFunds(trx, merchantId, plan.fromAvailable);
  const target = { ...plan, id: newId('refund', now), merchantId, paymentId };
  // What a payer takes from the page is no act of the merchant, nor of a key of theirs.
  const isLimited = !offered && !(destination && (await isOfItsWallet(trx, deps, target, destination.address)));
  const limitedAt = isLimited ? await requireDailyRoom(trx, deps, target, now) : null;
  const claim = destination === null ? newClaimSecret() : null;
  const refund: Refund = {
    ...UNTOUCHED,
    ...target,
    status: destination === null ? 'awaiting_claim' : 'pending',
    currency: payment.currency,
    reason,
    offered,
    limitedAt,
    claimHash: claim?.hash ?? null,
    destination,
    createdAt: now,
    updatedAt: now,
  };
  await insertRefund(trx, refund);
  await holdReturn(trx, deps, observed, returnOf(refund), now);
  await announce(trx, deps, refund, 'refund.created', now);
  return { refund, secret: claim?.secret ?? null };
}

/** What those of these coins are worth now that no longer go back at the locked rate. */
export async function readMarket(
  { rates, settings }: Pick<RefundDeps, 'rates' | 'settings'>,
  arrived: readonly ArrivedToken[],
  now: Date,
): Promise<CoinRates> {
  const coins = arrived.filter((each) => isByMarket(each, now)).map(({ token }) => token);
  return coins.length === 0 ? new Map() : readCoinRates(rates, coins, await settings.current());
}

/** A claim link is as good as the money: see decision refunds/a-person-shows-a-code. */
export const confirmAsker = async (
  trx: Trx,
  { requireSecondFactor }: RefundRequestDeps,
  id: string,
  { byKey, otp }: Asker,
  real: Date,
): Promise<JsonObject> => (byKey ? {} : requireSecondFactor(trx, { type: 'merchant', id }, otp, real));

/** An address that a refund may go to. VALIDATION_ERROR for one that may not; null for none. */
async function toDestination(
  trx: Trx,
  deps: RefundDeps,
  network: string,
  { address, by, proven }: Pick<Destination, 'by' | 'proven'> & { readonly address: string | null },
  now: Date,
): Promise<Destination | null> {
  if (address === null) return null;
  await requirePayable(trx, deps, network, address);
  return { address, by, proven, at: now, chainTime: await findChainTime(trx, network) };
}

/** The accounts are locked already. */
async function requireFunds(trx: Trx, merchantId: string, fromAvailable: bigint): Promise<void> {
  const [available, debt] = [merchantAccount(merchantId, 'available'), merchantAccount(merchantId, 'debt')];
  const balances = await lockAccounts(trx, [available, debt]);
  const owed = -(balances.get(debt) ?? 0n);
  if (owed > 0n) {
    const message = `You owe ${formatCents(divideUp(owed, MICRO_PER_CENT))} USD, because a payment was taken back. \
Once that is repaid you can give money back.`;
    throw conflict(message, 'merchant_owes');
  }
  const has = balances.get(available) ?? 0n;
  if (fromAvailable <= has) return;
  const needed = formatCents(divideUp(fromAvailable, MICRO_PER_CENT));
  const message = `You have ${formatCents(has / MICRO_PER_CENT)} USD, and ${needed} USD of this refund were credited to you. \
Wait for other payments, or give back less.`;
  throw new AppError('INSUFFICIENT_BALANCE', message);
}

/**
 * Moves a refund and its money, and announces it. `look` gets the locked refund first and may throw. Throws NOT_FOUND,
 * and CONFLICT when the state does not allow the move.
 */
export async function moveRefund(
  trx: Trx,
  deps: RefundDeps,
  ref: RefundRef,
  input: RefundInput | ((locked: Refund) => Promise<RefundInput>),
  now: Date,
): Promise<Refund> {
  const before = await lockRefund(trx, ref);
  if (!before) throw notFound('refund');
  const { next, event, money } = step(before, typeof input === 'function' ? await input(before) : input, now);
  await saveRefund(trx, next);
  await bookMove(trx, deps, next, money, now);
  if (event !== null) await announce(trx, deps, next, event, now);
  // What the chain took back is paid anew, or will not be paid.
  if (before.reverts > 0 && next.finishedAt !== null) await resolveIncidents(trx, 'refund.reverted', [next.id], now);
  return next;
}

/**
 * Sets where a refund goes, for whoever holds its claim link; `proven`: for the wallet that paid. Throws NOT_FOUND,
 * CONFLICT, VALIDATION_ERROR, and SERVICE_UNAVAILABLE where its network is not listed.
 */
export const claimRefund = (
  trx: Trx,
  deps: RefundDeps,
  claimHash: Buffer,
  { address, proven }: Pick<Destination, 'address' | 'proven'>,
  now: Date,
): Promise<Refund> =>
  moveRefund(
    trx,
    deps,
    { claimHash },
    async (locked) => {
      requireAllowed(locked, 'claim');
      const destination = await toDestination(trx, deps, locked.network, { address, by: 'payer', proven }, now);
      if (destination === null) throw new Error('a claim names an address');
      const isOwn = proven && (await isOfItsWallet(trx, deps, locked, address));
      return { kind: 'claim', destination: { ...destination, ...sinceBefore(deps, locked, address) }, isOwn };
    },
    now,
  );

/** Makes a new claim link; the former one stops working. Throws NOT_FOUND and CONFLICT (`limit_exceeded`, too). */
export async function renewClaim(
  trx: Trx,
  deps: RefundRequestDeps,
  ref: { readonly id: string; readonly merchantId: string },
  asker: Asker,
  { now, real }: Moment,
): Promise<MadeRefund> {
  const secondFactor = await confirmAsker(trx, deps, ref.merchantId, asker, real);
  const { secret, hash } = newClaimSecret();
  const toInput = async (locked: Refund): Promise<RefundInput> => {
    requireAllowed(locked, 'renew');
    const limitedAt = await requireDailyRoom(trx, deps, locked, now);
    return { kind: 'renew', claimHash: hash, limitedAt };
  };
  return { refund: await moveRefund(trx, deps, ref, toInput, now), secret, secondFactor };
}

/** Since when it goes there: what was paid to the same address meanwhile is not too early. */
const sinceBefore = ({ chains }: RefundDeps, { destination }: Refund, address: string): Partial<Destination> =>
  destination && isSame(chains, destination.address, address)
    ? { at: destination.at, chainTime: destination.chainTime }
    : {};

async function announce(trx: Trx, deps: RefundDeps, refund: Refund, type: RefundEvent, now: Date): Promise<void> {
  const { id: resourceId, merchantId, eventSequence: sequence } = refund;
  await deps.events.record(trx, { merchantId, type, resourceId, sequence, data: presentRefund(refund) }, now);
}
