import { formatUnits, max, shownUnit } from '../lib/money.ts';
import type { CoinWatch } from '../payments/coin-queries.ts';
import type { Asset } from '../ports/chain.ts';
import type { Flow, Holding, TreasuryBalance } from './queries.ts';

/** A difference between the ledger and a chain that nothing explains: the rule that is broken, about what, and how. */
export type Difference = { readonly rule: string; readonly subject: string; readonly message: string };

/** An amount of a token by its contract and the address that holds it or got it. */
export type Amount = { readonly contract: string; readonly address: string; readonly units: bigint };

/** What a network's treasury, deposit addresses and other contracts hold of one asset, and where it came from. */
export type Figures = {
  readonly token: string;
  readonly treasury: bigint;
  readonly swept: bigint;
  /** Of tokens only: a coin that moves leaves no log, so nobody can tell where the rest of it came from and went. */
  readonly flows?: {
    readonly collected: bigint;
    /** Sent to the treasury by others, for no charge. */
    readonly foreign: bigint;
    readonly spent: bigint;
    /** What the token kept of what was swept. */
    readonly fees?: bigint;
  };
  /** On the deposit addresses that were compared. */
  readonly unswept: bigint;
  /** On contracts that should hold nothing; nobody can get it out. */
  readonly stuck: bigint;
  /** Of the coin only: on deposit addresses of payments that never asked for it. */
  readonly astray?: bigint;
};

/** An amount of a token as decimal text with its symbol. */
const showUnits = (units: bigint, { decimals, symbol }: Asset): string =>
  `${units < 0n ? '-' : ''}${formatUnits(units < 0n ? -units : units, decimals)} ${symbol}`;

/**
 * The holdings that differ from what was credited and not swept, by address and token. Addresses without credits and
 * sweeps should hold nothing. Dust may be there or not: it is not credited, and a node may have invented it. Pure.
 */
export function findHoldings(
  addresses: readonly string[],
  contract: string,
  balances: readonly bigint[],
  came: { readonly credited: readonly Amount[]; readonly swept: readonly Amount[]; readonly dust: readonly Amount[] },
): Holding[] {
  const credited = sumByAddress(came.credited, contract);
  const swept = sumByAddress(came.swept, contract);
  const dust = sumByAddress(came.dust, contract);
  return addresses.flatMap((address, i) => {
    const held = balances[i] ?? 0n;
    const expected = (credited.get(address) ?? 0n) - (swept.get(address) ?? 0n);
    const more = held - expected;
    return more >= 0n && more <= (dust.get(address) ?? 0n) ? [] : [{ contract, address, expected, held }];
  });
}

function sumByAddress(amounts: readonly Amount[], contract: string): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const amount of amounts)
    if (amount.contract === contract) sums.set(amount.address, (sums.get(amount.address) ?? 0n) + amount.units);
  return sums;
}

/**
 * What of the same differs for the coin. What came to an address that is still read may just not be credited yet, and
 * what came to one whose payment never asked for it was anybody's mistake: neither differs. Uncredited coin that a
 * person had swept leaves more swept than credited. `unread`: where more than dust is held, and nobody would credit it.
 * Pure. See decision treasury/coins-that-nobody-looks-for.
 */
export function findCoinHoldings(
  { decimals }: Pick<Asset, 'decimals'>,
  holdings: readonly Holding[],
  watches: ReadonlyMap<string, CoinWatch>,
): { readonly found: readonly Holding[]; readonly astray: bigint; readonly unread: readonly string[] } {
  const found: Holding[] = [];
  const unread: string[] = [];
  let astray = 0n;
  for (const holding of holdings) {
    const expected = max(0n, holding.expected);
    const watch = watches.get(holding.address) ?? 'never';
    if (holding.held < expected || (holding.held > expected && watch === 'ended')) found.push({ ...holding, expected });
    const isNews = holding.expected >= 0n && holding.held - holding.expected >= shownUnit(decimals);
    if (isNews && watch !== 'read') unread.push(holding.address);
    if (watch === 'never') astray += max(0n, holding.held - expected);
  }
  return { found, astray, unread };
}

/** Says what is wrong with a deposit address. */
export function explainHolding({ address, expected, held }: Holding, token: Asset): Difference {
  const more = held - expected;
  const message =
    more > 0n
      ? `it holds ${showUnits(held, token)}, ${showUnits(more, token)} more than was credited and not swept: a deposit that was never credited`
      : `it holds ${showUnits(held, token)}, ${showUnits(-more, token)} less than was credited and not swept: a credit that no transfer on the chain made`;
  return { rule: 'chain.deposit', subject: address, message };
}

/** Says that a treasury does not hold what its transfers leave; undefined when it does. */
export function explainTreasury(
  before: TreasuryBalance,
  flow: Flow | undefined,
  held: bigint,
  token: Asset,
): Difference | undefined {
  const { swept = 0n, direct = 0n, spent = 0n } = flow ?? {};
  const expected = before.units + swept + direct - spent;
  if (expected === held) return undefined;
  const since = `${showUnits(before.units, token)} at block ${before.height}, and ${showUnits(swept + direct, token)} in and ${showUnits(spent, token)} out since`;
  const message = `it holds ${showUnits(held, token)} instead of ${showUnits(expected, token)} (${since})`;
  return { rule: 'chain.treasury', subject: before.treasury, message };
}

/** What a transaction was credited with although the treasury did not get it. Pure. */
export function explainCollected(
  credited: {
    readonly txHash: string;
    readonly contract: string;
    readonly sender: string;
    readonly treasury: string;
    readonly units: bigint;
  },
  got: bigint,
  token: Asset,
): Difference | undefined {
  if (credited.units <= got) return undefined;
  const message = `it was credited with ${showUnits(credited.units, token)} from ${credited.sender}, of which the treasury got ${showUnits(got, token)}`;
  return { rule: 'chain.collected', subject: credited.txHash, message };
}
