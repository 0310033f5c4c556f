import { untilTwoAgree } from '../chains/agreed.ts';
import { isReplaced } from '../chains/cursors.ts';
import { beginAgain, pauseOf, UnknownBlockError } from '../chains/unknown-block.ts';
import { inSnapshot, inTransaction } from '../db/transaction.ts';
import { after, DAY_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import { firstIdAt } from '../lib/ids.ts';
import { formatUnits, MICRO_DECIMALS } from '../lib/money.ts';
import { readCoinWatches, seekCoins } from '../payments/coin-queries.ts';
import { sumDust } from '../payments/dust.ts';
import {
  listCollected,
  listDepositAddresses,
  listUnswept,
  markCollected,
  sumCollected,
  sumCredited,
  sumElsewhere,
} from '../payments/swept.ts';
import { assetsOf, isToken } from '../ports/assets.ts';
import type { Asset, Network } from '../ports/chain.ts';
import type { TreasuryReader } from '../ports/treasury.ts';
import {
  type Difference,
  explainCollected,
  explainHolding,
  explainTreasury,
  type Figures,
  findCoinHoldings,
  findHoldings,
} from './explain.ts';
import { type Followed, followTreasury, reviewSwept, type TreasuryDeps } from './follow.ts';
import {
  type Flow,
  findRotation,
  findTreasuryCursor,
  type Holding,
  listBalances,
  listSweptBetween,
  listUnexplained,
  saveBalance,
  saveRotation,
  saveUnexplained,
  sumDirect,
  sumFlows,
  sumSwept,
} from './queries.ts';

/** A network compared with its chain in the state after one block. */
export type Comparison = {
  readonly network: string;
  readonly block: { readonly height: number; readonly hash: string };
  /** How many deposit addresses were looked at. */
  readonly addresses: number;
  readonly figures: readonly Figures[];
  readonly differences: readonly Difference[];
};

export type CompareOptions = {
  /** Business time. */
  readonly now: Date;
  readonly signal?: AbortSignal;
  /** Compares every deposit address there ever was, instead of some of the older ones. */
  readonly all?: boolean;
};

/** Deposit addresses of one call for each token. */
const PAGE = 1000;
const BLOCKS_A_SUM = 1_000_000;
/** Addresses that were made this lately are compared each time: most money that arrives comes to them. */
const RECENT_MS = 3 * DAY_MS;
/** Of the older ones that should hold nothing, this many are compared each time, in turn. */
const ROTATION = 50_000;

/**
 * Compares the ledger with a network's chain, in the state after the newest scanned block: each deposit address holds
 * what was credited and not swept, each collected charge reached the treasury, and each treasury holds what its
 * transfers leave. Asks only about addresses that may hold something, that are recent or were just swept, and some of
 * the others in turn. Undefined where there is nothing to compare. Begins again when the chain is reorganised
 * meanwhile; rejects when the node does not answer as it should.
 */
export async function compareWithChain(
  deps: TreasuryDeps,
  network: Network,
  options: CompareOptions,
): Promise<Comparison | undefined> {
  return beginAgain(
    async () => {
      const followed = await followTreasury(deps, network, options.now, options.signal);
      return followed && (await compareAt(deps, followed, options));
    },
    pauseOf(network, options.signal),
  );
}

/** What was credited on networks that this configuration does not list: nothing says that any chain has it. */
export async function findUnlisted(
  { db }: Pick<TreasuryDeps, 'db'>,
  networks: readonly Network[],
): Promise<Difference[]> {
  const found = await sumElsewhere(
    db,
    networks.map(({ name }) => name),
  );
  return found.map(({ network, token, credits, micro }) => ({
    rule: 'chain.unlisted',
    subject: network,
    message:
      `${credits} transfers of ${token}, booked with ${formatUnits(micro, MICRO_DECIMALS)}, were credited on this network, ` +
      'and are not known to have reached a treasury; no network of that name is configured, so no chain can be asked',
  }));
}

async function compareAt(deps: TreasuryDeps, followed: Followed, options: CompareOptions): Promise<Comparison> {
  const { network, at } = followed;
  const { db } = deps;
  const collected = await compareCollected(deps, followed, options);
  const treasury = await compareTreasuries(deps, followed);
  const holdings = new Map<string, Holding>();
  const compared = new Set<string>();
  const lying = new Map<string, Lying>();
  const unread: string[] = [];
  let rotatedTo: string | undefined;
  for await (const page of listPages(deps, followed, options)) {
    options.signal?.throwIfAborted();
    rotatedTo = page.rotatedTo ?? rotatedTo;
    const fresh = page.addresses.filter((address) => !compared.has(address));
    if (fresh.length === 0) continue;
    for (const address of fresh) compared.add(address);
    await reviewSwept(db, network, fresh, options.now);
    for (const { contract, held, astray, ...page } of await comparePage(deps, followed, fresh)) {
      const before = lying.get(contract) ?? NOTHING;
      lying.set(contract, { unswept: before.unswept + held, astray: before.astray + astray });
      unread.push(...page.unread);
      for (const holding of page.found) holdings.set(`${holding.contract} ${holding.address}`, holding);
    }
  }
  const found = [...holdings.values()];
  await inTransaction(db, async (trx) => {
    await saveUnexplained(trx, network.name, [...compared], found, at.height, options.now);
    await seekCoins(trx, network, unread, options.now);
  });
  if (rotatedTo !== undefined) await saveRotation(db, network.name, rotatedTo);
  const assets = new Map(assetsOf(network).map((asset) => [asset.contract, asset]));
  return {
    network: network.name,
    block: { height: at.height, hash: at.hash },
    addresses: compared.size,
    figures: treasury.figures.map(({ contract, ...figures }) => {
      const { unswept, astray } = lying.get(contract) ?? NOTHING;
      return { ...figures, unswept, ...(figures.flows ? {} : { astray }) };
    }),
    differences: [
      ...collected,
      ...treasury.differences,
      ...found.map((holding) => explainHolding(holding, assets.get(holding.contract) as Asset)),
    ],
  };
}

/** What lies on the deposit addresses that were compared, and what of it nobody asked for. */
type Lying = { readonly unswept: bigint; readonly astray: bigint };
const NOTHING: Lying = { unswept: 0n, astray: 0n };

async function comparePage({ db }: TreasuryDeps, { network, reader, at }: Followed, addresses: readonly string[]) {
  const facts = await inSnapshot(db, async (trx) => {
    if (await isReplaced(trx, network.name, at)) throw new UnknownBlockError(network.name);
    return {
      credited: await sumCredited(trx, network, addresses, at.height),
      swept: await sumSwept(trx, network.name, addresses, at.height),
      dust: await sumDust(trx, network.name, addresses, at.height),
      watches: network.native === undefined ? new Map() : await readCoinWatches(trx, network, addresses),
    };
  });
  return Promise.all(
    assetsOf(network).map(async (asset) => {
      const { contract } = asset;
      const answer = await reader.readBalances(contract, addresses, at);
      const find = (balances: readonly bigint[]) => findHoldings(addresses, contract, balances, facts);
      const doubtful = find(answer).map(({ address }) => address);
      const again = () => reader.readBalances(contract, doubtful, at);
      const sure = doubtful.length > 0 ? await untilTwoAgree(at, again) : [];
      const balances = addresses.map((address, i) => sure[doubtful.indexOf(address)] ?? answer[i] ?? 0n);
      const differing = find(balances);
      const judged = isToken(asset)
        ? { found: differing, astray: 0n, unread: [] }
        : findCoinHoldings(asset, differing, facts.watches);
      return { ...judged, contract, held: total(balances) };
    }),
  );
}

/**
 * The treasuries against their transfers; a treasury's first balance is taken as it is. Of the coin only what was swept
 * is known, so it is a figure: see decision treasury/coin-of-treasuries.
 */
async function compareTreasuries({ db }: TreasuryDeps, { network, reader, at }: Followed) {
  const known = await listBalances(db, network.name);
  const { ever, fees, credited } = await sumEver(db, network, reader, at.height);
  const differences: Difference[] = [];
  const figures: (Omit<Figures, 'unswept'> & { readonly contract: string })[] = [];
  for (const asset of assetsOf(network)) {
    const { contract, symbol } = asset;
    const holders = [...reader.treasuries, ...reader.passages];
    const balances = await untilTwoAgree(at, () => reader.readBalances(contract, holders, at));
    const sum = (pick: 'swept' | 'direct' | 'spent'): bigint =>
      total(ever.flatMap((flow) => (flow.contract === contract ? [flow[pick]] : [])));
    const holds = {
      treasury: total(balances.slice(0, reader.treasuries.length)),
      stuck: total(balances.slice(reader.treasuries.length)),
    };
    if (!isToken(asset)) {
      figures.push({ contract, token: symbol, swept: sum('swept'), ...holds });
      continue;
    }
    for (const [i, treasury] of reader.treasuries.entries()) {
      const held = balances[i] ?? 0n;
      const before = known.find((each) => each.contract === contract && each.treasury === treasury);
      const flows = await sumFlows(db, network.name, before?.height ?? at.height, at.height);
      const flow = flows.find((each) => each.contract === contract && each.treasury === treasury);
      const difference = before && explainTreasury(before, flow, held, asset);
      if (difference) differences.push(difference);
      else await agree({ db }, { network, at }, { contract, treasury, held });
    }
    const collected = total(credited.flatMap((each) => (each.contract === contract ? [each.units] : [])));
    const kept = total(fees.flatMap((each) => (each.contract === contract ? [each.swept] : [])));
    const flows = {
      ...{ collected, foreign: sum('direct') - collected, spent: sum('spent') },
      ...(kept > 0n && { fees: kept }),
    };
    figures.push({ contract, token: symbol, swept: sum('swept'), ...holds, flows });
  }
  return { differences, figures };
}

/** Everything since the first block that was read; in pieces, so that no statement runs long. */
async function sumEver(db: Db, { name }: Network, { treasuries }: TreasuryReader, height: number) {
  const ever: Flow[] = [];
  const credited: { readonly contract: string; readonly units: bigint }[] = [];
  const first = (await findTreasuryCursor(db, name))?.firstHeight ?? 0;
  for (let after = first - 1; after < height; after += BLOCKS_A_SUM) {
    const to = Math.min(after + BLOCKS_A_SUM, height);
    ever.push(...(await sumFlows(db, name, after, to)));
    credited.push(...(await sumCollected(db, name, treasuries, { after, to })));
  }
  const isOurs = ({ treasury }: Flow): boolean => treasuries.includes(treasury);
  return { ever: ever.filter(isOurs), fees: ever.filter((flow) => !isOurs(flow)), credited };
}

const total = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, units) => sum + units, 0n);

/**
 * Notes a balance as it was after the newest confirmed block: what later blocks changed is taken back, because those
 * may be replaced.
 */
async function agree(
  { db }: Pick<TreasuryDeps, 'db'>,
  { network, at }: Pick<Followed, 'network' | 'at'>,
  { contract, treasury, held }: { readonly contract: string; readonly treasury: string; readonly held: bigint },
): Promise<void> {
  const height = Math.min(at.confirmedHeight, at.height);
  await inTransaction(db, async (trx) => {
    // A reorg of confirmed blocks lowers that cursor and the balances together, or waits until this one is noted.
    await findTreasuryCursor(trx, network.name, true);
    if (await isReplaced(trx, network.name, at)) throw new UnknownBlockError(network.name);
    const flows = await sumFlows(trx, network.name, height, at.height);
    const {
      swept = 0n,
      direct = 0n,
      spent = 0n,
    } = flows.find((each) => each.contract === contract && each.treasury === treasury) ?? {};
    await saveBalance(trx, network.name, { contract, treasury, height, units: held - swept - direct + spent });
  });
}

/** The collected charges that are not known yet to have reached the treasury. */
async function compareCollected(
  { db }: TreasuryDeps,
  { network, reader, at }: Followed,
  { now }: CompareOptions,
): Promise<Difference[]> {
  const differences: Difference[] = [];
  const tokens = new Map(network.tokens.map((token) => [token.contract, token]));
  for (let last = ''; ; ) {
    const credited = await listCollected(db, network.name, reader.treasuries, last, PAGE);
    const hashes = [...new Set(credited.map(({ txHash }) => txHash))];
    last = hashes.at(-1) ?? last;
    const brought = await sumDirect(db, network.name, hashes, at.height);
    const wrong = new Set<string>();
    for (const each of credited) {
      const got = brought.find(
        ({ txHash, contract, party, treasury }) =>
          txHash === each.txHash && contract === each.contract && party === each.sender && treasury === each.treasury,
      );
      const token = tokens.get(each.contract);
      const difference = token && explainCollected(each, got?.units ?? 0n, token);
      if (difference) differences.push(difference);
      if (difference || !token) wrong.add(each.txHash);
    }
    const there = hashes.filter((hash) => !wrong.has(hash));
    if (there.length > 0) {
      await inTransaction(db, (trx) => markCollected(trx, network.name, reader.treasuries, there, now));
    }
    if (hashes.length < PAGE) return differences;
  }
}

type Page = { readonly addresses: readonly string[]; readonly rotatedTo?: string };

/** The addresses to compare, page by page; some occur more than once. */
async function* listPages(deps: TreasuryDeps, followed: Followed, options: CompareOptions): AsyncGenerator<Page> {
  const { db } = deps;
  const { network, reader, at, before } = followed;
  const own = new Set(reader.treasuries);
  yield { addresses: await listUnexplained(db, network.name) };
  yield* byAddress(
    (last) => listUnswept(db, network.name, last, PAGE),
    (address) => !own.has(address),
  );
  yield* byAddress((last) => listSweptBetween(db, network.name, { after: before, to: at.height }, last, PAGE));
  const recent = options.all ? '' : firstIdAt('payment', after(options.now, -RECENT_MS));
  for (let last = recent; ; ) {
    const page = await listDepositAddresses(db, network.kind, last, PAGE);
    yield { addresses: page.map(({ address }) => address) };
    last = page.at(-1)?.paymentId ?? last;
    if (page.length < PAGE) break;
  }
  if (!options.all) yield* inTurn(deps, network, recent);
}

async function* byAddress(
  list: (last: string) => Promise<string[]>,
  keep: (address: string) => boolean = () => true,
): AsyncGenerator<Page> {
  for (let last = ''; ; ) {
    const page = await list(last);
    yield { addresses: page.filter(keep) };
    last = page.at(-1) ?? last;
    if (page.length < PAGE) return;
  }
}

/** The next of the older addresses; after the last one the first. */
async function* inTurn({ db }: TreasuryDeps, network: Network, recent: string): AsyncGenerator<Page> {
  let last = await findRotation(db, network.name);
  for (let done = 0; done < ROTATION; done += PAGE) {
    const page = await listDepositAddresses(db, network.kind, last, PAGE);
    const older = page.filter(({ paymentId }) => paymentId < recent);
    last = older.length < PAGE ? '' : (older.at(-1)?.paymentId ?? '');
    yield { addresses: older.map(({ address }) => address), rotatedTo: last };
    if (last === '') return;
  }
}
