import { inTransaction, isUnavailable } from '../db/transaction.ts';
import { after, DAY_MS } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { untilRecorded } from '../lib/until-recorded.ts';
import type { Job, JobRun } from '../ports/job.ts';
import { isPlainAddress } from './addresses.ts';
import { noteTrouble, noteWorks, readHealth } from './health.ts';
import { findLimit } from './limits.ts';
import { AT_ONCE, type ClaimedMail, type QueuedMail, type Writing } from './mail.ts';
import {
  claimMails,
  claimProbe,
  clearMails,
  deleteOldMails,
  dropMail,
  FIRST_WAITING,
  forgetMail,
  giveUp,
  isMetByOthers,
  lockQueued,
  nextMailDue,
  postponeWriting,
  type Result,
  recordAttempt,
  saveLetter,
  type WaitingPlace,
} from './queries.ts';
import {
  afterTrouble,
  DOUBT_MS,
  GIVEN_UP_AFTER_MS,
  isLookLater,
  nextAttempt,
  REWRITE_AFTER_MS,
} from './retry-schedule.ts';
import type { MailServer, Outcome } from './smtp.ts';

/** Addresses and words of a mail are cleared so long after it was sent or given up. */
const CLEARED_AFTER_MS = 7 * DAY_MS;
/** The row of a mail without them is kept for a year and a month, so that no payment or refund is told of twice. */
const KEPT_MS = 400 * DAY_MS;
const CLEAR_BATCH = 500;
/** So many mails that wait are looked at by one statement. */
const GIVE_UP_BATCH = 2000;
/** Together with an attempt, less than its lease. */
const RECORDED_WITHIN_SECONDS = 60;

export type MailJobDeps = {
  readonly db: Db;
  /** null: this process sends nothing. */
  readonly server: MailServer | null;
  /** What a mail says, in the transaction that has it locked. */
  readonly write: (trx: Trx, mail: QueuedMail) => Promise<Writing>;
  readonly worker: string;
  readonly log: (error: unknown, message: string) => void;
};

/** Writes and sends mails; clears and later deletes those that are over, whether any are sent or not. */
export function mailJobs({ server, ...deps }: MailJobDeps): Job[] {
  return [...(server ? [sendMails({ ...deps, server })] : []), clearOldMails(deps.db)];
}

type SendDeps = MailJobDeps & { readonly server: MailServer };

const sendMails = (deps: SendDeps): Job => ({
  name: 'mail.send',
  cron: '*/2 * * * * *',
  wakeOn: 'kasi_mails',
  run: async (run) => {
    while (!run.signal.aborted && (await writeNext(deps, run)));
    while (!run.signal.aborted && (await sendNext(deps, run)));
  },
  nextDue: () => nextMailDue(deps.db),
});

const clearOldMails = (db: Db): Job => ({
  name: 'mail.clear',
  cron: '20 */10 * * * *',
  run: async ({ now, signal }) => {
    const old = { before: after(now, -GIVEN_UP_AFTER_MS), now };
    for (let place: WaitingPlace | null = FIRST_WAITING; place !== null && !signal.aborted; )
      place = await giveUp(db, old, place, GIVE_UP_BATCH);
    while (!signal.aborted && (await clearMails(db, after(now, -CLEARED_AFTER_MS), now, CLEAR_BATCH)) === CLEAR_BATCH);
    while (!signal.aborted && (await deleteOldMails(db, after(now, -KEPT_MS), CLEAR_BATCH)) === CLEAR_BATCH);
  },
});

/** Writes one queued mail; false when none is left. One that can't be written keeps no other waiting. */
async function writeNext(deps: SendDeps, { now }: JobRun): Promise<boolean> {
  let mail: QueuedMail | undefined;
  try {
    return await inTransaction(deps.db, async (trx) => {
      mail = await lockQueued(trx, now);
      if (mail) await write(trx, deps, mail, now);
      return mail !== undefined;
    });
  } catch (error) {
    if (isUnavailable(error) || mail === undefined) throw error;
    deps.log(error, `the mail ${mail.id} could not be written`);
    await postponeWriting(deps.db, mail.id, after(now, REWRITE_AFTER_MS), 'unwritten');
    return true;
  }
}

async function write(trx: Trx, deps: SendDeps, mail: QueuedMail, now: Date): Promise<void> {
  const writing = await deps.write(trx, mail);
  if (writing.kind === 'untold') return forgetMail(trx, mail.id);
  if (writing.kind === 'dropped') return dropMail(trx, mail.id, writing.reason, now);
  const { letter } = writing;
  if (!isPlainAddress(letter.recipient)) return dropMail(trx, mail.id, 'address', now);
  const limit = await findLimit(trx, mail, letter.recipient, now);
  if (limit === null) return saveLetter(trx, mail.id, letter, now);
  if (limit.kind === 'drop') return dropMail(trx, mail.id, limit.reason, now);
  return postponeWriting(trx, mail.id, limit.until, 'limit_recipient');
}

/** Sends due mails, as many as go at once; false when the run is over. A server that fails gets one mail a look. */
async function sendNext(deps: SendDeps, run: JobRun): Promise<boolean> {
  const { db, server, worker } = deps;
  const { failingSince, nextTryAt } = await readHealth(db);
  if (nextTryAt !== null && isLookLater(nextTryAt, run.now)) return false;
  const claimed = await (failingSince === null
    ? claimMails(db, worker, run.now, AT_ONCE)
    : claimProbe(db, worker, run.now));
  if (claimed.length === 0) return failingSince === null ? false : look(deps, run);
  const outcomes = await Promise.all(claimed.map((mail) => attempt(deps, mail, run)));
  const trouble = await findTrouble(db, claimed, outcomes, run.now);
  if (trouble !== null) await noteTrouble(db, server.name, trouble, run.now);
  else if (outcomes.some((outcome) => outcome !== null)) await noteWorks(db, run.now);
  return trouble === null;
}

/** What is wrong with the server by these outcomes; null where it works. See decision mail/two-make-a-trouble. */
async function findTrouble(
  db: Db,
  mails: readonly ClaimedMail[],
  outcomes: readonly (Outcome | null)[],
  now: Date,
): Promise<string | null> {
  if (outcomes.some((outcome) => outcome?.kind === 'sent')) return null;
  for (const [i, outcome] of outcomes.entries()) {
    if (outcome?.kind === 'trouble') return outcome.failure;
    if (outcome?.kind !== 'doubtful') continue;
    const { failure } = outcome;
    if (await isMetByOthers(db, mails[i]!, failure, after(now, -DOUBT_MS))) return failure;
  }
  return null;
}

/** Looks whether a server works again for which there is no mail. */
async function look({ db, server }: SendDeps, { now, signal }: JobRun): Promise<boolean> {
  const failure = await server.verify(signal);
  if (signal.aborted) return false;
  await (failure === null ? noteWorks(db, now) : noteTrouble(db, server.name, failure, now));
  return false;
}

/** One attempt; null when this process stops meanwhile: then nothing is known, and the lease ends by itself. */
async function attempt({ db, server, worker, log }: SendDeps, mail: ClaimedMail, run: JobRun): Promise<Outcome | null> {
  const outcome = await server.send(mail, run.signal);
  if (run.signal.aborted && outcome.kind !== 'sent') return null;
  await untilRecorded({
    record: () => recordAttempt(db, worker, mail, resultOf(mail, outcome, run.now), run.now),
    seconds: RECORDED_WITHIN_SECONDS,
    log: (error) => log(error, `what became of the mail ${mail.id} could not be recorded`),
    signal: run.signal,
  });
  return outcome;
}

/** What an outcome makes of a mail. Pure. */
function resultOf(mail: Pick<ClaimedMail, 'attempt' | 'createdAt'>, outcome: Outcome, now: Date): Result {
  if (outcome.kind === 'sent') return { status: 'sent' };
  const { kind, failure } = outcome;
  const nextAttemptAt =
    kind === 'refused' ? null : kind === 'trouble' ? afterTrouble(mail, now) : nextAttempt(mail, now);
  if (nextAttemptAt === null) return { status: 'failed', failure };
  return { status: 'pending', failure, nextAttemptAt, isTrouble: kind !== 'deferred' };
}
