import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../lib/clock.ts';
import { COIN_DECIMALS, formatUnits, parseUnits } from '../../lib/money.ts';
import { inOneLine } from '../../lib/shown-text.ts';

/** Network names as wallets show them. A network that is not listed keeps our name. */
const NETWORK_NAMES: Readonly<Record<string, string>> = {
  ethereum: 'Ethereum',
  bsc: 'BNB Smart Chain',
  polygon: 'Polygon',
  base: 'Base',
  arbitrum: 'Arbitrum One',
  optimism: 'OP Mainnet',
  avalanche: 'Avalanche',
  bitcoin: 'Bitcoin',
  regtest: 'Bitcoin (test)',
};
const SHOWN_DECIMALS_MIN = 2;
const HASH_SHOWN = 8;
const ADDRESS_ENDS = 6;
/** As many as a token of ours can have. */
const TOKEN_DECIMALS_MAX = 18;
/** What stands before the first character that is the payer's own: `bcrt1q`, and `0x` of other chains. */
const ADDRESS_HEADS = /^(?:[a-z]+1[a-z]|0x)?.{4}/;

/**
 * A token amount without trailing zeros but with at least two decimals, as a wallet's input field accepts it:
 * `1500.00`.
 */
export function plainAmount(amount: string): string {
  const [whole = '0', fraction = ''] = amount.split('.');
  return `${whole}.${fraction.replace(/0+$/, '').padEnd(SHOWN_DECIMALS_MIN, '0')}`;
}

/** Whether its price in dollars moves. */
export const isCoin = (token: string): boolean => token === 'ETH' || token === 'BTC';

/** An amount of a coin with its first eight decimals. */
export const coinAmount = (amount: string): string => {
  const [whole = '0', fraction = ''] = amount.split('.');
  return `${whole}.${fraction.slice(0, COIN_DECIMALS)}`;
};

/** Amounts of one token added up. */
export const sumOf = (amounts: readonly string[]): string =>
  formatUnits(
    amounts.reduce((sum, amount) => sum + parseUnits(amount, TOKEN_DECIMALS_MAX), 0n),
    TOKEN_DECIMALS_MAX,
  );

/** Whether a decimal string is more than zero. */
export const isPositive = (amount: string): boolean => /[1-9]/.test(amount);

/** A network's display name. */
export const networkText = (network: string): string => NETWORK_NAMES[network] ?? network;

/** The time left as a clock, rounded up to whole seconds: `59:07`, `1:02:03`; never below `0:00`. */
export function clockText(leftMs: number): string {
  const ms = Math.ceil(Math.max(0, leftMs) / SECOND_MS) * SECOND_MS;
  const hours = Math.floor(ms / HOUR_MS);
  const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
  const seconds = Math.floor((ms % MINUTE_MS) / SECOND_MS);
  const two = (value: number): string => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/** A duration in ISO 8601, in whole seconds, for `<time datetime>`: `PT3547S`. */
export const durationAttribute = (leftMs: number): string => `PT${Math.ceil(Math.max(0, leftMs) / SECOND_MS)}S`;

/** Both ends of a hash, enough to recognise it: `0x8a1f0c…3f6038`. */
export const shortHash = (hash: string): string =>
  hash.length > 2 * HASH_SHOWN ? `${hash.slice(0, HASH_SHOWN)}…${hash.slice(2 - HASH_SHOWN)}` : hash;

/** An address in parts: it may break in its middle, and the ends, which people compare, are emphasized. */
export type AddressView = {
  readonly full: string;
  readonly head: string;
  readonly left: string;
  readonly right: string;
  readonly tail: string;
};

/** The parts of an address. */
export function addressView(full: string): AddressView {
  const [head] = ADDRESS_HEADS.exec(full) ?? [''];
  const middle = full.length >> 1;
  return {
    full,
    head,
    left: full.slice(head.length, middle),
    right: full.slice(middle, -ADDRESS_ENDS),
    tail: full.slice(-ADDRESS_ENDS),
  };
}

/** A merchant's initial, in upper case. */
export const initial = (name: string): string => ([...inOneLine(name)][0] ?? '·').toUpperCase();
