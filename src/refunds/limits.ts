import { lockAccounts, merchantAccount } from '../ledger/accounts.ts';
import type { Trx } from '../lib/db-types.ts';
import { conflict } from '../lib/errors.ts';
import { divideUp, formatCents, MICRO_PER_CENT, max, parseCents } from '../lib/money.ts';
import { readSent } from '../payments/returns.ts';
import { isSame } from '../payouts/destination.ts';
import type { Chains } from '../ports/chain-kind.ts';
import type { SettingsReader } from '../settings/settings.ts';
import { listOfPayment, readLimited } from './queries.ts';
import { heldMicro, isStanding, type Refund } from './refund.ts';

type LimitDeps = { readonly settings: SettingsReader; readonly chains: Pick<Chains, 'keysOf'> };

/**
 * Throws CONFLICT (`limit_exceeded`) when a refund that may go to another wallet than the one that paid would exceed
 * the most of 24 hours. Locks the balance, so that what it finds stays true until the commit. Returns `now` by the
 * database's clock, from which on the refund counts. See decision refunds/a-limit-for-a-day.
 */
export async function requireDailyRoom(
  trx: Trx,
  { settings }: Pick<LimitDeps, 'settings'>,
  refund: Pick<Refund, 'id' | 'merchantId' | 'fromSuspense' | 'fromAvailable'>,
  now: Date,
): Promise<Date> {
  const most = parseCents((await settings.current()).refundDailyMax) * MICRO_PER_CENT;
  await lockAccounts(trx, [merchantAccount(refund.merchantId, 'available')]);
  const given = await readLimited(trx, refund, now);
  const left = max(0n, most - given.micro);
  const micro = heldMicro(refund);
  if (micro <= left) return given.asOf;
  const message = `What you give back within 24 hours to others than the wallet that paid may come to \
${inDollars(most)} USD; ${inDollars(left)} USD are left now, and this is ${formatCents(divideUp(micro, MICRO_PER_CENT))}. \
Give back less, wait, or name the wallet that paid if it is your payer's own.`;
  throw conflict(message, 'limit_exceeded');
}

const inDollars = (micro: bigint): string => formatCents(micro / MICRO_PER_CENT);

/**
 * Whether a refund that goes to `address` brings a wallet no more than it has sent, with what else goes there. Locks
 * the balance like `requireDailyRoom`: else of a refund that is made while another one is claimed neither would see
 * the other.
 */
export async function isOfItsWallet(
  trx: Trx,
  { chains }: Pick<LimitDeps, 'chains'>,
  refund: Pick<Refund, 'id' | 'merchantId' | 'paymentId' | 'token' | 'network' | 'decimals' | 'units'>,
  address: string,
): Promise<boolean> {
  const { merchantId, paymentId, token, network, decimals } = refund;
  const senders = chains.keysOf(address).map((key) => key.address);
  await lockAccounts(trx, [merchantAccount(merchantId, 'available')]);
  const sent = await readSent(trx, { paymentId, token, network, decimals, senders });
  if (refund.units > sent) return false;
  const others = (await listOfPayment(trx, paymentId)).filter(
    (other) =>
      other.id !== refund.id &&
      isStanding(other) &&
      other.token === token &&
      other.network === network &&
      other.decimals === decimals &&
      other.destination !== null &&
      isSame(chains, other.destination.address, address),
  );
  return others.reduce((left, { units }) => left - units, sent) >= refund.units;
}
