import type { BlockRef, Sightings } from '../ports/chain.ts';
import type { ChainReader, ChainView } from '../ports/chain-kind.ts';
import { ContradictionError } from './agreed.ts';
import { NOTHING_BEYOND, readBeyond, readCoins } from './beyond-blocks.ts';
import { createBeyondWatch } from './beyond-watch.ts';
import { releaseNetwork } from './cursors.ts';
import { blameIfBehind, blameIfStale, isOurs } from './endpoint-watch.ts';
import { createFinalityWatch } from './finality.ts';
import { createGlance, IDLE_DEPTH } from './glance.ts';
import { ForeignChainError, keepLease, type Lease, type WatcherDeps } from './lease.ts';
import { createPoolLook } from './pool-look.ts';
import { type Decision, decide, type Known } from './scan.ts';
import { cursorBlock, extend, isOnDemand, LostCursorError, rest, reverse, type Sight } from './steps.ts';
import { UnknownBlockError } from './unknown-block.ts';

/**
 * `behind`: there is more to do at once. `level`: the head is scanned. `idle`: nothing waits, and all that lies deep
 * enough is scanned. `following`: another worker has the lease.
 * `stale`: the node answers, but its answers are old or contradict each other; another node may know better.
 */
export type LookResult = 'behind' | 'level' | 'idle' | 'following' | 'stale';

export type Watcher = {
  /**
   * Looks at the chain once and takes the next step, in one transaction: scans some blocks, reverses what a reorg
   * dropped, or does nothing. May be interrupted anywhere and repeated by any process. Throws when the node or the
   * database does not answer, and ForeignChainError when the node serves another chain. One call at a time.
   */
  readonly look: () => Promise<LookResult>;
  /** Keeps the lease without a look; false when it is lost. Asks no node. Not during a look. */
  readonly keep: () => Promise<boolean>;
  /** Ends the lease, so that another worker can claim it at once. */
  readonly release: () => Promise<void>;
};

type NextStep = Exclude<Decision, { readonly kind: 'look' }>;

/** Full batches in flight at once while catching up; without batches, single calls. */
const BATCHES_AT_ONCE = 4;
const CALLS_AT_ONCE = 16;
/** A transaction takes as many blocks as have about this many sightings. */
const SIGHTINGS_AIM = 4_000;

/** A watcher of one network for one process. Any number of processes may watch the same network on one database. */
export function createWatcher(deps: WatcherDeps): Watcher {
  const views = createViews(deps);
  const steps = createSteps(deps, views);
  let lease: Lease | undefined;

  const release = async (): Promise<void> => {
    lease = undefined;
    await releaseNetwork(deps.db, deps.network.name, deps.worker);
  };

  return {
    look: async () => {
      const view = views.pick();
      const reader = view ?? deps.reader;
      try {
        const isNew = lease === undefined;
        lease = await keepLease({ ...deps, reader }, lease);
        if (lease === undefined) return 'following';
        if (isNew) steps.begin();
        await views.check(view);
        const { height } = lease.cursor;
        const result = await steps.take(lease, reader, view);
        if (lease.cursor.height > height) await steps.extended();
        if (result === 'stale') await release(); // Another worker's node may see more.
        return result;
      } catch (error) {
        views.blameFor(view, error);
        lease = undefined;
        if (error instanceof LostCursorError) return 'following';
        views.leave(view);
        steps.shorten(); // Too much for a node may go through in halves.
        await release().catch(() => undefined); // The database may be what failed; the lease expires by itself.
        if (error instanceof UnknownBlockError) return 'stale';
        throw error;
      }
    },
    keep: async () => {
      if (lease !== undefined) lease = await keepLease(deps, lease);
      return lease !== undefined;
    },
    release,
  };
}

/** What the lease's holder does in a look. */
function createSteps(deps: WatcherDeps, views: ReturnType<typeof createViews>) {
  const finality = createFinalityWatch(deps.db, deps.network, deps.finalityLateAfterMs);
  const glance = createGlance(deps);
  const around = createAround(deps, views);
  const { batchMax, blocksAtOnce } = deps.network;
  const chunkMax = blocksAtOnce ?? (batchMax > 1 ? batchMax * BATCHES_AT_ONCE : CALLS_AT_ONCE);
  let chunk = chunkMax;

  const read = async (
    held: Lease,
    reader: Questions,
    sight: Sight,
    view: ChainView | undefined,
  ): Promise<LookResult> => {
    const decision = await decideNext(reader, held, sight.head, chunk);
    if (decision.kind === 'wait') {
      views.requireNext(view, held, sight.head);
      const whole = await around.see(held, held.cursor, { reader, sight, view });
      if (!(await rest(deps, held, whole))) return 'stale';
      around.stored(whole);
      return 'level';
    }
    if (decision.kind === 'foreign') throw unknownChain(deps);
    if (decision.kind === 'reorg') {
      await reverse(deps, held, decision.ancestor, sight);
      return 'behind';
    }
    const sightings = await reader.listSightings(decision.blocks);
    const whole = await around.see(held, decision.blocks.at(-1), { reader, sight, view, sightings });
    await extend(deps, held, decision.blocks, sightings, whole);
    around.stored(whole);
    const count = sightings.transfers.length + sightings.collector.length + sightings.approvals.length;
    if (count > SIGHTINGS_AIM) chunk = Math.max(1, Math.floor(chunk / 2));
    else if (count < SIGHTINGS_AIM / 4) chunk = Math.min(chunkMax, chunk * 2);
    return held.cursor.height < sight.head.height ? 'behind' : 'level';
  };

  return {
    ...{ begin: around.begin, extended: around.extended },
    shorten: () => {
      chunk = Math.max(1, Math.floor(chunk / 2));
      glance.shorten();
    },
    take: async (held: Lease, reader: Questions, view?: ChainView): Promise<LookResult> => {
      const isIdle = (await deps.isIdle?.()) ?? false;
      const sight = await lookAt(deps, reader, isIdle);
      views.requireAbreast(view, held, sight.head);
      if (sight.confirmations === 'finalized' && !isOnDemand(deps.network))
        await finality.follow(sight.finalized, sight.now);
      if (isIdle) deps.sawHead?.(sight.head);
      const seen = isIdle ? await glance.step(held, reader, sight, views.others(view)) : 'read';
      if (seen === 'idle') await around.late(held, reader, sight, view);
      const result = seen === 'read' ? await read(held, reader, sight, view) : seen;
      if (result === 'stale' && view !== undefined) blameIfStale(deps.network, view, sight.head, sight.now);
      // Where there is nothing to glance at, all blocks are read, and no more often than glances are.
      if (isIdle && result === 'level' && reader.glimpse === undefined) return 'idle';
      return result;
    },
  };
}

type Questions = Omit<ChainReader, 'states' | 'several'>;

type Seeing = {
  readonly reader: Questions;
  readonly sight: Sight;
  readonly view: ChainView | undefined;
  readonly sightings?: Pick<Sightings, 'coinSweeps'>;
};

/** Business time may be moved; what depends on it is asked anew then. */
const QUIET_FOR_MS = 2_000;

/**
 * Remembers that nothing waits at a head. Looks come five times a second on a chain of the sandbox, and what they ask
 * the database about changes only by a new block, by time, or by what a look itself stores, which renews the lease; and
 * that is renewed every two seconds anyway. See decision chains/nothing-new-is-not-asked-again.
 */
function createQuiet() {
  let at: { readonly hash: string; readonly renewedAtMs: number; readonly now: number } | undefined;
  return {
    lasts: ({ renewedAtMs }: Lease, { head, now }: Sight): boolean =>
      at?.hash === head.hash && at.renewedAtMs === renewedAtMs && Math.abs(now.getTime() - at.now) < QUIET_FOR_MS,
    note: ({ renewedAtMs }: Lease, { head, now }: Sight, isQuiet: boolean): void => {
      if (!isQuiet) at = undefined;
      else if (at?.renewedAtMs !== renewedAtMs || at.hash !== head.hash)
        at = { hash: head.hash, renewedAtMs, now: now.getTime() };
    },
  };
}

/** Sees what blocks do not tell. */
function createAround(deps: WatcherDeps, views: ReturnType<typeof createViews>) {
  const pool = createPoolLook(deps);
  const watch = createBeyondWatch(deps);
  const quiet = createQuiet();
  const turnsOf = (view: ChainView | undefined) => ({
    endpoints: views.others(view).length + 1,
    leave: () => views.leave(view),
  });
  return {
    begin: watch.begin,
    /**
     * The same sight with it, if it is of the block that will be the newest scanned one; without it where no endpoint
     * tells.
     */
    see: async (held: Lease, at: Known | undefined, { reader, sight, view, sightings }: Seeing): Promise<Sight> => {
      if (at?.hash !== sight.head.hash) return sight;
      if (deps.network.native === undefined) return { ...sight, beyond: NOTHING_BEYOND };
      const asked = { reader, others: views.others(view) };
      const isSame = quiet.lasts(held, sight);
      const readAt = { block: sight.head, coinSweeps: sightings?.coinSweeps, isSame };
      const beyond = await watch.attempt(() => readBeyond(deps, pool, asked, readAt), turnsOf(view));
      quiet.note(held, sight, beyond?.coins === null && pool.hadNone());
      return beyond === undefined ? sight : { ...sight, beyond };
    },
    /** An idle network is read below its head, and coins that come late are looked for there. */
    late: async (held: Lease, reader: Questions, sight: Sight, view: ChainView | undefined): Promise<void> => {
      if (deps.network.native === undefined) return;
      const readAt = { block: cursorBlock(held) };
      const coins = await watch.attempt(() => readCoins(deps, reader, readAt), turnsOf(view));
      if (coins) await rest(deps, held, { ...sight, beyond: { ...NOTHING_BEYOND, coins } }, true);
    },
    /** Call once blocks are stored, which makes sure that the list lacks nothing that payers may use. */
    extended: async (): Promise<void> => {
      if (deps.network.native === undefined) await watch.end();
    },
    /** Call once a sight is stored. */
    stored: ({ beyond }: Sight): void => {
      if (beyond?.pool) pool.stored();
    },
  };
}

/** The endpoints of the network, of which each look asks one; undefined where there is but one. */
function createViews({ db, network, reader }: WatcherDeps) {
  const checked = new Set<ChainView>();
  let lacking: { readonly view: ChainView | undefined; readonly height: number } | undefined;
  return {
    pick: (): ChainView | undefined => reader.several?.pick(),
    leave: (view: ChainView | undefined): void => {
      if (view !== undefined) reader.several?.leave(view);
    },
    /** Those that a look does not ask. */
    others: (view: ChainView | undefined): readonly ChainView[] =>
      (reader.several?.all ?? []).filter((each) => each !== view),
    /** Throws unless the endpoint serves the chain that was scanned; asked once of each. */
    check: async (view: ChainView | undefined): Promise<void> => {
      if (view === undefined || checked.has(view)) return;
      if (!(await isOurs(db, network, view))) throw new Error(`${network.name}: ${view.name} serves another chain`);
      checked.add(view);
    },
    /** Throws for an endpoint that lags while another one can be asked: what its fork shows decides nothing. */
    requireAbreast: (view: ChainView | undefined, { cursor }: Lease, head: BlockRef): void => {
      if (view === undefined || !blameIfBehind(network, view, cursor.height, head)) return;
      if (reader.several?.pick() !== view) throw new Error(`${network.name}: ${view.name} is behind`);
    },
    /**
     * Throws for an endpoint that twice in a row shows a head and not the block after the cursor; once is how a block
     * looks that is still on its way between the nodes of a provider.
     */
    requireNext: (view: ChainView | undefined, { cursor }: Lease, head: BlockRef): void => {
      const height = cursor.height + 1;
      const again = lacking?.view === view && lacking?.height === height;
      lacking = head.height >= height ? { view, height } : undefined;
      if (lacking === undefined || !again) return;
      const message = `${view?.name ?? 'the node'} shows block ${head.height} and has no block ${height} of ${network.name}`;
      view?.blame('contradicts', message);
      throw new Error(`${network.name}: ${message}`);
    },
    blameFor: (view: ChainView | undefined, error: unknown): void => {
      if (error instanceof UnknownBlockError)
        view?.blame('behind', `${view.name} does not know a block that it has just shown of ${network.name}`);
      if (error instanceof ContradictionError) view?.blame('contradicts', error.message);
      if (!(error instanceof ForeignChainError) || view === undefined) return;
      view.blame('foreign', error.message);
      checked.delete(view);
    },
  };
}

/** Reads the final block first: a block that is final before the head is read lies below that head. */
async function lookAt(
  { network, now, confirmationsOn }: WatcherDeps,
  reader: Questions,
  isIdle: boolean,
): Promise<Sight> {
  const before = now();
  const confirmations = await confirmationsOn(network);
  const finalized = confirmations === 'finalized' ? await reader.findFinalized() : undefined;
  const idleDepth = isIdle ? IDLE_DEPTH : null;
  return { head: await reader.getHead(), finalized, now: before, confirmations, idleDepth };
}

/** Fetches the blocks that the decision needs until there is one. */
async function decideNext(reader: Questions, lease: Lease, head: BlockRef, chunk: number): Promise<NextStep> {
  const fetched = new Map<number, BlockRef | undefined>();
  for (;;) {
    const decision = decide(lease.known, head, fetched, chunk);
    if (decision.kind !== 'look') return decision;
    const blocks = await reader.findBlocks(decision.heights);
    for (const [i, height] of decision.heights.entries()) fetched.set(height, blocks[i]);
  }
}

const unknownChain = ({ network }: WatcherDeps): ForeignChainError =>
  new ForeignChainError(
    `The node of network ${network.name} has none of the blocks that were scanned: is it still synchronising?`,
  );
