import { type Selectable, sql } from 'kysely';
import type { WebhookCertifications } from '../../../generated/db.ts';
import type { Db, Trx } from '../../lib/db-types.ts';
import type { Check } from './play.ts';

/** A run that a process has leased. */
export type ClaimedRun = {
  readonly id: string;
  readonly merchantId: string;
  readonly url: string;
  /** How often it was started, this time included. Together with the worker's name it fences what is saved. */
  readonly plays: number;
};

/** The lease of a claimed run, renewed by every check; longer than any check may take. */
const LEASE_SECONDS = 45;
/** How often a run is started at most. See decision webhooks/a-dead-certification-starts-over-once. */
const PLAYS_MAX = 2;
/** How many runs are kept for each merchant; a new one deletes older ones. */
const KEPT_MAX = 50;

const leaseEnd = sql<Date>`clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})`;
const checksOf = (checks: readonly Check[]) => sql<never>`${JSON.stringify(checks)}::jsonb`;

export type Draft = {
  readonly id: string;
  readonly merchantId: string;
  readonly url: string;
  readonly checks: Check[];
};

/** Adds a run and wakes the certifiers at the commit. False when the merchant already has a running one. */
export async function insertRun(trx: Trx, draft: Draft, now: Date): Promise<boolean> {
  const { rows } = await sql`
    with run as (
      insert into webhook_certifications (id, merchant_id, url, checks, created_at)
      values (${draft.id}, ${draft.merchantId}, ${draft.url}, ${checksOf(draft.checks)}, ${now})
      on conflict (merchant_id) where status = 'running' do nothing
      returning id
    )
    select pg_notify('kasi_certifications', '') from run`.execute(trx);
  if (rows.length === 0) return false;
  await forgetOld(trx, draft.merchantId);
  return true;
}

async function forgetOld(trx: Trx, merchantId: string): Promise<void> {
  await sql`
    delete from webhook_certifications where id in (
      select id from webhook_certifications where merchant_id = ${merchantId}
       order by created_at desc, id desc offset ${KEPT_MAX})`.execute(trx);
}

/** A run of the merchant. */
export async function findRun(
  db: Db,
  merchantId: string,
  id: string,
): Promise<Selectable<WebhookCertifications> | undefined> {
  return db
    .selectFrom('webhook_certifications')
    .selectAll()
    .where('id', '=', id)
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
}

/** The id of the merchant's running certification. */
export async function findRunning(trx: Trx, merchantId: string): Promise<string | undefined> {
  const row = await trx
    .selectFrom('webhook_certifications')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where('status', '=', 'running')
    .executeTakeFirst();
  return row?.id;
}

/**
 * Leases runs that no process plays, the oldest first. A run whose process died starts over, once, with all checks
 * pending.
 */
export async function claimRuns(db: Db, worker: string, limit: number, checks: Check[]): Promise<ClaimedRun[]> {
  const { rows } = await sql<ClaimedRun>`
    update webhook_certifications
       set locked_by = ${worker}, locked_until = ${leaseEnd}, plays = plays + 1, checks = ${checksOf(checks)}
     where id in (
       select id from webhook_certifications
        where status = 'running' and plays < ${PLAYS_MAX}
          and (locked_until is null or locked_until < clock_timestamp())
        order by created_at limit ${limit} for update skip locked)
    returning id, merchant_id as "merchantId", url, plays`.execute(db);
  return rows;
}

/** Interrupts runs whose lease has ended and that may not be started again. */
export async function interruptRuns(db: Db, now: Date): Promise<void> {
  await db
    .updateTable('webhook_certifications')
    .set({ status: 'interrupted', finished_at: now, locked_by: null, locked_until: null })
    .where('status', '=', 'running')
    .where('plays', '>=', PLAYS_MAX)
    .where((eb) => eb.or([eb('locked_until', 'is', null), eb('locked_until', '<', sql<Date>`clock_timestamp()`)]))
    .execute();
}

/** An update that is fenced: it changes nothing unless the run is still this worker's. */
const updateLeased = (db: Db, worker: string, run: ClaimedRun) =>
  db
    .updateTable('webhook_certifications')
    .where('id', '=', run.id)
    .where('locked_by', '=', worker)
    .where('plays', '=', run.plays);

/** Saves the checks so far and renews the lease. False when the lease is lost. */
export async function saveProgress(
  db: Db,
  worker: string,
  run: ClaimedRun,
  checks: readonly Check[],
): Promise<boolean> {
  const { numUpdatedRows } = await updateLeased(db, worker, run)
    .set({ checks: checksOf(checks), locked_until: leaseEnd })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends a run with its verdict. */
export async function finishRun(
  db: Db,
  worker: string,
  run: ClaimedRun,
  result: { readonly checks: readonly Check[]; readonly verdict: 'passed' | 'failed' },
  now: Date,
): Promise<void> {
  await updateLeased(db, worker, run)
    .set({
      status: 'completed',
      verdict: result.verdict,
      checks: checksOf(result.checks),
      finished_at: now,
      locked_by: null,
      locked_until: null,
    })
    .execute();
}

/** Gives a run back, so that another process can start it at once. This start doesn't count. */
export async function releaseRun(db: Db, worker: string, run: ClaimedRun): Promise<void> {
  await updateLeased(db, worker, run)
    .set({ plays: run.plays - 1, locked_by: null, locked_until: null })
    .execute();
}
