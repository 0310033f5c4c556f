import { findFinalHeight, type Watched } from '../chains/second-look.ts';
import { describeTestimony, finalOpinionOf, isAlone, isSeen, isShort } from '../chains/testimony.ts';
import { inTransaction } from '../db/transaction.ts';
import { resolveIncidentsIf, updateIncident } from '../incidents/incidents.ts';
import { after, MINUTE_MS } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { AppError } from '../lib/errors.ts';
import type { Network, PayoutTestimony } from '../ports/chain.ts';
import type { JobRun } from '../ports/job.ts';
import { hasNoneSeen, type Lost, listLost, listLostOf, noteLook } from './lost-queries.ts';
import type { CompleteInput, PayoutKind } from './payout.ts';
import { KINDS, listPaidIn } from './rows.ts';

const RESURFACED = { withdrawal: 'withdrawal.resurfaced', refund: 'refund.resurfaced' } as const;

/** A look is trusted this long. Two hosts' clocks are less apart. */
const FRESH_MS = 10 * MINUTE_MS;
/** The job looks twice a minute. */
const RETRY_SECONDS = 30;

/**
 * Asks about payouts that were taken back: their transactions may be mined after all. See
 * decision payouts/lost-is-not-forgotten.
 */
export async function seekLost({ db }: { readonly db: Db }, watched: Watched, { now, signal }: JobRun): Promise<void> {
  for (const kind of KINDS) await resolveIncidentsIf(db, RESURFACED[kind], (subject) => hasNoneSeen(subject), now);
  const lost = await listLost(db, watched.network, now);
  if (lost.length === 0) return;
  const finalHeight = await findFinalHeight(db, watched);
  if (finalHeight === undefined) return;
  for (const one of lost) {
    if (signal.aborted) return;
    await follow(db, one, await watched.witness.askPayout(one.payout, finalHeight), now);
  }
}

async function follow(db: Db, lost: Lost, testimony: PayoutTestimony, now: Date): Promise<void> {
  const isAbsent = !isSeen(testimony) && isEnough(lost, testimony);
  if (!isSeen(testimony)) {
    const sighting = isAbsent ? null : lost.sighting;
    return noteLook(db, lost, { sighting, isAbsent, isFinal: false, isShort: false }, now);
  }
  const sighting = describeTestimony(testimony);
  // What is final is not looked at again, so the word of one alone is not enough.
  const isFinal = finalOpinionOf(testimony) === 'there' && !isAlone(testimony);
  await inTransaction(db, async (trx) => {
    await noteLook(trx, lost, { sighting, isAbsent, isFinal, isShort: isShort(testimony) }, now);
    // Said once, so that it stays resolved when an operator has dealt with it.
    if (sighting === lost.sighting) return;
    const { kind, id: subject, network, txHash } = lost.payout;
    const what = whatNow(lost, isShort(testimony));
    const message = `Payout ${txHash} of ${subject}, which ${network} took back, is there after all: ${sighting}. ${what}`;
    await updateIncident(trx, { kind: RESURFACED[kind], subject, network, message, detail: null }, now);
  });
}

/** Two say so, or the only one; once any has had it, all have to. */
const isEnough = ({ sighting }: Lost, { deny, silent }: PayoutTestimony): boolean =>
  deny.length > 0 && (silent.length === 0 || (deny.length > 1 && sighting === null));

function whatNow({ payout: { kind }, status, paidBy }: Lost, isLess: boolean): string {
  if (status === 'failed') return `The ${kind} has failed, so ${FAILED_TOO[kind]}.`;
  if (status === 'completed') return `The ${kind} was completed by ${paidBy}, so it may be paid twice.`;
  if (isLess) return 'That is less than was due: pay all of it anew, and complete it with that.';
  return 'Do not pay again: complete it with this transaction.';
}

const FAILED_TOO: Readonly<Record<PayoutKind, string>> = {
  withdrawal: 'its merchant has the money twice',
  refund: 'its payer has the money, and its merchant, too',
};

/** What may have been paid by transactions that the chain took back. */
export type Repayable = {
  readonly kind: PayoutKind;
  readonly id: string;
  readonly network: string;
  readonly token: string;
  readonly reverts: number;
};

/** With which transaction something is to be completed, and whether the chain has just shown that it pays all of it. */
export type PaidWith = { readonly txHash: string; readonly isShown: boolean };

/**
 * Throws CONFLICT for a withdrawal or refund whose lost payout may be on the chain after all: who fails it, or
 * completes it with another transaction, would have it paid twice. One that has moved less than was due, for good, can
 * not complete it: then another one does that the chain shows. Where its network is no longer listed, no endpoint can
 * be asked.
 */
export async function requireLostGone(
  trx: Trx,
  deps: { readonly networks: readonly Network[] },
  repayable: Repayable,
  by: PaidWith | null,
  now: Date,
): Promise<void> {
  const { kind, id, reverts } = repayable;
  if (reverts === 0) return;
  const network = deps.networks.find(({ name }) => name === repayable.network);
  for (const lost of await listLostOf(trx, id, by?.txHash ?? null)) {
    const isShort = lost.isShort && lost.lookedAt >= after(now, -FRESH_MS);
    if (isShort && by?.isShown) continue;
    const what = `Transaction ${lost.txHash}, which has paid this ${kind} before,`;
    if (lost.sighting !== null) {
      const cure = isShort
        ? `That is less than was due. Pay all of it anew, and complete the ${kind} with that while the chain is asked.`
        : `Complete the ${kind} with it, or wait until it can not be mined any more.`;
      throw refusal('lost_payout_seen', `${what} is there after all: ${lost.sighting}. ${cure}`);
    }
    const isWatched = network !== undefined && (lost.contract !== null || (await isKnown(trx, network, repayable)));
    if (isWatched && lost.absentAt < after(now, -FRESH_MS)) {
      const since = `has not been looked for since ${lost.absentAt.toISOString()}, because too few endpoints answer`;
      throw refusal('lost_payout_unclear', `${what} ${since}. Try again when they do.`);
    }
  }
}

/** What a completion says of its transaction. */
export const paidWith = ({ txHash, block }: CompleteInput): PaidWith => ({ txHash, isShown: block !== null });

/** Whether the job looks for what was paid in this token where its contract was not noted. */
const isKnown = async (trx: Trx, network: Network, { token }: Repayable): Promise<boolean> =>
  (await listPaidIn(trx, network)).some(({ symbol }) => symbol === token);

const refusal = (reason: string, message: string): AppError =>
  new AppError('CONFLICT', message, { reason, retryAfterSeconds: RETRY_SECONDS });
