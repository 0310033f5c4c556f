import { WALLET } from '../../test/support/withdrawals.ts';
import type { Shop } from './write-shop.ts';

/** A request that writes. `prepare` makes what it needs and resolves with what sends it. */
export type Write = {
  readonly name: string;
  readonly prepare: (shop: Shop) => Promise<() => Promise<unknown>>;
  /** Brings back what the request ended. */
  readonly after?: (shop: Shop) => Promise<unknown>;
  /** It does as much as there is, up to some number: it is as slow as that is, and no slower. */
  readonly bounded?: true;
};

export const write = <T>(
  name: string,
  make: (shop: Shop) => Promise<T>,
  send: (shop: Shop, made: T) => Promise<unknown>,
  more: Pick<Write, 'after' | 'bounded'> = {},
): Write => ({
  name,
  prepare: async (shop) => {
    const made = await make(shop);
    return () => send(shop, made);
  },
  ...more,
});

/** For a request that needs nothing. */
export const nothing = async (): Promise<null> => null;

/** A withdrawal of the merchant that waits. */
export const withdrawal = ({ client }: Shop) =>
  client.withdrawals.create({ amount: 20, method: 'crypto', destinationAddress: WALLET });
