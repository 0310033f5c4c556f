import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../lib/db-types.ts';
import { firstIdAt, type Id, newId } from '../lib/ids.ts';
import { recipientKey } from './addresses.ts';
import {
  type ClaimedMail,
  type DropReason,
  effectOf,
  type Letter,
  type MailDraft,
  type OperatorMailKind,
  type QueuedMail,
} from './mail.ts';
import { isDue, selectProbe } from './probe.ts';

const LEASE = sql<Date>`clock_timestamp() + interval '2 minutes'`;

/**
 * Queues mails in the transaction of what they tell of; what was queued before is not queued again. Locks the row of
 * one that is: who writes it just now, and finds that there is nothing to tell, has forgotten it before this goes on.
 */
export async function enqueueMails(trx: Trx, drafts: readonly MailDraft[], now: Date): Promise<void> {
  if (drafts.length === 0) return;
  const each = new Map(drafts.map((draft) => [effectOf(draft), draft]));
  // Sorted, so that two transactions lock the same rows in the same order.
  const sorted = [...each.values()].sort((a, b) => (effectOf(a) < effectOf(b) ? -1 : 1));
  await sql`
    insert into mails (id, effect, kind, merchant_id, payment_id, refund_id, next_attempt_at, created_at)
    select *, ${now}::timestamptz, ${now}::timestamptz
      from unnest(${sorted.map(() => newId('mail', now))}::text[], ${sorted.map(effectOf)}::text[],
                  ${sorted.map(({ kind }) => kind)}::text[], ${sorted.map(({ merchantId }) => merchantId)}::text[],
                  ${sorted.map(({ paymentId }) => paymentId)}::text[],
                  ${sorted.map(({ refundId }) => refundId)}::text[])
    on conflict (effect) do update set next_attempt_at = mails.next_attempt_at where mails.status = 'queued'`.execute(
    trx,
  );
  trx.wake('kasi_mails');
}

/** Stores mails whose words are there already; what is stored under the same effect is not stored again. */
export async function storeLetters(
  trx: Trx,
  kind: OperatorMailKind,
  letters: readonly { readonly effect: string; readonly letter: Letter }[],
  now: Date,
): Promise<void> {
  for (const { effect, letter } of letters) {
    const { recipient, subject, text, html, replyTo, language } = letter;
    await trx
      .insertInto('mails')
      .values({
        ...{ id: newId('mail', now), effect, kind, status: 'pending', recipient, subject, language },
        ...{ recipient_key: recipientKey(recipient), text_body: text, html_body: html, reply_to: replyTo },
        ...{ written_at: now, next_attempt_at: now, created_at: now },
      })
      .onConflict((conflict) => conflict.column('effect').doNothing())
      .execute();
  }
  if (letters.length > 0) trx.wake('kasi_mails');
}

/** Locks the oldest mail that is to be written; skips those that another process writes. */
export async function lockQueued(trx: Trx, now: Date): Promise<QueuedMail | undefined> {
  const { rows } = await sql<QueuedMail>`
    select id, kind, merchant_id as "merchantId", payment_id as "paymentId", refund_id as "refundId" from mails
     where status = 'queued' and next_attempt_at <= ${now}
     order by next_attempt_at, id limit 1 for update skip locked`.execute(trx);
  return rows[0];
}

/** Stores what a locked mail says; it is due at once. */
export async function saveLetter(trx: Trx, id: string, letter: Letter, now: Date): Promise<void> {
  const { recipient, subject, text, html, replyTo, language } = letter;
  await trx
    .updateTable('mails')
    .set({
      ...{ status: 'pending', recipient, recipient_key: recipientKey(recipient), subject, language },
      ...{ text_body: text, html_body: html, reply_to: replyTo, written_at: now, next_attempt_at: now },
    })
    .where('id', '=', id)
    .execute();
}

/** Ends a locked mail that is not sent. */
export async function dropMail(trx: Trx, id: string, reason: DropReason, now: Date): Promise<void> {
  const over = { status: 'dropped', failure: reason, next_attempt_at: null, finished_at: now };
  await trx.updateTable('mails').set(over).where('id', '=', id).execute();
}

/** Forgets a locked mail, as if it had never been queued. */
export async function forgetMail(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('mails').where('id', '=', id).where('status', '=', 'queued').execute();
}

/** Puts off the writing of a mail. */
export async function postponeWriting(
  db: Db | Trx,
  id: string,
  until: Date,
  failure: 'unwritten' | 'limit_recipient',
): Promise<void> {
  const later = { next_attempt_at: until, failure };
  await db.updateTable('mails').set(later).where('id', '=', id).where('status', '=', 'queued').execute();
}

/** How many mails may have been written of one address since a time: of one merchant, and of all. */
export type AddressLimits = { readonly pair: number; readonly recipient: number };

type Written = {
  readonly payment: number;
  readonly merchant: number;
  /** When the first of those mails was written that have used up a limit of their address; null while none is. */
  readonly pairFullSince: Date | null;
  readonly recipientFullSince: Date | null;
};

/** What was written of a payment, and since a time of a merchant and to an address. */
export async function readWritten(
  trx: Trx,
  { merchantId, paymentId }: Pick<QueuedMail, 'merchantId' | 'paymentId'>,
  { recipient, most, since }: { readonly recipient: string; readonly most: AddressLimits; readonly since: Date },
): Promise<Written> {
  const key = recipientKey(recipient);
  // One at a time, so that two that are written at once count each other.
  await sql`select pg_advisory_xact_lock(hashtext('kasi mails'))`.execute(trx);
  const { rows } = await sql<Written>`
    select (select count(*) from mails where payment_id = ${paymentId} and written_at is not null)::integer as payment,
      (select count(*) from mails where merchant_id = ${merchantId} and written_at > ${since})::integer as merchant,
      (select written_at from mails where recipient_key = ${key} and merchant_id = ${merchantId}
          and written_at > ${since} order by written_at desc offset ${most.pair - 1} limit 1) as "pairFullSince",
      (select written_at from mails where recipient_key = ${key} and written_at > ${since}
        order by written_at desc offset ${most.recipient - 1} limit 1) as "recipientFullSince"`.execute(trx);
  return rows[0]!;
}

type ClaimedRow = ClaimedMail & { readonly id: Id<'mail'> };

/** Claims due mails for an attempt each, oldest first; a lease that ends makes them due again. */
export const claimMails = (db: Db, worker: string, now: Date, limit: number): Promise<ClaimedMail[]> =>
  claim(
    db,
    worker,
    sql`select id from mails where ${isDue(now)} order by next_attempt_at, id limit ${limit} for update skip locked`,
  );

/**
 * Claims the due mail that says most about a server in trouble: one that has not met trouble twice itself, of the
 * merchant whose mails meet least.
 */
export const claimProbe = (db: Db, worker: string, now: Date): Promise<ClaimedMail[]> =>
  claim(db, worker, selectProbe(now));

async function claim(db: Db, worker: string, due: RawBuilder<unknown>): Promise<ClaimedMail[]> {
  const { rows } = await sql<ClaimedRow>`
    update mails set locked_by = ${worker}, locked_until = ${LEASE}, attempts = attempts + 1
     where id in (${due})
    returning id, recipient, subject, text_body as text, html_body as html, reply_to as "replyTo", language,
      attempts as attempt, created_at as "createdAt"`.execute(db);
  return rows;
}

/** What an attempt leaves of a mail. */
export type Result =
  | { readonly status: 'sent' }
  | { readonly status: 'failed'; readonly failure: string }
  | {
      readonly status: 'pending';
      readonly failure: string;
      readonly nextAttemptAt: Date;
      /** It may have been the server's. */
      readonly isTrouble: boolean;
    };

/** Records an attempt. Does nothing when its lease has ended and another attempt began. */
export async function recordAttempt(
  db: Db,
  worker: string,
  { id, attempt }: Pick<ClaimedMail, 'id' | 'attempt'>,
  result: Result,
  now: Date,
): Promise<void> {
  const { status } = result;
  await db
    .updateTable('mails')
    .set({
      status,
      failure: status === 'sent' ? null : result.failure,
      next_attempt_at: status === 'pending' ? result.nextAttemptAt : null,
      finished_at: status === 'pending' ? null : now,
      ...(status === 'pending' && result.isTrouble && { troubles: sql<number>`troubles + 1` }),
      ...{ locked_by: null, locked_until: null },
    })
    .where('id', '=', id)
    .where('locked_by', '=', worker)
    .where('attempts', '=', attempt)
    .where('status', '=', 'pending')
    .execute();
}

/** Whether mails to other addresses have met a failure, too, and none was sent since a time. */
export async function isMetByOthers(db: Db, mail: ClaimedMail, failure: string, since: Date): Promise<boolean> {
  const { rows } = await sql<{ met: boolean }>`
    select exists (select from mails where next_attempt_at is not null and status = 'pending' and troubles > 0
                      and failure = ${failure} and recipient_key <> ${recipientKey(mail.recipient)})
       and not exists (select from mails where status = 'sent' and cleared_at is null and finished_at > ${since})
           as met`.execute(db);
  return rows[0]?.met ?? false;
}

/** A place among the mails that wait, in the order in which they are due. Text, because a Date has fewer digits. */
export type WaitingPlace = { readonly dueAt: string; readonly id: string };

export const FIRST_WAITING: WaitingPlace = { dueAt: '-infinity', id: '' };

/**
 * Gives up those of the next `limit` mails that wait which were queued before a time and are not under way just now.
 * Returns the place of the last one; null when there are no more. A server that was away for a day has left more than
 * one statement can end in its time: none of them would ever have been given up.
 */
export async function giveUp(
  db: Db,
  { before, now }: { readonly before: Date; readonly now: Date },
  place: WaitingPlace,
  limit: number,
): Promise<WaitingPlace | null> {
  const { rows } = await sql<WaitingPlace & { readonly looked: number }>`
    with waiting as materialized (
      select id, next_attempt_at, created_at from mails
       where next_attempt_at is not null and (next_attempt_at, id) > (${place.dueAt}::timestamptz, ${place.id})
       order by next_attempt_at, id limit ${limit}
    ), given_up as (
      update mails set status = 'failed', failure = coalesce(failure, 'too late'), next_attempt_at = null,
          finished_at = ${now}, locked_by = null, locked_until = null
       where id in (
         select id from mails
          where id in (select id from waiting where created_at < ${before})
            and next_attempt_at is not null and (locked_until is null or locked_until < clock_timestamp())
            for update skip locked)
    )
    select count(*) over ()::integer as looked, next_attempt_at::text as "dueAt", id from waiting
     order by next_attempt_at desc, id desc limit 1`.execute(db);
  const [last] = rows;
  return last && last.looked === limit ? { dueAt: last.dueAt, id: last.id } : null;
}

/** Clears addresses and words of mails that were over before a time; returns how many. */
export async function clearMails(db: Db, before: Date, now: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update mails set recipient = null, recipient_key = null, subject = null, text_body = null, html_body = null,
        reply_to = null, cleared_at = ${now}
     where id in (select id from mails where finished_at < ${before} and cleared_at is null
                   order by finished_at limit ${limit} for update skip locked)`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/**
 * Deletes up to `limit` cleared mails that were queued before `before`; returns how many. Their ids sort by time, so no
 * index is needed for it.
 */
export async function deleteOldMails(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    delete from mails where id in (
      select id from mails where id < ${firstIdAt('mail', before)} and cleared_at is not null
       order by id limit ${limit} for update skip locked) returning id`.execute(db);
  return rows.length;
}

/** When the next mail is due; null when none waits. */
export async function nextMailDue(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(next_attempt_at) as at from mails where next_attempt_at is not null`.execute(db);
  return rows[0]?.at ?? null;
}

/** How many mails were over since a time, within what is kept, by what became of them; up to `most` of each. */
export async function countFinished(db: Db, since: Date, most: number) {
  const { rows } = await sql<{ status: string; count: number }>`
    select s.status, (
        -- In the order of mails_over, which no other index has: where most are of one status PostgreSQL may look for
        -- the few of another among all of the day.
        select count(*) from (select from mails m
                               where (m.status, m.finished_at) > (s.status, ${since}) and m.status <= s.status
                                 and m.finished_at is not null and m.cleared_at is null
                               order by m.status desc, m.finished_at desc limit ${sql.lit(most)}) counted
      )::float8 as count
      from unnest(array['sent', 'failed', 'dropped']) as s (status)`.execute(db);
  return rows;
}
