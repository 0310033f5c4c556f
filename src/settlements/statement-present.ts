import type { components } from '../../generated/api.ts';
import { formatUnits, MICRO_DECIMALS, presentFiat, priceE8Of, rescale } from '../lib/money.ts';
import { presentUnits } from '../payments/present-transfers.ts';
import { type Amounts, isFinal, type Month, totalOf } from './statement.ts';
import type { Movement } from './statement-queries.ts';

type Schemas = components['schemas'];

const RATE_DECIMALS = 8;

const micro = (amount: bigint): string => formatUnits(amount, MICRO_DECIMALS, true);

/** Dollars with six decimals, and their sum. */
export const presentAmounts = (amounts: Amounts): Schemas['AccountAmounts'] => ({
  available: micro(amounts.available),
  pending: micro(amounts.pending),
  hold: micro(amounts.hold),
  suspense: micro(amounts.suspense),
  debt: micro(amounts.debt),
  total: micro(totalOf(amounts)),
});

/** A month as of `now`, business time, without its movements. */
export const presentMonth = (month: Month, now: Date): Schemas['StatementSummary'] => ({
  id: month.month,
  month: month.month,
  final: isFinal(month.month, now),
  currency: 'USD',
  opening: presentAmounts(month.opening),
  totals: {
    received: micro(month.totals.received),
    fees: micro(month.totals.fees),
    reversals: micro(month.totals.reversals),
    refunds: micro(month.totals.refunds),
    payouts: micro(month.totals.payouts),
    payoutFees: micro(month.totals.payoutFees),
    other: micro(month.totals.other),
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
  value: micro(movedFromOutside(movement)),
  fee: micro(movement.fee),
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
    amount: token.startsWith('USD')
      ? micro(rescale(units, decimals, MICRO_DECIMALS))
      : presentUnits(token, units, decimals),
    fiatAmount: asked && presentFiat((worth * asked.minor) / asked.micro),
    fiatCurrency: asked && (asked.currency as Schemas['Currency']),
    rate: rate && {
      value: formatUnits(BigInt(rate.valueE8), RATE_DECIMALS),
      source: rate.source,
      quotedAt: rate.quotedAt,
    },
    price: coinRate && {
      value: formatUnits(
        priceE8Of(BigInt(coinRate.amountMicro), BigInt(coinRate.units), decimals),
        RATE_DECIMALS,
        true,
      ),
      source: coinRate.source,
      quotedAt: coinRate.quotedAt,
    },
  };
}
