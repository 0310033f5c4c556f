import { sql } from 'kysely';
import { findCursor, findHeightAt } from '../chains/cursors.ts';
import {
  createSolitude,
  eachWatched,
  findFinalHeight,
  followDisagreements,
  openWatched,
  type Watched,
} from '../chains/second-look.ts';
import { describeTestimony, finalOpinionOf, isGoneBeforeFinal, secondOpinionOf } from '../chains/testimony.ts';
import { inTransaction } from '../db/transaction.ts';
import { isAnyOpen, openIncident, resolveIncidentsIf } from '../incidents/incidents.ts';
import { after, DAY_MS, MINUTE_MS, SECOND_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import type { Network, Testimony } from '../ports/chain.ts';
import type { Chains } from '../ports/chain-kind.ts';
import type { Job, JobRun } from '../ports/job.ts';
import { orphanCredit } from './credits.ts';
import { type BlockCredit, createDoubt, findGone } from './gone.ts';
import {
  type BlockCredits,
  isAnyToSecond,
  listCreditsNotFinal,
  listCreditsToSecond,
  markFinal,
  markSeconded,
  withSweeps,
} from './opinion-queries.ts';

export type OpinionDeps = {
  readonly db: Db;
  readonly networks: readonly Network[];
  readonly chains: Pick<Chains, 'openWitness'>;
  readonly log: (error: unknown, message: string) => void;
};

/** A second endpoint may be a little behind the first one. */
const SILENT_FOR_MS = 2 * MINUTE_MS;
/** So many blocks of a network are asked about before confirmation in a run, every second. */
const SECONDED_MAX = 20;
/** So many of those that stayed unclear are asked about again in a run, however many others there are. */
const UNCLEAR_AT_LEAST = 5;
const UNCLEAR_MAX = 1000;
/** So many blocks of a network are looked at again in a run, every ten seconds: more than chains make. */
const REVIEWS_MAX = 50;
/** What is older was confirmed by a release that marked nothing. */
const REVIEWED_FOR_MS = 30 * DAY_MS;
/** What the endpoints could not clear up is asked about again after this long. */
const ASK_AGAIN_MS = 30 * SECOND_MS;
/** The same of what one endpoint shows and no other denies: while one is out there are many. */
const ALONE_AGAIN_MS = 10 * MINUTE_MS;

/** So many questions about parts of blocks whose transfers are gone a run asks: fewer than a doubt lasts. */
const DIVIDED_MAX = 200;

type Doubting = OpinionDeps & {
  readonly gone: ReturnType<typeof createDoubt>;
  readonly alone: ReturnType<typeof createSolitude>;
};

/** Has other endpoints look at transfers before they are confirmed, and all of them once their blocks are final. */
export function opinionJobs(deps: OpinionDeps): Job[] {
  const doubting: Doubting = { ...deps, gone: createDoubt(), alone: createSolitude() };
  const watched = openWatched(deps.networks, deps.chains);
  const seconded = watched.filter(({ network }) => (network.secondOpinionFrom ?? null) !== null);
  return [
    ...(seconded.length === 0 ? [] : [askSecond(doubting, seconded)]),
    { name: 'payments.review', cron: '*/10 * * * * *', run: reviewAll(doubting, watched) },
  ];
}

/** The blocks of a network that stayed unclear, and what is to be told of them; those asked longest ago first. */
type Unclear = Map<string, { readonly height: number; readonly fault: string | null }>;

/** See decision payments/second-opinion. */
function askSecond(deps: Doubting, watched: readonly Watched[]): Job {
  const unclear = new Map(watched.map(({ network }): [string, Unclear] => [network.name, new Map()]));
  return {
    name: 'payments.second',
    cron: '* * * * * *',
    wakeOn: 'kasi_credits',
    // An incident is resolved by a run that finds nothing.
    hasWork: () => sql`${isAnyToSecond} or ${isAnyOpen('chain.disagreement')}`,
    run: (run) =>
      each(deps, watched, run, (one) => secondOn(deps, one, unclear.get(one.network.name) ?? new Map(), run)),
  };
}

/** See decision payments/unclear-blocks-come-last. */
async function secondOn(deps: Doubting, watched: Watched, unclear: Unclear, { now, signal }: JobRun): Promise<void> {
  const { db, gone } = deps;
  const { network, witness } = watched;
  const fresh = await listCreditsToSecond(db, network.name, { max: SECONDED_MAX, except: [...unclear.keys()] });
  const again = [...unclear]
    .slice(0, Math.max(UNCLEAR_AT_LEAST, SECONDED_MAX - fresh.length))
    .map(([hash, { height }]) => ({ hash, height }));
  const blocks = [...fresh, ...(await listCreditsToSecond(db, network.name, { max: again.length, only: again }))];
  // Those that are over in some other way are in no list any more.
  for (const { hash } of again) unclear.delete(hash);
  const faults: string[] = [];
  const questions = { left: DIVIDED_MAX };
  for (const block of blocks) {
    if (signal.aborted) return;
    const testimony = await askAbout(db, witness, block, block.credits);
    const opinion = secondOpinionOf(testimony);
    if (opinion === 'agreed') await inTransaction(db, (trx) => markSeconded(trx, block, now));
    // Nobody shows it any more, not even who showed it first.
    if (!isGoneBeforeFinal(testimony)) gone.forget(block, block.credits);
    else if (await takeBackGone(deps, watched, { block, testimony, isGone: isGoneBeforeFinal, questions, now, signal }))
      continue;
    const isEarly = opinion === 'absent' && block.seenAt > after(now, -SILENT_FOR_MS);
    if (opinion !== 'agreed') {
      unclear.set(block.hash, { height: block.height, fault: isEarly ? null : tell(block, testimony) });
    } else if (testimony.deny.length > 0) faults.push(tell(block, testimony));
  }
  for (const hash of [...unclear.keys()].slice(0, -UNCLEAR_MAX)) unclear.delete(hash);
  faults.push(...[...unclear.values()].flatMap(({ fault }) => fault ?? []));
  await followDisagreements(db, network, 'before confirmation', faults, now);
}

/** Blocks that stayed unclear when they were final: until when each rests, and when its transfers were seen. */
type Resting = Map<string, { readonly until: number; readonly seenAt: Date }>;

/**
 * See decision payments/looked-at-again-when-final. A run asks about each block once,
 * and about those that stayed unclear only now and then.
 */
function reviewAll(deps: Doubting, watched: readonly Watched[]): Job['run'] {
  const resting = new Map(watched.map(({ network }): [string, Resting] => [network.name, new Map()]));
  return (run) =>
    each(deps, watched, run, (one) => reviewOn(deps, one, resting.get(one.network.name) ?? new Map(), run));
}

async function reviewOn(
  deps: Doubting,
  watched: Watched,
  resting: Resting,
  { now, real, signal }: JobRun,
): Promise<void> {
  const { db, gone, alone } = deps;
  const { network, witness } = watched;
  const cursor = await findCursor(db, network.name);
  if (cursor === undefined) return;
  const due = [...resting].flatMap(([hash, { until }]) => (until <= real.getTime() ? [hash] : []));
  const blocks = {
    after: (await findHeightAt(db, network.name, after(cursor.blockTime, -REVIEWED_FOR_MS))) ?? -1,
    except: [...resting.keys()].filter((hash) => !due.includes(hash)),
  };
  // Nothing is asked of the chain while nothing waits.
  if ((await listCreditsNotFinal(db, network.name, { ...blocks, to: cursor.height, max: 1 })).length === 0) {
    for (const hash of due) resting.delete(hash);
    return followFinal(deps, network, resting, [], now);
  }
  const to = (await findFinalHeight(db, watched)) ?? -1;
  const faults: string[] = [];
  const questions = { left: DIVIDED_MAX };
  const found = await listCreditsNotFinal(db, network.name, { ...blocks, to, max: REVIEWS_MAX });
  // Those that are over in some other way are in no list any more.
  if (found.length < REVIEWS_MAX) for (const hash of without(due, found)) resting.delete(hash);
  for (const block of found) {
    if (signal.aborted) return;
    const testimony = await askAbout(db, witness, block, block.credits);
    const opinion = finalOpinionOf(testimony);
    const { hash, seenAt } = block;
    resting.delete(hash);
    if (opinion !== 'gone') gone.forget(block, block.credits);
    const isBelieved = alone.isOver(hash, testimony, real);
    if (opinion === 'there' && isBelieved) await markFinal(db, block, now);
    else if (opinion === 'there') resting.set(hash, { until: real.getTime() + ALONE_AGAIN_MS, seenAt });
    else if (opinion === 'gone') {
      const taken = await takeBackGone(deps, watched, { block, testimony, isGone, questions, now, signal });
      if (!taken) faults.push(tell(block, testimony));
    } else {
      resting.set(hash, { until: real.getTime() + ASK_AGAIN_MS, seenAt });
      if (testimony.deny.length > 0) faults.push(tell(block, testimony));
    }
  }
  await followFinal(deps, network, resting, faults, now);
}

const without = (hashes: readonly string[], blocks: readonly { readonly hash: string }[]): string[] =>
  hashes.filter((hash) => !blocks.some((block) => block.hash === hash));

/**
 * While a block rests that may be what the incident tells of, it stays as it is, also after a restart. What was seen
 * after it was last told of is not: while an endpoint is out, there is always a newer block that one alone shows.
 */
async function followFinal(
  { db }: Doubting,
  network: Network,
  resting: Resting,
  faults: readonly string[],
  now: Date,
): Promise<void> {
  if (faults.length > 0 || resting.size === 0) return followDisagreements(db, network, 'when final', faults, now);
  const oldest = new Date(Math.min(...[...resting.values()].map(({ seenAt }) => seenAt.getTime())));
  await resolveIncidentsIf(
    db,
    'chain.disagreement',
    (subject, toldAt) => sql`${subject} = ${`${network.name} when final`} and ${toldAt} < ${oldest}`,
    now,
  );
}

const isGone = (testimony: Testimony): boolean => finalOpinionOf(testimony) === 'gone';

type Gone = {
  readonly block: BlockCredits;
  /** What was said of all of its transfers together. */
  readonly testimony: Testimony;
  readonly isGone: (testimony: Testimony) => boolean;
  /** How many questions about parts of blocks the run has left. */
  readonly questions: { left: number };
} & Pick<JobRun, 'now' | 'signal'>;

/**
 * Takes back those transfers of a block that are gone by themselves, for the second time; whether there were any. A
 * single invented one makes all endpoints deny the lot.
 */
async function takeBackGone(deps: Doubting, { network, witness }: Watched, denied: Gone): Promise<boolean> {
  const { block, testimony, isGone, questions, now, signal } = denied;
  const isClear = block.credits.length === 1 || testimony.deny.every(({ otherBlock }) => otherBlock);
  const ask = (credits: readonly BlockCredit[]) => askAbout(deps.db, witness, block, credits);
  const mayAsk = (): boolean => {
    questions.left -= 1;
    return questions.left >= 0 && !signal.aborted;
  };
  const { gone, there } = isClear
    ? { gone: block.credits.map((credit) => ({ credit, alone: testimony })), there: [] }
    : await findGone(block.credits, { ask, isGone, mayAsk });
  deps.gone.forget(block, there);
  let taken = false;
  for (const { credit, alone } of gone) {
    if (signal.aborted || !deps.gone.isSure(block, credit)) continue;
    await takeBack(deps.db, network, block, credit, alone, now);
    taken = true;
  }
  return taken;
}

/** Asks about transfers of a block; of a coin that is denied once more, with what was swept before. */
async function askAbout(
  db: Db,
  witness: Watched['witness'],
  block: BlockCredits,
  credits: readonly BlockCredit[],
): Promise<Testimony> {
  const testimony = await witness.ask(block, credits);
  const isDenied = testimony.deny.some(({ otherBlock }) => !otherBlock);
  if (!isDenied || credits.every(({ total }) => total === undefined)) return testimony;
  return witness.ask(block, await withSweeps(db, block, credits));
}

/** Queues what vanished to be reversed, as after a reorg. */
async function takeBack(
  db: Db,
  network: Network,
  block: BlockCredits,
  { paymentId, txHash, index }: BlockCredit,
  testimony: Testimony,
  now: Date,
): Promise<void> {
  const message = `Transfer ${txHash} to ${paymentId} was counted in block ${block.height} of ${network.name} and is not on the chain: ${describeTestimony(testimony)}. It is reversed.`;
  await inTransaction(db, async (trx) => {
    await orphanCredit(trx, { network: network.name, txHash, index, blockHash: block.hash });
    await openIncident(trx, { kind: 'payment.vanished', subject: paymentId, network: network.name, message }, now);
  });
}

const tell = (block: BlockCredits, testimony: Testimony): string =>
  `${block.credits.length} transfers in block ${block.height} (payment ${block.credits[0]?.paymentId}): ${describeTestimony(testimony)}.`;

const each = (
  deps: OpinionDeps,
  watched: readonly Watched[],
  run: JobRun,
  work: (one: Watched) => Promise<void>,
): Promise<void> =>
  eachWatched(watched, run, work, (error, { name }) =>
    deps.log(error, `${name}: transfers could not be looked at again`),
  );
