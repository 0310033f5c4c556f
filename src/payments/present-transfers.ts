import type { components } from '../../generated/api.ts';
import {
  COIN_DECIMALS,
  divideUp,
  E12,
  formatFixed,
  formatMicro,
  formatToken,
  formatUnits,
  presentFiat,
  priceE8Of,
  RATE_DECIMALS,
  shownUnit,
} from '../lib/money.ts';
import { isDollar } from '../ports/assets.ts';
import { isOffered, isUnavailable } from './options.ts';
import { neededE18 } from './payment.ts';
import type { CreditRate, Payment, PaymentOption, SeenCredit } from './types.ts';

type Schemas = components['schemas'];

/** What the hash of a transfer starts with whose transaction is not known. */
const INTERNAL = 'internal:';
/** Of blocks that fit into a JSON number; the pool's place stands above them. */
const BLOCK_MAX = BigInt(Number.MAX_SAFE_INTEGER);

/** An amount as people read it: of coins with eight decimals, and with more only where there are more. */
export function presentUnits(symbol: string, units: bigint, decimals: number): string {
  if (isDollar(symbol)) return formatToken(units, decimals);
  const unit = shownUnit(decimals);
  return units % unit === 0n
    ? formatFixed(units / unit, Math.min(decimals, COIN_DECIMALS))
    : formatUnits(units, decimals);
}

/** The amount of an option as decimal text. */
export const optionAmount = ({ token, units, decimals }: PaymentOption): string =>
  presentUnits(token, BigInt(units), decimals);

/** One way to pay. Where it is unavailable, there is nothing to scan. */
export function presentOption(
  payment: Pick<Payment, 'status' | 'amountMicro'>,
  option: PaymentOption,
  now: Date,
): Schemas['PaymentOption'] {
  const unavailable = isUnavailable(payment, option, now);
  return {
    token: option.token as Schemas['Token'],
    network: option.network,
    chainId: option.chainId,
    amount: optionAmount(option),
    address: option.address,
    paymentUri: unavailable ? '' : option.paymentUri,
    contract: option.contract,
    decimals: option.decimals,
    quote: presentQuote(payment, option),
    unavailable,
  };
}

const presentQuote = (
  { amountMicro }: Pick<Payment, 'amountMicro'>,
  { quote, units, decimals }: PaymentOption,
): Schemas['PaymentQuote'] | null =>
  quote === undefined
    ? null
    : {
        rate: formatFixed(priceE8Of(amountMicro, BigInt(units), decimals), RATE_DECIMALS),
        source: quote.source,
        quotedAt: quote.quotedAt,
        expiresAt: quote.endsAt,
      };

/** Micro-dollars in minor units of the payment's currency, at its locked rate. Gives back the full amount exactly. */
export function fromMicro({ amountMicro, amountMinor }: Priced, micro: bigint, up: boolean): bigint {
  if (micro === amountMicro) return amountMinor;
  const dividend = micro * amountMinor;
  return up ? divideUp(dividend, amountMicro) : dividend / amountMicro;
}

type Priced = Pick<Payment, 'amountMicro' | 'amountMinor'>;

/** The transfers that reached the address, in their order: all, or the newest. */
export function presentTransactions(payment: Payment, credits: readonly SeenCredit[]): Schemas['PaymentTransaction'][] {
  const spare = spareOf(payment, credits);
  return credits.map((credit) => presentTransaction(payment, credit, astrayOf(payment, credit, spare)));
}

const presentTransaction = (
  payment: Priced,
  credit: SeenCredit,
  astray: Schemas['PaymentTransaction']['astray'],
): Schemas['PaymentTransaction'] => ({
  hash: credit.txHash,
  network: credit.network,
  token: credit.token as Schemas['Token'],
  amount: presentUnits(credit.token, credit.units, credit.decimals),
  confirmations: credit.confirmations,
  block: isInPool(credit) ? 0 : Number(credit.blockNumber),
  blockTime: credit.blockTime.toISOString(),
  worth: credit.rate && presentWorth(credit, credit.rate),
  value: presentFiat(fromMicro(payment, credit.valueE18 / E12, false)),
  astray,
  internal: credit.txHash.startsWith(INTERNAL),
});

/** Why its payment does not need a transfer. See decision payments/astray-is-derived. */
function astrayOf(
  payment: Pick<Payment, 'options' | 'status' | 'reason' | 'expiresAt'>,
  credit: SeenCredit,
  spare: ReadonlySet<string>,
): Schemas['PaymentTransaction']['astray'] {
  if (!isOffered(payment, credit)) {
    return payment.options.some(({ token }) => token === credit.token) ? 'network' : 'token';
  }
  if (spare.has(credit.id)) return 'again';
  const isOver = payment.status === 'expired' || payment.status === 'failed';
  return isOver && (payment.reason === 'cancelled' || credit.arrivedAt > payment.expiresAt) ? 'closed' : null;
}

/**
 * The transfers before which enough had come to a payment that is paid, or will be. Those that are not `shown` came
 * before all that are.
 */
function spareOf(payment: Payment, shown: readonly SeenCredit[]): ReadonlySet<string> {
  if (payment.status !== 'confirming' && payment.status !== 'paid') return new Set();
  const counted = shown.filter((credit) => credit.counted);
  const need = neededE18(payment);
  const spare = new Set<string>();
  let before = counted.reduce((rest, { valueE18 }) => rest - valueE18, payment.seenE18);
  for (const { id, valueE18 } of counted.toSorted(byArrival)) {
    if (before >= need) spare.add(id);
    before += valueE18;
  }
  return spare;
}

const byArrival = (a: SeenCredit, b: SeenCredit): number =>
  a.arrivedAt.getTime() - b.arrivedAt.getTime() || a.id.localeCompare(b.id);

/** Whether a transfer waits for its block. */
const isInPool = ({ blockNumber }: Pick<SeenCredit, 'blockNumber'>): boolean => blockNumber >= BLOCK_MAX;

const presentWorth = ({ valueE18, decimals }: SeenCredit, rate: CreditRate): Schemas['TransferWorth'] => ({
  amount: formatMicro(valueE18 / E12),
  rate: formatFixed(priceE8Of(BigInt(rate.amountMicro), BigInt(rate.units), decimals), RATE_DECIMALS),
  source: rate.source,
  quotedAt: rate.quotedAt,
});
