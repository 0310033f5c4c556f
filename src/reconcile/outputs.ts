import { findCursor, findFirstScanned, isScanned } from '../chains/cursors.ts';
import { beginAgain, pauseOf, UnknownBlockError } from '../chains/unknown-block.ts';
import { inSnapshot, inTransaction } from '../db/transaction.ts';
import { after, DAY_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import { findDepositAddresses, markSpent, markUnspent } from '../payments/swept.ts';
import type { Asset, BlockPlace, BlockRef, Network } from '../ports/chain.ts';
import type { ChainReader, Chains } from '../ports/chain-kind.ts';
import { findTreasuryCursor, moveTreasuryCursor, OUTPUTS, startCursor } from '../treasury/queries.ts';
import { type CreditedOutput, examineOutputs, examineUnspent, type OutputFinding } from './examine-outputs.ts';
import type { Finding } from './finding.ts';
import { listCreditsIn, listSpentCredits, listUnspentCredits, type SpentOutput } from './output-facts.ts';

export type OutputDeps = { readonly db: Db; readonly chains: Pick<Chains, 'kindOf'> };

/** A network whose money lies in outputs, compared with its chain. */
export type OutputComparison = {
  readonly network: string;
  readonly coin: Asset;
  readonly block: BlockPlace;
  /** How many blocks were read again. */
  readonly blocks: number;
  /** The outputs to deposit addresses in them. */
  readonly outputs: number;
  /** What lies on credited outputs, in base units. */
  readonly unspent: bigint;
  /** What the platform's wallet has spent since the comparison before. */
  readonly spent: bigint;
  readonly differences: readonly Finding[];
};

type Options = {
  readonly now: Date;
  readonly signal?: AbortSignal;
  /** Asks about every output that was ever spent. */
  readonly all?: boolean;
};

/** A network in the middle of a comparison. */
type Compared = {
  readonly network: Network;
  readonly coin: Asset;
  readonly reader: ChainReader;
  /** The newest scanned block, and how far below it blocks are confirmed. */
  readonly at: BlockPlace & { readonly confirmedHeight: number };
};

/** Blocks in memory at once; a full one of Bitcoin is four megabytes as it arrives. */
const BLOCKS_A_STEP = 4;
const OUTPUTS_A_PAGE = 500;
/** So long an output that counts as spent is asked about again. */
const SPENT_AGAIN_MS = 3 * DAY_MS;

/**
 * Compares the ledger with a chain whose money lies in outputs, such as Bitcoin. Reads the blocks since the last
 * comparison again: each output to a deposit address is credited, and each credit of these blocks is such an output.
 * Then asks the node's state for each credited output that is not known to be spent, or lately was. A block with a
 * finding is read again each time until it is explained. Undefined where there is nothing to compare: the network was
 * never scanned, or its money does not lie in outputs. Begins again when the chain is reorganised meanwhile; rejects
 * when the node does not answer as it should. See decision reconcile/blocks-are-read-again.
 */
export async function compareOutputs(
  deps: OutputDeps,
  network: Network,
  options: Options,
): Promise<OutputComparison | undefined> {
  const reader = deps.chains.kindOf(network).openReader(network);
  const { native: coin } = network;
  if (reader.readUnspent === undefined || coin === undefined) return undefined;
  return beginAgain(
    async () => {
      const at = await findCursor(deps.db, network.name);
      if (at === undefined) return undefined;
      const compared: Compared = { network, coin, reader, at };
      const blocks = await compareBlocks(deps, compared, options);
      const state = await compareState(deps, compared, options);
      return {
        ...{ network: network.name, coin, block: { height: at.height, hash: at.hash } },
        ...{ blocks: blocks.blocks, outputs: blocks.outputs, unspent: state.unspent, spent: state.spent },
        differences: [...blocks.differences, ...state.differences],
      };
    },
    pauseOf(network, options.signal),
  );
}

async function compareBlocks({ db }: OutputDeps, compared: Compared, { signal }: Options) {
  const { network, at } = compared;
  const start = await findStart(db, network.name, at.confirmedHeight);
  const found: OutputFinding[] = [];
  let [outputs, last]: [number, BlockRef | undefined] = [0, undefined];
  for (let from = start + 1; from <= at.height; from += BLOCKS_A_STEP) {
    signal?.throwIfAborted();
    const to = Math.min(from + BLOCKS_A_STEP - 1, at.height);
    const blocks = await readChain(compared, from, to, last);
    last = blocks.at(-1);
    const ours = await findOurs(db, compared, blocks);
    const credits = await inSnapshot(db, async (trx) => {
      if (!(await isScanned(trx, network.name, at))) throw new UnknownBlockError(network.name);
      return listCreditsIn(trx, network.name, from, to);
    });
    found.push(...examineOutputs(ours, credits, compared.coin));
    outputs += ours.length;
  }
  if (last !== undefined && last.hash !== at.hash) throw new UnknownBlockError(network.name);
  await moveCursor(db, compared, found);
  return { blocks: at.height - start, outputs, differences: found.map(({ finding }) => finding) };
}

/** The block after which to begin: what is compared already, or the first that was ever scanned. */
async function findStart(db: Db, network: string, confirmedHeight: number): Promise<number> {
  const found = await findTreasuryCursor(db, network);
  if (found?.watched === OUTPUTS) return found.height;
  const first = (await findFirstScanned(db, network)) ?? confirmedHeight + 1;
  const cursor = { watched: OUTPUTS, firstHeight: first, height: first - 1 };
  await startCursor(db, network, cursor);
  return cursor.height;
}

/** The blocks of these heights, each upon the one before. */
async function readChain(
  { network, reader }: Compared,
  from: number,
  to: number,
  before: BlockRef | undefined,
): Promise<BlockRef[]> {
  const heights = Array.from({ length: to - from + 1 }, (_, i) => from + i);
  const blocks = await reader.findBlocks(heights);
  let parent = before;
  return blocks.map((block) => {
    if (block === undefined || (parent !== undefined && block.parentHash !== parent.hash)) {
      throw new UnknownBlockError(network.name);
    }
    parent = block;
    return block;
  });
}

/** The outputs of these blocks that pay deposit addresses. */
async function findOurs(db: Db, { network, reader }: Compared, blocks: readonly BlockRef[]) {
  const { transfers } = await reader.listSightings(blocks);
  const paid = transfers.filter(({ units }) => units > 0n);
  const ours = new Set(await findDepositAddresses(db, network.kind, [...new Set(paid.map(({ to }) => to))]));
  return paid.filter(({ to }) => ours.has(to));
}

/**
 * Notes how far blocks are compared: up to what is confirmed, and to before the first finding. A reorg of such blocks
 * moves it back in the commit that moves the watcher's cursor (`treasuryMatcher`), so it is moved only while that one
 * stands where it stood.
 */
async function moveCursor(db: Db, { network, at }: Compared, found: readonly OutputFinding[]): Promise<void> {
  const height = Math.min(at.confirmedHeight, at.height, ...found.map((each) => each.height - 1));
  await inTransaction(db, async (trx) => {
    await findTreasuryCursor(trx, network.name, true);
    if (!(await isScanned(trx, network.name, at))) throw new UnknownBlockError(network.name);
    await moveTreasuryCursor(trx, network.name, OUTPUTS, height);
  });
}

type State = { unspent: bigint; spent: bigint; readonly differences: Finding[] };

/** Asks what lies on credited outputs: on all that are not known to be spent, and on those that lately were. */
async function compareState(deps: OutputDeps, compared: Compared, options: Options): Promise<State> {
  const state: State = { unspent: 0n, spent: 0n, differences: [] };
  await compareUnspent(deps, compared, options, state);
  await compareSpent(deps, compared, options, state);
  return state;
}

async function compareUnspent({ db }: OutputDeps, compared: Compared, { now, signal }: Options, state: State) {
  const { network, at } = compared;
  for (let last: Pick<CreditedOutput, 'to' | 'id'> = { to: '', id: '' }; ; ) {
    signal?.throwIfAborted();
    const page = await listUnspentCredits(db, network.name, at.height, last, OUTPUTS_A_PAGE);
    if (page.length === 0) return;
    const { gone } = await readState(compared, page, state);
    const spent = gone.filter(({ confirmed }) => confirmed);
    state.spent += spent.reduce((sum, { units }) => sum + units, 0n);
    await markSpent(db, idsOf(spent), now);
    last = page.at(-1) ?? last;
  }
}

/** What was spent in a block that a reorg took lies there again. See decision reconcile/spent-is-asked-again. */
async function compareSpent({ db }: OutputDeps, compared: Compared, { now, signal, all }: Options, state: State) {
  const { network, at } = compared;
  const since = all ? new Date(0) : after(now, -SPENT_AGAIN_MS);
  for (let last: SpentOutput | undefined; ; ) {
    signal?.throwIfAborted();
    const page = await listSpentCredits(db, network.name, at.height, { since, now, after: last }, OUTPUTS_A_PAGE);
    if (page.length === 0) return;
    const { there } = await readState(compared, page, state);
    await markUnspent(db, idsOf(there));
    last = page.at(-1);
  }
}

/** Which of these outputs lie there. Adds up what they hold, and notes what differs from what was credited. */
async function readState({ coin, reader, at }: Compared, outputs: readonly CreditedOutput[], state: State) {
  const states = (await reader.readUnspent?.(outputs, at)) ?? [];
  const [there, gone]: [CreditedOutput[], CreditedOutput[]] = [[], []];
  for (const [i, credit] of outputs.entries()) {
    const found = states[i] ?? null;
    (found ? there : gone).push(credit);
    if (found === null) continue;
    state.unspent += found.units;
    const difference = examineUnspent(credit, found, coin);
    if (difference) state.differences.push(difference);
  }
  return { there, gone };
}

const idsOf = (credits: readonly CreditedOutput[]): string[] => credits.map(({ id }) => id);
