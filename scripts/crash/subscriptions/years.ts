import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../../src/lib/db-types.ts';
import type { ChainControl } from '../../../src/sandbox/chain-control.ts';
import type { Cluster } from './cluster.ts';
import { isHealthy, join, live, type World } from './life.ts';
import { judge } from './verdict.ts';

export type SubscriptionCrashOptions = {
  /** The number of living subscriptions: a new customer replaces each that ends. */
  readonly count: number;
  readonly days: number;
  /** The intended duration; time steps grow if progress is too slow. */
  readonly seconds: number;
  readonly sellers: number;
  /** The role of each process; the first serves the API. */
  readonly roles: readonly string[];
  /** One in so many steps kills a process while its work is done. */
  readonly killOf: number;
  /** How often all processes are down for three days. */
  readonly outages: number;
  readonly seed: number;
  readonly dataDir: string;
  readonly database: { readonly url: string; readonly ownerUrl: string };
  readonly chain: ChainControl;
  readonly progress: (text: string) => void;
};

const DAY_MS = 86_400_000;
/** No step ends at the time of day of the one before, so that nothing falls due during an examination. */
const STROLL_MS = 300_000;
const JOIN_DAYS = 30;
const JOINS_AT_ONCE = 6;
const STEP_DAYS_MAX = 3;
const OUTAGE_DAYS = 3;
const KILL_WITHIN_MS = 1_000;
/** Fewer blocks than confirmations need. */
const REORG_MAX = 3;
const REORG_WITHIN_MS = 300;
/** One in so many steps includes a reorg, and one is cut into hours, so that retries come on time. */
const REORG_OF = 12;
const SLOW_OF = 15;
const SLOW_HOURS = [1, 5, 6, 12];
const CHECK_EVERY_DAYS = 180;

/** Kills one process at a time during the work of a step. */
export function createKiller(cluster: Cluster) {
  let killing: Promise<void> | undefined;
  let failure: unknown;
  return {
    killSoon: (): void => {
      killing ??= sleep(randomInt(KILL_WITHIN_MS))
        .then(cluster.killOne)
        .catch((error: unknown) => {
          failure = error;
        })
        .finally(() => {
          killing = undefined;
        });
    },
    peace: async (): Promise<void> => {
      await killing;
      if (failure) throw failure;
    },
  };
}

export type Court = {
  readonly killer: ReturnType<typeof createKiller>;
  readonly db: Db;
  readonly operator: string;
  readonly faults: string[];
  readonly startedAt: number;
};

/** Lets the time pass, with all that happens in it. */
export async function playYears(options: SubscriptionCrashOptions, world: World, cluster: Cluster, court: Court) {
  const { time } = world;
  const { days, progress } = options;
  const begin = time.now().getTime();
  const dayOf = (): number => (time.now().getTime() - begin) / DAY_MS;
  let [reorgs, outages, checkedAt] = [0, 0, 0];
  while (dayOf() < days) {
    const step = Math.min(stepDays(options, dayOf(), court.startedAt), Math.max(0.05, days - dayOf()));
    const isOutage = dayOf() + step > (days * (outages + 1)) / (options.outages + 1) && outages < options.outages;
    if (isOutage) {
      outages += 1;
      await cluster.outage(() => time.goTo(new Date(time.now().getTime() + OUTAGE_DAYS * DAY_MS)));
      await time.rest();
    } else reorgs += await takeStep(options, world, court, step);
    // A signature may take some days, an unfrozen merchant has the rest of a period, and a step may be as long.
    if (await joinSome(options, world, dayOf())) await time.rest();
    await live(world, step);
    if (world.dice.below(REORG_OF) === 0) {
      await replaceBlocks(world);
      reorgs += 1;
    } else await world.wallets.mine();
    await time.rest();
    if (dayOf() - checkedAt > CHECK_EVERY_DAYS) {
      checkedAt = dayOf();
      await settleAll(world);
      const found = await judge(world, court.db, court.operator);
      court.faults.push(...found.map((fault) => `day ${Math.round(dayOf())}: ${fault}`));
    }
    progress(
      `day ${Math.round(dayOf())} of ${days}, ${world.customers.length} subscriptions, ${cluster.kills()} kills, ${court.faults.length} faults`,
    );
  }
  return { reorgs, outages };
}

/** The number of customers, each with a new wallet. */
export const walletsOf = ({ count }: SubscriptionCrashOptions): number => Math.ceil(count * 1.8);

/** Moves to a moment at which nothing is planned, and waits until everything is at rest. */
export async function settleAll({ time }: World): Promise<void> {
  await time.rest('all');
  await time.goTo(new Date(time.now().getTime() + STROLL_MS));
  await time.rest('all');
}

/**
 * Lets some days pass, sometimes in hours. Meanwhile processes may be killed and blocks replaced. Returns the number of
 * reorgs.
 */
async function takeStep(
  { killOf }: SubscriptionCrashOptions,
  world: World,
  { killer }: Court,
  days: number,
): Promise<number> {
  const { time, dice } = world;
  const hours = days === 1 && dice.below(SLOW_OF) === 0 ? SLOW_HOURS : [days * 24];
  let reorgs = 0;
  for (const each of hours) {
    if (dice.below(killOf) === 0) killer.killSoon();
    await time.goTo(new Date(time.now().getTime() + (each * DAY_MS) / 24 + STROLL_MS));
    if (dice.below(REORG_OF * hours.length) === 0) {
      await time.untilSent();
      await replaceBlocks(world);
      reorgs += 1;
    }
    await time.rest();
  }
  return reorgs;
}

/** Makes blocks of what was sent, lets the service read them, and replaces them. */
async function replaceBlocks({ dice, wallets }: World): Promise<void> {
  const depth = 1 + dice.below(REORG_MAX);
  for (let mined = 0; mined < depth; mined += 1) {
    await wallets.mine();
    await sleep(randomInt(REORG_WITHIN_MS));
  }
  await wallets.reorg(depth, dice.chance(0.5));
}

/** A day, or more if the remaining time demands it. */
function stepDays({ days, seconds }: SubscriptionCrashOptions, day: number, startedAt: number): number {
  const gone = (performance.now() - startedAt) / 1000;
  const wanted = day < 1 ? 1 : ((days - day) * (gone / day)) / Math.max(1, seconds - gone);
  return Math.min(STEP_DAYS_MAX, Math.max(1, Math.round(wanted)));
}

/** Lets in enough customers to reach the intended number after the first month. */
async function joinSome(options: SubscriptionCrashOptions, world: World, day: number): Promise<boolean> {
  const { count, days } = options;
  const { customers, cast, dice, wallets } = world;
  const living = customers.filter((each) => isHealthy(each) || each.causes.some(({ to }) => to === null)).length;
  const wanted = Math.ceil(count * Math.min(1, day / Math.min(JOIN_DAYS, days / 4)));
  const open = cast.sellers.filter(({ freezes }) => freezes.every(({ to }) => to !== null));
  if (open.length === 0) return false;
  const room = Math.min(wanted - living, walletsOf(options) - customers.length);
  const agreeing: (() => Promise<void>)[] = [];
  for (let joined = 0; joined < room; joined += JOINS_AT_ONCE) {
    const group = Array.from({ length: Math.min(JOINS_AT_ONCE, room - joined) }, (_, i) => customers.length + i);
    agreeing.push(...(await Promise.all(group.map((wallet) => join(world, dice.pick(open), wallet)))));
  }
  if (room > 0) await wallets.mine();
  for (let agreed = 0; agreed < agreeing.length; agreed += JOINS_AT_ONCE) {
    await Promise.all(agreeing.slice(agreed, agreed + JOINS_AT_ONCE).map((agree) => agree()));
  }
  if (room > 0) await wallets.mine();
  return room > 0;
}
