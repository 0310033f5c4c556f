import { openIncident, resolveIncidents } from '../incidents/incidents.ts';
import { doubled, monotonicMs } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import { inTime } from '../lib/in-time.ts';
import { telling, WORK } from '../lib/work.ts';
import { assetsOf } from '../ports/assets.ts';
import type { Confirmations, Matcher, Network, Waiting } from '../ports/chain.ts';
import type { ChainReader, Chains } from '../ports/chain-kind.ts';
import { type Lag, listLags, openBlindIncident } from './cursors.ts';
import { createEndpointWatch, type EndpointWatch, isOurs } from './endpoint-watch.ts';
import { createHints } from './hints.ts';
import { checkChain, ForeignChainError, type WatcherDeps } from './lease.ts';
import { createPace, type IdlePace, type Pace } from './pace.ts';
import type { Reach } from './reach.ts';
import { ListChangedError, withUnlisted } from './steps.ts';
import { createWatcher, type LookResult, type Watcher } from './watcher.ts';

export type WatchJobDeps = {
  readonly db: Db;
  readonly networks: readonly Network[];
  readonly chains: Pick<Chains, 'kindOf'>;
  readonly matchers: readonly Matcher[];
  /** How deep a block of the network must lie at present to be confirmed. */
  readonly confirmationsOn: (network: Network) => Promise<Confirmations>;
  /** Business time. */
  readonly now: () => Date;
  /** Wall time. */
  readonly real: () => Date;
  /** This process's name among those that watch on the same database. */
  readonly worker: string;
  readonly log: (error: unknown, message: string) => void;
  /** What payers may use on a network although its list lacks it; absent: there is nothing. */
  readonly listUnlisted?: WatcherDeps['listUnlisted'];
  /** What waits for what happens on a network; absent: something always does, and no network is ever idle. */
  readonly waiting?: readonly Waiting[];
  readonly idlePace?: Partial<IdlePace>;
  /** How long a chain may show nothing new before an incident opens; 30 minutes by default. */
  readonly blindAfterMs?: number;
};

export type WatchJob = {
  /**
   * Throws one sentence with its cure when a node serves another chain than the one that was scanned. A node that does
   * not answer is no failure: its watcher waits for it. Networks that are closed already are not asked.
   */
  readonly check: (reach?: Pick<Reach, 'isClosed'>) => Promise<void>;
  /** Starts watching all networks, each in its own loop. */
  readonly start: () => void;
  /** Ends the loops after their current steps, for which it waits three seconds, and releases the leases. */
  readonly stop: () => Promise<void>;
  /** Makes every loop look at its chain now. */
  readonly poke: () => void;
  /** How far the scan of each network is behind, whichever process scans it. */
  readonly lag: (db?: Db) => Promise<Lag[]>;
};

const BLIND_AFTER_MS = 30 * 60_000;
const BACKOFF_MAX_MS = 10_000;
const FOLLOW_EVERY_MS = 500;
const CHECK_WITHIN_MS = 5_000;
/** How long a stop waits for nodes. What a look would store afterwards fails with the closed pool, and is not lost. */
const STOP_WITHIN_MS = 3_000;

/** Watches every network until stopped; no error ends a loop. Several processes may watch on one database. */
export function createWatchJob(deps: WatchJobDeps): WatchJob {
  const readers = deps.networks.map((network) => ({
    network,
    reader: deps.chains.kindOf(network).openReader(network),
    pauses: createPauses(),
  }));
  let stopListening: readonly (() => void)[] = [];
  let loops: readonly Promise<void>[] = [];
  return {
    check: async (reach) => {
      const checks = readers.map(async ({ network, reader }) => {
        if (reach?.isClosed(network.name)) return;
        try {
          await inTime(checkEndpoints(deps.db, network, reader), CHECK_WITHIN_MS);
        } catch (error) {
          if (error instanceof ForeignChainError) throw error;
          deps.log(error, `${network.name}: the chain could not be checked; its watcher will go on trying`);
        }
      });
      await Promise.all(checks);
    },
    start: () => {
      if (loops.length > 0) return;
      loops = readers.map(({ network, reader, pauses }) =>
        watch(deps, open(deps, network, reader, createPace(deps, network)), pauses),
      );
      stopListening = readers.flatMap(({ reader, pauses }) => {
        const stop = reader.listen?.(pauses.hints.hear, (message) => deps.log(undefined, message));
        return stop ? [stop] : [];
      });
    },
    stop: async () => {
      for (const stop of stopListening) stop();
      for (const { pauses } of readers) pauses.end();
      await inTime(Promise.all(loops), STOP_WITHIN_MS).catch(() => undefined);
    },
    poke: () => {
      for (const { pauses } of readers) pauses.wake();
    },
    lag: (db = deps.db) =>
      listLags(
        db,
        deps.networks.map(({ name }) => name),
      ),
  };
}

/**
 * Throws ForeignChainError when no endpoint serves the chain that was scanned; one that does is enough. Throws another
 * error when none answers.
 */
async function checkEndpoints(db: Db, network: Network, reader: ChainReader): Promise<void> {
  const views = reader.several?.all;
  if (views === undefined) return void (await checkChain(db, network, reader));
  const ours = await Promise.allSettled(views.map((view) => isOurs(db, network, view)));
  if (ours.some((each) => each.status === 'fulfilled' && each.value)) return;
  const message = views.map((view) => view.trouble()?.message ?? `${view.name} does not answer`).join(' ');
  throw ours.every(({ status }) => status === 'fulfilled') ? new ForeignChainError(message) : new Error(message);
}

type Watched = {
  readonly network: Network;
  readonly reader: ChainReader;
  readonly pace: Pace;
  readonly watcher: Watcher;
};

const open = (deps: WatchJobDeps, network: Network, reader: ChainReader, pace: Pace): Watched => ({
  ...{ network, reader, pace },
  watcher: createWatcher({ ...deps, network, reader, isIdle: pace.isIdle, sawHead: pace.sawHead }),
});

async function watch(deps: WatchJobDeps, watched: Watched, pauses: Pauses): Promise<void> {
  const { network, reader, watcher } = watched;
  const endpoints = createEndpointWatch(deps.db, network, reader);
  const startedAt = deps.real();
  let failures = 0;
  let sees: boolean | undefined;
  while (!pauses.ended()) {
    const wakes = pauses.wakes();
    pauses.hints.lookBegins();
    const looking = telling(WORK.job, () => ({ job: `watch ${network.name}` }), watcher.look);
    const result = await looking.catch((error: unknown) => {
      if (error instanceof ListChangedError) return error;
      if (!pauses.ended()) deps.log(error, `${network.name}: the chain could not be read`);
      return 'failed' as const;
    });
    if (pauses.ended()) break;
    if (result instanceof ListChangedError) return watch(deps, await widen(deps, watched, result), pauses);
    failures = result === 'failed' ? failures + 1 : 0;
    sees = await followBlindness(deps, network, result, sees, startedAt);
    if (result !== 'following') await followEndpoints(deps, network, endpoints);
    // Nothing waits on an idle network, and a failure is waited out: only where all is well a hint brings anything.
    pauses.hints.lookEnds(result === 'level');
    const another = failures < (reader.several?.all.length ?? 1) && reader.several?.pick().restsMs() === 0;
    // Another endpoint is well, so there is no reason to wait.
    if (result === 'failed' && another) continue;
    if (result === 'idle') await idle(watched, pauses, wakes);
    else if (result !== 'behind') await pauses.pause(delayAfter(network, result, failures), wakes);
  }
  await watcher.release().catch(() => undefined); // The lease expires by itself.
}

/**
 * The same network, read with what its list lacks. An incident says so of tokens that payers may use: the lists should
 * be one. A collector that was replaced, and the tokens of mandates, are watched as a matter of course.
 */
async function widen(
  deps: WatchJobDeps,
  { network, pace }: Watched,
  { message, unlisted }: ListChangedError,
): Promise<Watched> {
  const wider = withUnlisted(network, unlisted);
  const reader = deps.chains.kindOf(wider).openReader(wider);
  if (assetsOf(unlisted).length > 0) {
    const told = { kind: 'watcher.other_list', subject: network.name, message } as const;
    await openIncident(deps.db, told, deps.now()).catch((error: unknown) => deps.log(error, message));
  }
  return open(deps, wider, reader, pace);
}

/** Leaves the chain alone until its next look is due, or until something waits by now. Keeps the lease meanwhile. */
async function idle({ pace, watcher }: Watched, pauses: Pauses, wakes: number): Promise<void> {
  const until = monotonicMs() + pace.lookEveryMs();
  for (let left = pace.lookEveryMs(); left > 0; left = until - monotonicMs()) {
    await pauses.pause(Math.min(pace.askEveryMs, left), wakes);
    if (pauses.wakes() !== wakes) return;
    // Where the database does not answer, the next look will say so.
    const goesOn = await watcher
      .keep()
      .then((kept) => kept && pace.isIdle())
      .catch(() => false);
    if (!goesOn) return;
  }
}

function delayAfter(network: Network, result: LookResult | 'failed', failures: number): number {
  if (result === 'failed') return doubled(network.pollMs, failures, BACKOFF_MAX_MS);
  return result === 'following' ? Math.max(FOLLOW_EVERY_MS, network.pollMs) : network.pollMs;
}

/**
 * Opens an incident when the chain shows nothing new for too long and resolves it afterwards. Returns whether it shows
 * anything.
 */
async function followBlindness(
  deps: WatchJobDeps,
  network: Network,
  result: LookResult | 'failed',
  saw: boolean | undefined,
  startedAt: Date,
): Promise<boolean | undefined> {
  const sees = result === 'following' ? saw : result === 'level' || result === 'behind' || result === 'idle';
  try {
    if (sees === true && saw !== true) await resolveIncidents(deps.db, 'watcher.blind', [network.name], deps.now());
    if (sees === false) {
      await openBlindIncident(deps.db, network.name, deps.blindAfterMs ?? BLIND_AFTER_MS, startedAt, deps.now());
    }
    return sees;
  } catch (error) {
    deps.log(error, `${network.name}: whether its watcher is blind could not be noted`);
    return saw;
  }
}

async function followEndpoints(deps: WatchJobDeps, network: Network, endpoints: EndpointWatch): Promise<void> {
  try {
    await endpoints.follow(deps.now());
  } catch (error) {
    deps.log(error, `${network.name}: how its endpoints are could not be noted`);
  }
}

type Pauses = ReturnType<typeof createPauses>;

/** Pauses that a wake or the end cuts short, before or during them; they leave no timer behind. */
function createPauses() {
  const sleepers = new Set<() => void>();
  let wakes = 0;
  let ended = false;
  const wake = (): void => {
    wakes += 1;
    for (const sleeper of [...sleepers]) sleeper();
  };
  const hints = createHints(wake);
  return {
    ...{ wake, hints },
    end: () => {
      ended = true;
      hints.end();
      wake();
    },
    ended: () => ended,
    /** Read this before the work that precedes a pause: a wake during that work then ends the pause at once. */
    wakes: () => wakes,
    pause: (ms: number, wakesBefore: number): Promise<void> =>
      new Promise((resolve) => {
        if (wakes !== wakesBefore) return resolve();
        const done = () => {
          clearTimeout(timer);
          sleepers.delete(done);
          resolve();
        };
        const timer = setTimeout(done, ms);
        sleepers.add(done);
      }),
  };
}
