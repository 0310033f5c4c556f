import type { components } from '../../generated/api.ts';
import {
  formatFixed,
  formatMicro,
  formatUnits,
  MICRO_DECIMALS,
  presentFiat,
  priceE8Of,
  RATE_DECIMALS,
  rescale,
} from '../lib/money.ts';
import { presentUnits } from '../payments/present-transfers.ts';
import type { CreditRate } from '../payments/types.ts';
import { isDollar } from '../ports/assets.ts';
import { type Amounts, isFinal, type Month, totalOf } from './statement.ts';
import type { Movement } from './statement-queries.ts';

type Schemas = components['schemas'];

/** Dollars with six decimals, and their sum. */
export const presentAmounts = (amounts: Amounts): Schemas['AccountAmounts'] => ({
  available: formatMicro(amounts.available),
  pending: formatMicro(amounts.pending),
  hold: formatMicro(amounts.hold),
  suspense: formatMicro(amounts.suspense),
  debt: formatMicro(amounts.debt),
  total: formatMicro(totalOf(amounts)),
});

/** A month as of `now`, business time, without its movements. */
export const presentMonth = (month: Month, now: Date): Schemas['StatementSummary'] => ({
  id: month.month,
  month: month.month,
  final: isFinal(month.month, now),
  currency: 'USD',
  opening: presentAmounts(month.opening),
  totals: {
    received: formatMicro(month.totals.received),
    fees: formatMicro(month.totals.fees),
    reversals: formatMicro(month.totals.reversals),
    refunds: formatMicro(month.totals.refunds),
    payouts: formatMicro(month.totals.payouts),
    payoutFees: formatMicro(month.totals.payoutFees),
    other: formatMicro(month.totals.other),
  },
  closing: presentAmounts(month.closing),
});

/** What a movement brought from outside, or took there, before the fee. */
export const movedFromOutside = (movement: Movement): bigint => totalOf(movement) + movement.fee;

/** A movement with its transfer, if it has one. */
export const presentMovement = (movement: Movement): Schemas['StatementMovement'] => ({
  id: movement.id,
  kind: movement.kind,
  paymentId: movement.paymentId,
  withdrawalId: movement.withdrawalId,
  refundId: movement.refundId,
  value: formatMicro(movedFromOutside(movement)),
  fee: formatMicro(movement.fee),
  amounts: presentAmounts(movement),
  transfer: presentTransfer(movement),
  createdAt: movement.createdAt.toISOString(),
});

function presentTransfer(movement: Movement): Schemas['StatementTransfer'] | null {
  const { hash, network, token, units, decimals, asked, rate, coinRate } = movement;
  if (network === null || token === null || units === null || decimals === null) return null;
  const value = movedFromOutside(movement);
  const worth = value < 0n ? -value : value;
  return {
    hash,
    network,
    token: token as Schemas['Token'],
    amount: amountOf(token, units, decimals),
    fiatAmount: asked && presentFiat((worth * asked.minor) / asked.micro),
    fiatCurrency: asked && (asked.currency as Schemas['Currency']),
    rate: rate && {
      value: formatUnits(BigInt(rate.valueE8), RATE_DECIMALS),
      source: rate.source,
      quotedAt: rate.quotedAt,
    },
    price: coinRate && isPriceOf(coinRate, units, worth) ? presentPrice(coinRate, decimals) : null,
  };
}

/** A coin is booked together with what came before, rounded down as a whole: so far its price may be off. */
const ROUNDED_MICRO = 2n;

/**
 * Whether coins were booked by this price. The credit has that of its latest booking, and a coin that a reorg or its
 * pool took, or that waited there for longer than its price held, may have been booked by another before.
 */
function isPriceOf({ units: of, amountMicro }: CreditRate, units: bigint, bookedMicro: bigint): boolean {
  const off = (units * BigInt(amountMicro)) / BigInt(of) - bookedMicro;
  return -ROUNDED_MICRO <= off && off <= ROUNDED_MICRO;
}

const presentPrice = (rate: CreditRate, decimals: number): Schemas['StatementPrice'] => ({
  value: formatFixed(priceE8Of(BigInt(rate.amountMicro), BigInt(rate.units), decimals), RATE_DECIMALS),
  source: rate.source,
  quotedAt: rate.quotedAt,
});

/** Of dollars all six decimals, and more only where there are more. */
function amountOf(token: string, units: bigint, decimals: number): string {
  const micro = rescale(units, decimals, MICRO_DECIMALS);
  const isWhole = rescale(micro, MICRO_DECIMALS, decimals) === units;
  return isDollar(token) && isWhole ? formatMicro(micro) : presentUnits(token, units, decimals);
}
