import type { Asset, Network, Token } from './chain.ts';

/** The order in which payers are offered what they may pay in. */
const ORDER: readonly string[] = ['USDT', 'USDC', 'ETH', 'BTC'];

/** All that payments are taken in on a network: its tokens, and its own coin where it takes that. */
export const assetsOf = ({ tokens, native }: Pick<Network, 'tokens' | 'native'>): readonly Asset[] =>
  native === undefined ? tokens : [...tokens, native];

/** Whether it is worth a dollar by definition. The others are coins, whose price moves. */
export const isToken = (asset: Asset): asset is Token => isDollar(asset.symbol);

/** The same by a symbol. */
export const isDollar = (symbol: string): boolean => symbol === 'USDT' || symbol === 'USDC';

/** In place of a contract, of the coin of a chain with accounts. */
export const NO_CONTRACT = `0x${'0'.repeat(40)}`;

/** Whether no receipt shows what contracts send of it: the coin of a chain with accounts, listed or not. */
export const isSentUnseen = ({ contract }: Pick<Asset, 'contract'>): boolean => contract === NO_CONTRACT;

/** Sorts symbols as payers are offered them. */
export const bySymbol = (a: string, b: string): number => ORDER.indexOf(a) - ORDER.indexOf(b);
