import type { components } from '../../generated/api.ts';
import { invalidField } from '../lib/errors.ts';
import { type Currency, parseFiat, presentFiat } from '../lib/money.ts';

/** A line of what a payment is for. `unitMinor` is less than 0 for a discount. */
export type LineItem = { readonly name: string; readonly quantity: number; readonly unitMinor: number };

type Asked = { readonly amountMinor: bigint; readonly currency: Currency };

/** The lines of a request; null when there are none. Throws a VALIDATION_ERROR unless they add up to the amount. */
export function parseItems(
  lines: readonly components['schemas']['LineItemInput'][] | undefined,
  { amountMinor, currency }: Asked,
): LineItem[] | null {
  if (lines === undefined || lines.length === 0) return null;
  const items = lines.map(({ name, quantity = 1, unitAmount }) => ({
    ...{ name, quantity },
    unitMinor: Number(parseFiat(unitAmount)),
  }));
  const sum = items.reduce((all, { quantity, unitMinor }) => all + BigInt(quantity) * BigInt(unitMinor), 0n);
  if (sum === amountMinor) return items;
  const text = (minor: bigint): string => `${currency} ${presentFiat(minor).toFixed(2)}`;
  throw invalidField('items', `add up to ${text(sum)}, but amount is ${text(amountMinor)}`);
}

/** The lines as the contract has them. */
export const presentItems = (items: readonly LineItem[] | null): components['schemas']['LineItem'][] =>
  (items ?? []).map(({ name, quantity, unitMinor }) => ({
    ...{ name, quantity },
    unitAmount: presentFiat(BigInt(unitMinor)),
  }));
