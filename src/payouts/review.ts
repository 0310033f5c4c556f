import { setTimeout as sleep } from 'node:timers/promises';
import { recordAudit } from '../audit/record.ts';
import {
  createSolitude,
  eachWatched,
  findFinalHeight,
  followDisagreements,
  openWatched,
  SURE_AFTER_MS,
  type Watched,
} from '../chains/second-look.ts';
import { describeTestimony, finalOpinionOf, isOnlyEarly } from '../chains/testimony.ts';
import { inTransaction } from '../db/transaction.ts';
import { openIncident } from '../incidents/incidents.ts';
import type { Db } from '../lib/db-types.ts';
import { messageOf } from '../lib/errors.ts';
import { formatCents, MICRO_PER_CENT } from '../lib/money.ts';
import type { Network } from '../ports/chain.ts';
import type { Chains } from '../ports/chain-kind.ts';
import type { Job, JobRun } from '../ports/job.ts';
import { seekLost } from './lost.ts';
import { nameOf, type Payout, type PayoutOwners } from './payout.ts';
import { hasPayouts, listPayouts, notFinal, unplaced } from './review-queries.ts';

export type ReviewDeps = {
  readonly db: Db;
  readonly networks: readonly Network[];
  readonly chains: Pick<Chains, 'openWitness'>;
  readonly owners: PayoutOwners;
  readonly log: (error: unknown, message: string) => void;
};

const REVERTED = { withdrawal: 'withdrawal.reverted', refund: 'refund.reverted' } as const;

const EVERYTHING = Number.MAX_SAFE_INTEGER;

type Reviewing = ReviewDeps & { readonly alone: ReturnType<typeof createSolitude> };

type Look = {
  readonly deps: Reviewing;
  readonly watched: Watched;
  readonly finalHeight: number;
} & Pick<JobRun, 'now' | 'real'>;

type Work = (deps: Reviewing, watched: Watched, run: JobRun) => Promise<void>;

/** Looks at completed payouts again. See decision payouts/looked-at-again-when-final. */
export function payoutJobs(deps: ReviewDeps): Job[] {
  const reviewing = { ...deps, alone: createSolitude() };
  const watched = openWatched(deps.networks, deps.chains);
  const each = (run: JobRun, work: Work): Promise<void> =>
    eachWatched(
      watched,
      run,
      (one) => work(reviewing, one, run),
      (error, { name }) => deps.log(error, `${name}: payouts could not be looked at again`),
    );
  return [
    { name: 'payouts.review', cron: '*/30 * * * * *', run: (run) => each(run, reviewOn) },
    { name: 'payouts.lost', cron: '10,40 * * * * *', run: (run) => each(run, seekLost) },
    { name: 'payouts.place', cron: '0 43 * * * *', run: (run) => each(run, placeOn) },
  ];
}

/** The payouts of blocks that are final now: each is still there, is in another block, or is gone. */
async function reviewOn(deps: Reviewing, watched: Watched, { now, real, signal }: JobRun): Promise<void> {
  const { db } = deps;
  const unclear: string[] = [];
  // Nothing is asked of the chain while nothing waits.
  if (await hasPayouts(db, watched.network, notFinal(EVERYTHING))) {
    const finalHeight = await findFinalHeight(db, watched);
    if (finalHeight === undefined) return;
    const look = { deps, watched, finalHeight, now, real };
    const gone: Payout[] = [];
    for await (const payouts of listPayouts(db, watched.network, notFinal(finalHeight), signal)) {
      const findings = await Promise.all(payouts.map((payout) => settle(look, payout)));
      gone.push(...findings.flatMap(({ payout, verdict }) => (verdict === 'gone' ? [payout] : [])));
      unclear.push(...findings.flatMap(({ verdict, testimony }) => (verdict === 'unclear' ? [testimony] : [])));
    }
    if (gone.length > 0) unclear.push(...(await takeBackGone(look, gone, signal)));
    if (signal.aborted) return; // What was not asked is not known to be clear.
  }
  await followDisagreements(db, watched.network, 'payouts when final', unclear, now);
}

/** The payouts whose block an older release did not note. Who does not know one proves nothing. */
async function placeOn(deps: Reviewing, watched: Watched, { now, real, signal }: JobRun): Promise<void> {
  const { db } = deps;
  if (!(await hasPayouts(db, watched.network, unplaced(now)))) return;
  const finalHeight = await findFinalHeight(db, watched);
  if (finalHeight === undefined) return;
  const look = { deps, watched, finalHeight, now, real };
  for await (const payouts of listPayouts(db, watched.network, unplaced(now), signal)) {
    await Promise.all(payouts.map((payout) => settle(look, payout)));
  }
}

type Finding = {
  readonly payout: Payout;
  /** Null: it is settled, or is asked about again later. */
  readonly verdict: 'gone' | 'unclear' | null;
  readonly testimony: string;
};

/** Asks about a payout, and notes where it is final. */
async function settle({ deps, watched, finalHeight, now, real }: Look, payout: Payout): Promise<Finding> {
  const testimony = await watched.witness.askPayout(payout, finalHeight);
  const opinion = finalOpinionOf(testimony);
  const isBelieved = deps.alone.isOver(`${payout.kind} ${payout.id}`, testimony, real);
  const found = { payout, testimony: `${nameOf(payout)}: ${describeTestimony(testimony)}.` };
  if (opinion === 'gone') return { ...found, verdict: 'gone' };
  if (opinion === 'unclear') return { ...found, verdict: isOnlyEarly(testimony) ? null : 'unclear' };
  if (testimony.block !== null && isBelieved)
    await deps.owners[payout.kind].markFinal(deps.db, payout, testimony.block, now);
  return { ...found, verdict: null };
}

/**
 * Takes back those payouts that are gone a second time: endpoints may lie at the same moment. Returns what was said of
 * those that are not, and of those that could not be taken back.
 */
async function takeBackGone(look: Look, payouts: readonly Payout[], signal: AbortSignal): Promise<string[]> {
  await sleep(SURE_AFTER_MS, undefined, { signal }).catch(() => undefined);
  const left: string[] = [];
  for (const payout of payouts) {
    if (signal.aborted) break;
    const { deps, watched, finalHeight, now } = look;
    const testimony = await watched.witness.askPayout(payout, finalHeight);
    const said = describeTestimony(testimony);
    if (finalOpinionOf(testimony) !== 'gone') {
      if (!isOnlyEarly(testimony)) left.push(`${nameOf(payout)}: ${said}.`);
      continue;
    }
    await takeBack(deps, payout, said, now).catch((error: unknown) => {
      deps.log(error, `${nameOf(payout)} could not be taken back`);
      left.push(`${nameOf(payout)} could not be taken back: ${messageOf(error)}`);
    });
  }
  return left;
}

/** Makes what was paid unpaid again, with all that follows, in one transaction. Repeating it changes nothing. */
async function takeBack(deps: ReviewDeps, payout: Payout, said: string, now: Date): Promise<void> {
  const { kind, id, network, txHash, block } = payout;
  await inTransaction(deps.db, async (trx) => {
    const taken = await deps.owners[kind].takeBack(trx, payout, now);
    if (taken === null) return;
    const { merchantId } = taken;
    const metadata = { previousStatus: 'completed', newStatus: 'processing', txHash, block: block?.height ?? null };
    const entry = { action: `${kind}.revert`, resourceId: id, merchantId, metadata };
    await recordAudit(trx, { ...entry, actorType: 'system', actorId: `${kind}s`, origin: null }, now);
    const held = formatCents(taken.heldMicro / MICRO_PER_CENT);
    const message = `${nameOf(payout)} of ${network}, is not on the chain: ${said}. The ${kind} is processing again, and its ${held} USD are held again. Look for a transaction that replaced it before you pay again.`;
    await openIncident(trx, { kind: REVERTED[kind], subject: id, message, network }, now);
  });
}
