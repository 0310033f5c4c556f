import type { Events } from '../events/record.ts';
import type { RequireSecondFactor } from '../identity/second-factor.ts';
import { resolveIncidents } from '../incidents/incidents.ts';
import type { Trx } from '../lib/db-types.ts';
import type { KeyRing } from '../lib/envelope.ts';
import { AppError, conflict, notFound } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import type { JsonObject } from '../lib/json.ts';
import { divideUp, formatCents, MICRO_PER_CENT } from '../lib/money.ts';
import { requireMayWithdraw } from '../merchants/guard.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { lockMerchantShared } from '../merchants/queries.ts';
import { type DestinationRules, isSame } from '../payouts/destination.ts';
import { lockDebt } from '../payouts/may-be-paid.ts';
import type { Settings, SettingsReader } from '../settings/settings.ts';
import { encryptAccount, maskedNumber } from './bank-account.ts';
import { bookHold, bookMove, lockAvailable } from './booking.ts';
import { resolveDestination, resolveNetwork } from './destination.ts';
import { feeOf } from './fees.ts';
import { limitsOf, requireWithin } from './limits.ts';
import type { WithdrawalRequest } from './parse.ts';
import { presentWithdrawal } from './present.ts';
import { insertWithdrawal, lockWithdrawal, readUsage, saveWithdrawal, type WithdrawalRef } from './queries.ts';
import { isBank, step, UNTOUCHED, type Withdrawal, type WithdrawalEvent, type WithdrawalInput } from './withdrawal.ts';

export type MoveDeps = { readonly events: Events };

export type WithdrawalDeps = MoveDeps &
  DestinationRules & {
    readonly settings: SettingsReader;
    readonly keyRing: KeyRing;
    readonly requireSecondFactor: RequireSecondFactor;
  };

export type WithdrawalDraft = WithdrawalRequest & {
  readonly merchantId: string;
  /** The API key with which the merchant's server asks; null: a person does. */
  readonly keyId: string | null;
  readonly otp: string | undefined;
};

type Moment = { readonly now: Date; readonly real: Date };

/**
 * Checks a withdrawal and moves its money to the hold account, under the locks of the merchant and its balance:
 * whatever runs at once, the balance never goes below zero and no limit is exceeded. Returns it with the audit entry's
 * note on the second factor. See decision withdrawals/share-lock-on-the-merchant. Throws FORBIDDEN for a merchant that
 * is not active, VALIDATION_ERROR, UNAUTHORIZED for the second factor, CONFLICT for a limit and INSUFFICIENT_BALANCE.
 */
export async function createWithdrawal(
  trx: Trx,
  deps: WithdrawalDeps,
  draft: WithdrawalDraft,
  { now, real }: Moment,
): Promise<{ readonly withdrawal: Withdrawal; readonly secondFactor: JsonObject }> {
  const settings = await deps.settings.current();
  const merchant = await lockMerchantShared(trx, draft.merchantId);
  requireMayWithdraw(merchant.status);
  const planned = await planWithdrawal(trx, deps, settings, merchant, draft, now);
  const secondFactor = isConfirmed(deps, planned, merchant, draft)
    ? {}
    : await deps.requireSecondFactor(
        trx,
        { type: 'merchant', id: merchant.id },
        draft.otp,
        real,
        draft.keyId ?? undefined,
      );
  const createdAt = await requireRoom(trx, settings, planned, now);
  const withdrawal = { ...planned, createdAt, updatedAt: createdAt };
  await insertWithdrawal(trx, withdrawal);
  await bookHold(trx, withdrawal, now);
  await announce(trx, deps, withdrawal, 'withdrawal.created', now);
  return { withdrawal, secondFactor };
}

/** The withdrawal that a request asks for; nothing is checked against balance and limits yet. */
async function planWithdrawal(
  trx: Trx,
  deps: WithdrawalDeps,
  settings: Settings,
  merchant: Merchant,
  { amountMinor, route }: WithdrawalDraft,
  now: Date,
): Promise<Withdrawal> {
  const { network, currency } = resolveNetwork(deps, route.method === 'crypto' ? route : {});
  const owner = { id: newId('withdrawal', now), merchantId: merchant.id };
  return {
    ...owner,
    ...UNTOUCHED,
    amountMinor,
    feeMinor: feeOf({ amountMinor, method: route.method, network }, settings),
    currency,
    network,
    destinationAddress:
      route.method === 'crypto'
        ? await resolveDestination(trx, deps, network, route.destinationAddress, merchant.walletAddress)
        : null,
    bank: route.method === 'bank' ? encryptAccount(deps.keyRing, owner, route) : null,
    createdAt: now,
    updatedAt: now,
  };
}

/**
 * Whether the destination needs no code, because it was confirmed with one: a server may pay to the wallet of the
 * profile, which only a code changes. See decision withdrawals/servers-pay-the-profile-wallet.
 */
function isConfirmed(
  { chains }: WithdrawalDeps,
  { destinationAddress: to }: Withdrawal,
  { walletAddress: own }: Merchant,
  { keyId }: WithdrawalDraft,
): boolean {
  return keyId !== null && to !== null && own !== null && isSame(chains, to, own);
}

/**
 * Locks the balance, so that what it finds about balance and limits stays true until the commit. Returns `now` by the
 * database's clock, from which on the withdrawal counts for a day.
 */
async function requireRoom(trx: Trx, settings: Settings, withdrawal: Withdrawal, now: Date): Promise<Date> {
  const { merchantId, amountMinor } = withdrawal;
  const available = await lockAvailable(trx, merchantId);
  const usage = await readUsage(trx, merchantId, now);
  requireWithin(limitsOf(settings, usage), amountMinor);
  if (amountMinor * MICRO_PER_CENT <= available) return usage.asOf;
  const message = `You have ${formatCents(available / MICRO_PER_CENT)} USD. Ask for that much or less.`;
  throw new AppError('INSUFFICIENT_BALANCE', message);
}

/**
 * Throws CONFLICT (`merchant_owes`) for a merchant that owes. The caller has locked the withdrawal; this locks the
 * debt, so that a payment reversed from now on comes after this decision. See decision withdrawals/debt-first.
 */
export async function requireNoDebt(trx: Trx, { merchantId }: Withdrawal): Promise<void> {
  const owed = await lockDebt(trx, merchantId);
  if (owed === 0n) return;
  const dollars = formatCents(divideUp(owed, MICRO_PER_CENT));
  const message = `The merchant owes ${dollars} USD, because a payment was taken back. \
Fail this withdrawal: that repays the debt. Once the debt is repaid in another way, it can go on.`;
  throw conflict(message, 'merchant_owes');
}

/**
 * Moves a withdrawal and its money, and tells its merchant what concerns them. `look` gets the locked withdrawal first
 * and may throw. Throws NOT_FOUND, and CONFLICT when the state does not allow the move.
 */
export async function moveWithdrawal(
  trx: Trx,
  deps: MoveDeps,
  ref: WithdrawalRef,
  input: WithdrawalInput,
  now: Date,
  look: (locked: Withdrawal) => Promise<void> | void = () => {},
): Promise<Withdrawal> {
  const before = await lockWithdrawal(trx, ref);
  if (!before) throw notFound('withdrawal');
  await look(before);
  const { next, event, money } = step(before, input, now);
  await saveWithdrawal(trx, next);
  await bookMove(trx, next, money, now);
  if (event !== null) await announce(trx, deps, next, event, now);
  // What the chain took back is paid anew, or will not be paid.
  if (before.reverts > 0 && next.finishedAt !== null)
    await resolveIncidents(trx, 'withdrawal.reverted', [next.id], now);
  return next;
}

/** Account numbers are masked, because anyone at the merchant's endpoint may read events. */
async function announce(trx: Trx, deps: MoveDeps, withdrawal: Withdrawal, type: WithdrawalEvent, now: Date) {
  const { id: resourceId, merchantId, eventSequence: sequence } = withdrawal;
  const data = presentWithdrawal(withdrawal, maskedNumber(withdrawal));
  await deps.events.record(trx, { merchantId, type, resourceId, sequence, data }, now);
}

/** The audit entry's metadata for a new withdrawal; never a whole account number. */
export const describeWithdrawal = (withdrawal: Withdrawal): JsonObject => ({
  amount: formatCents(withdrawal.amountMinor),
  fee: formatCents(withdrawal.feeMinor),
  method: isBank(withdrawal) ? 'bank' : 'crypto',
  ...(isBank(withdrawal)
    ? { bankAccountNumber: maskedNumber(withdrawal), bankName: withdrawal.bank?.name ?? null }
    : {
        destinationAddress: withdrawal.destinationAddress,
        network: withdrawal.network,
        currency: withdrawal.currency,
      }),
});
