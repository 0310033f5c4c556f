import { sql } from 'kysely';
import { findCursor, findHeightAt } from '../chains/cursors.ts';
import {
  eachWatched,
  findFinalHeight,
  followDisagreements,
  openWatched,
  SURE_AFTER_MS,
  type Watched,
} from '../chains/second-look.ts';
import { describeTestimony, finalOpinionOf, isGoneBeforeFinal, secondOpinionOf } from '../chains/testimony.ts';
import { inTransaction } from '../db/transaction.ts';
import { isAnyOpen, openIncident } from '../incidents/incidents.ts';
import { after, DAY_MS, MINUTE_MS, monotonicMs, SECOND_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import type { Network, Testimony } from '../ports/chain.ts';
import type { Chains } from '../ports/chain-kind.ts';
import type { Job, JobRun } from '../ports/job.ts';
import { orphanCredit } from './credits.ts';
import {
  type BlockCredits,
  isAnyToSecond,
  listCreditsNotFinal,
  listCreditsToSecond,
  markFinal,
  markSeconded,
} from './opinion-queries.ts';

export type OpinionDeps = {
  readonly db: Db;
  readonly networks: readonly Network[];
  readonly chains: Pick<Chains, 'openWitness'>;
  readonly log: (error: unknown, message: string) => void;
};

/** A second endpoint may be a little behind the first one. */
const SILENT_FOR_MS = 2 * MINUTE_MS;
/** So many blocks of a network are looked at again in a run, every ten seconds: more than chains make. */
const REVIEWS_MAX = 50;
/** What is older was confirmed by a release that marked nothing. */
const REVIEWED_FOR_MS = 30 * DAY_MS;
/** What the endpoints could not clear up is asked about again after this long. */
const ASK_AGAIN_MS = 30 * SECOND_MS;

/** What was gone once and then not for so long is another doubt. */
const FORGOTTEN_AFTER_MS = MINUTE_MS;
const DOUBTS_MAX = 10_000;
/** So many transfers of a block are asked about alone at once: all of them take far less than a doubt lasts. */
const ALONE_AT_ONCE = 5;

type Doubting = OpinionDeps & { readonly gone: ReturnType<typeof createDoubt> };

type BlockCredit = BlockCredits['credits'][number];

/** Remembers which transfers were gone from their block once; a restart begins again. */
function createDoubt() {
  const seen = new Map<string, number>();
  const keyOf = (hash: string, { id }: BlockCredit): string => `${hash} ${id}`;
  return {
    isSure: ({ hash }: BlockCredits, credit: BlockCredit): boolean => {
      const key = keyOf(hash, credit);
      const first = seen.get(key);
      if (first !== undefined && monotonicMs() - first > FORGOTTEN_AFTER_MS) seen.delete(key);
      else if (first !== undefined) return monotonicMs() - first > SURE_AFTER_MS;
      if (seen.size > DOUBTS_MAX) seen.clear();
      seen.set(key, monotonicMs());
      return false;
    },
    forget: ({ hash }: BlockCredits, credits: readonly BlockCredit[]): void => {
      for (const credit of credits) seen.delete(keyOf(hash, credit));
    },
  };
}

/** Has other endpoints look at transfers before they are confirmed, and all of them once their blocks are final. */
export function opinionJobs(deps: OpinionDeps): Job[] {
  const gone = createDoubt();
  const watched = openWatched(deps.networks, deps.chains);
  const seconded = watched.filter(({ network }) => (network.secondOpinionFrom ?? null) !== null);
  return [
    ...(seconded.length === 0 ? [] : [askSecond({ ...deps, gone }, seconded)]),
    { name: 'payments.review', cron: '*/10 * * * * *', run: reviewAll({ ...deps, gone }, watched) },
  ];
}

/** See decision payments/second-opinion. */
const askSecond = (deps: Doubting, watched: readonly Watched[]): Job => ({
  name: 'payments.second',
  cron: '* * * * * *',
  wakeOn: 'kasi_credits',
  // An incident is resolved by a run that finds nothing.
  hasWork: () => sql`${isAnyToSecond} or ${isAnyOpen('chain.disagreement')}`,
  run: (run) => each(deps, watched, run, (one) => secondOn(deps, one, run)),
});

async function secondOn(deps: Doubting, watched: Watched, { now, signal }: JobRun): Promise<void> {
  const { db, gone } = deps;
  const { network, witness } = watched;
  const faults: string[] = [];
  for (const block of await listCreditsToSecond(db, network.name)) {
    if (signal.aborted) return;
    const testimony = await witness.ask(block, block.credits);
    const opinion = secondOpinionOf(testimony);
    if (opinion === 'agreed') await inTransaction(db, (trx) => markSeconded(trx, block, now));
    // Nobody shows it any more, not even who showed it first.
    if (!isGoneBeforeFinal(testimony)) gone.forget(block, block.credits);
    else if (await takeBackGone(deps, watched, { block, testimony, isGone: isGoneBeforeFinal, now, signal })) continue;
    if (opinion === 'absent' && block.seenAt > after(now, -SILENT_FOR_MS)) continue;
    if (opinion !== 'agreed' || testimony.deny.length > 0) faults.push(tell(block, testimony));
  }
  await followDisagreements(db, network, 'before confirmation', faults, now);
}

/**
 * See decision payments/looked-at-again-when-final. A run asks about each block once,
 * and about those that stayed unclear only now and then.
 */
function reviewAll(deps: Doubting, watched: readonly Watched[]): Job['run'] {
  const unclear = new Map(watched.map(({ network }) => [network.name, new Map<string, number>()]));
  return (run) =>
    each(deps, watched, run, (one) => reviewOn(deps, one, unclear.get(one.network.name) ?? new Map(), run));
}

async function reviewOn(
  deps: Doubting,
  watched: Watched,
  unclear: Map<string, number>,
  { now, real, signal }: JobRun,
): Promise<void> {
  const { db, gone } = deps;
  const { network, witness } = watched;
  const cursor = await findCursor(db, network.name);
  if (cursor === undefined) return;
  for (const [hash, until] of unclear) if (until <= real.getTime()) unclear.delete(hash);
  const blocks = {
    after: (await findHeightAt(db, network.name, after(cursor.blockTime, -REVIEWED_FOR_MS))) ?? -1,
    except: [...unclear.keys()],
  };
  // Nothing is asked of the chain while nothing waits.
  if ((await listCreditsNotFinal(db, network.name, { ...blocks, to: cursor.height })).length === 0) {
    if (unclear.size === 0) await followDisagreements(db, network, 'when final', [], now);
    return;
  }
  const to = (await findFinalHeight(db, watched)) ?? -1;
  const faults: string[] = [];
  for (const block of (await listCreditsNotFinal(db, network.name, { ...blocks, to })).slice(0, REVIEWS_MAX)) {
    if (signal.aborted) return;
    const testimony = await witness.ask(block, block.credits);
    const opinion = finalOpinionOf(testimony);
    if (opinion !== 'gone') gone.forget(block, block.credits);
    if (opinion === 'there') await markFinal(db, block, now);
    else if (opinion === 'gone') {
      const taken = await takeBackGone(deps, watched, { block, testimony, isGone, now, signal });
      if (!taken) faults.push(tell(block, testimony));
    } else {
      unclear.set(block.hash, real.getTime() + ASK_AGAIN_MS);
      if (testimony.deny.length > 0) faults.push(tell(block, testimony));
    }
  }
  // While something unclear rests, the incident stays as it is.
  if (faults.length > 0 || unclear.size === 0) await followDisagreements(db, network, 'when final', faults, now);
}

const isGone = (testimony: Testimony): boolean => finalOpinionOf(testimony) === 'gone';

type Gone = {
  readonly block: BlockCredits;
  /** What was said of all of its transfers together. */
  readonly testimony: Testimony;
  readonly isGone: (testimony: Testimony) => boolean;
} & Pick<JobRun, 'now' | 'signal'>;

/**
 * Takes back those transfers of a block that are gone by themselves, for the second time; whether there were any. A
 * single invented one makes all endpoints deny the lot.
 */
async function takeBackGone(deps: Doubting, { network, witness }: Watched, found: Gone): Promise<boolean> {
  const { block, testimony, now, signal } = found;
  const isClear = block.credits.length === 1 || testimony.deny.every(({ otherBlock }) => otherBlock);
  let taken = false;
  const judge = async (credit: BlockCredit): Promise<void> => {
    const alone = isClear ? testimony : await witness.ask(block, upTo(block, credit));
    if (!found.isGone(alone)) return deps.gone.forget(block, [credit]);
    if (!deps.gone.isSure(block, credit)) return;
    await takeBack(deps.db, network, block, credit, alone, now);
    taken = true;
  };
  for (let at = 0; at < block.credits.length && !signal.aborted; at += ALONE_AT_ONCE) {
    await Promise.all(block.credits.slice(at, at + ALONE_AT_ONCE).map(judge));
  }
  return taken;
}

/** A transfer and those before it in its transaction that look the same: a copy of a real one is not on the chain. */
const upTo = ({ credits }: BlockCredits, { txHash, contract, to, units, index }: BlockCredit): BlockCredit[] =>
  credits.filter(
    (other) =>
      other.txHash === txHash &&
      other.contract === contract &&
      other.to === to &&
      other.units === units &&
      other.index <= index,
  );

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
