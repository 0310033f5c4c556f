import type { components } from '../../../generated/api.ts';
import type { Words } from './words.ts';

type Itemized = Pick<components['schemas']['PublicPayment'], 'items' | 'currency'>;

/** A line of what is paid for. */
export type ItemView = {
  readonly name: string;
  readonly quantity: number;
  readonly each: string;
  readonly sum: string;
};

/** The lines of what is paid for, each multiplied out. */
export const itemViews = ({ items, currency }: Itemized, { fiat }: Words): ItemView[] =>
  items.map(({ name, quantity, unitAmount }) => ({
    ...{ name, quantity, each: fiat(unitAmount, currency) },
    // In cents, so that no sum of decimals goes astray.
    sum: fiat((quantity * Math.round(unitAmount * 100)) / 100, currency),
  }));
