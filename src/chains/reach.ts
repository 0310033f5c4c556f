import { followIncident, resolveIncidents } from '../incidents/incidents.ts';
import { doubled, monotonicMs, SECOND_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import type { Network } from '../ports/chain.ts';
import { describeUnwatched, type Lag, listLags } from './cursors.ts';
import { type Failure, judge, type NetworkCheck } from './network-checks.ts';

export type ReachDeps = {
  readonly db: Db;
  readonly networks: readonly Network[];
  /** What has to hold on a network before anything is offered there. */
  readonly check: NetworkCheck;
  /** Networks that did not answer at the start of this process, which has not checked them yet, and why. */
  readonly silent: ReadonlyMap<string, string>;
  /** Business time. */
  readonly now: () => Date;
  readonly log: (error: unknown, message: string) => void;
  /** While a watcher has seen the chain within this time, its word is enough; then this process asks the node. */
  readonly seenWithinMs?: number;
  readonly lookEveryMs?: number;
  /** How long a check may take. */
  readonly answerWithinMs?: number;
};

/** What this process knows of a network at present. */
export type NetworkState = {
  readonly network: string;
  /** Whether payments are offered there. */
  readonly open: boolean;
  /** Whether some process watches it: without one, payments there are not seen. */
  readonly watched: boolean;
  /** Why it is closed or not watched, and how old the newest block is. */
  readonly detail: string;
};

/** Which networks can be reached. A closed one offers nothing; whatever is under way there goes on or waits. */
export type Reach = {
  /** Whether nothing may begin on this network at present. False for a network that is not configured. */
  readonly isClosed: (network: string) => boolean;
  /** The state of every network, as it was a few seconds ago. Asks nobody. */
  readonly list: () => readonly NetworkState[];
  readonly start: () => void;
  readonly stop: () => void;
};

const SEEN_WITHIN_MS = 60 * SECOND_MS;
const LOOK_EVERY_MS = 5 * SECOND_MS;
const BACKOFF_MAX_MS = 60 * SECOND_MS;

/** What is kept about a network between two looks. */
type Post = {
  readonly network: Network;
  /** Whether this process has seen the check pass. */
  checked: boolean;
  /** When the node last answered this process. */
  answeredAtMs: number | null;
  /** Null: the network is open. */
  failure: Failure | null;
  /** Checks in a row that did not pass. */
  failures: number;
  /** Whether no incident of this network is open, as far as this process knows. */
  resolved: boolean;
  /** What the cursor says; null before the first look. */
  lag: Lag | null;
};

/**
 * Follows which networks can be reached. A network closes when neither a watcher, by way of its cursor, nor this
 * process has had an answer for a minute, and opens with the next one. See decision chains/closed-while-silent.
 */
export function createReach(deps: ReachDeps): Reach {
  const posts = deps.networks.map((network) => openPost(network, deps.silent.get(network.name)));
  const timers = new Map<Post, NodeJS.Timeout>();
  let running = false;
  const follow = async (post: Post): Promise<void> => {
    try {
      await look(deps, post);
      if (running) await announce(deps, post);
    } catch (error) {
      if (running) deps.log(error, `${post.network.name}: whether it can be reached was not found out`);
    }
    if (running)
      timers.set(
        post,
        setTimeout(() => void follow(post), pauseAfter(deps, post)),
      );
  };
  return {
    isClosed: (name) => posts.some(({ network, failure }) => network.name === name && failure !== null),
    list: () => posts.map((post) => present(post, deps.now())),
    start: () => {
      running = true;
      for (const post of posts) void follow(post);
    },
    stop: () => {
      running = false;
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}

function openPost(network: Network, silence: string | undefined): Post {
  const checked = silence === undefined;
  return {
    network,
    checked,
    answeredAtMs: checked ? monotonicMs() : null,
    failure: silence === undefined ? null : { kind: 'silent', message: silence },
    failures: checked ? 0 : 1,
    resolved: false,
    lag: null,
  };
}

async function look(
  { db, check, seenWithinMs = SEEN_WITHIN_MS, answerWithinMs }: ReachDeps,
  post: Post,
): Promise<void> {
  const [lag] = await listLags(db, [post.network.name]);
  post.lag = lag ?? null;
  const ownMs = post.answeredAtMs === null ? Number.POSITIVE_INFINITY : monotonicMs() - post.answeredAtMs;
  if (post.checked && Math.min(ownMs, lag?.silentMs ?? Number.POSITIVE_INFINITY) < seenWithinMs) {
    post.failure = null;
    post.failures = 0;
    return;
  }
  const failure = await judge(check, post.network, answerWithinMs);
  post.failure = failure;
  post.failures = failure === null ? 0 : post.failures + 1;
  if (failure === null) post.answeredAtMs = monotonicMs();
  // A verdict may be about another node than the one that was checked: it counts until the check passes again.
  post.checked = failure === null || (post.checked && failure.kind === 'silent');
}

/** Every process that finds a network closed opens its incident again; any that finds it open closes it, once. */
async function announce({ db, now, log }: ReachDeps, post: Post): Promise<void> {
  const { failure, network } = post;
  if (failure !== null) {
    if (post.resolved || post.failures === 1) log(new Error(failure.message), `${network.name} is closed for now`);
    await followIncident(db, { kind: 'network.closed', subject: network.name, message: failure.message }, now());
    post.resolved = false;
  } else if (!post.resolved) {
    await resolveIncidents(db, 'network.closed', [network.name], now());
    post.resolved = true;
  }
}

const pauseAfter = ({ lookEveryMs = LOOK_EVERY_MS }: ReachDeps, { failures }: Post): number =>
  failures === 0 ? lookEveryMs : doubled(lookEveryMs, failures - 1, BACKOFF_MAX_MS);

function present({ network, failure, lag }: Post, now: Date): NetworkState {
  const blockTime = lag?.blockTime ?? null;
  const age = blockTime === null ? null : Math.max(0, Math.round((now.getTime() - blockTime.getTime()) / SECOND_MS));
  const seen = age === null ? 'no block was seen yet' : `the newest block seen is ${age} seconds old`;
  const unwatched = lag && describeUnwatched(lag);
  const reasons = [failure?.message, unwatched, seen, lag?.idle ? 'nothing waits there' : null];
  return {
    network: network.name,
    open: failure === null,
    watched: unwatched === null,
    detail: reasons.filter((reason) => reason).join('; '),
  };
}
