import { sql } from 'kysely';
import { inTransaction } from '../db/transaction.ts';
import { followIncident, resolveIncidentsIf } from '../incidents/incidents.ts';
import { after } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import { INCIDENT_AFTER_MS, nextLook } from './retry-schedule.ts';

/** How the mail server is, as every process sees it. */
export type ServerHealth = { readonly failingSince: Date | null; readonly nextTryAt: Date | null };

/** Whether the server takes mails, and else when it is looked at again. */
export async function readHealth(db: Db): Promise<ServerHealth> {
  const row = await db.selectFrom('mail_server').select(['failing_since', 'next_try_at']).executeTakeFirstOrThrow();
  return { failingSince: row.failing_since, nextTryAt: row.next_try_at };
}

/** Notes that a server failed, and opens the incident once it has for long enough. */
export const noteTrouble = (db: Db, server: string, failure: string, now: Date): Promise<void> =>
  inTransaction(db, async (trx) => {
    const before = await trx.selectFrom('mail_server').selectAll().forUpdate().executeTakeFirstOrThrow();
    // By a clock that ran ahead it would have begun in the future.
    const since = before.failing_since && before.failing_since < now ? before.failing_since : now;
    const failures = before.failures + 1;
    const next = { failing_since: since, failures, next_try_at: nextLook(failures, now), failure };
    await trx.updateTable('mail_server').set(next).execute();
    if (after(since, INCIDENT_AFTER_MS) > now) return;
    const message = `${server} has taken no mail since ${since.toISOString()}: ${failure}.`;
    await followIncident(trx, { kind: 'mail.failing', subject: server, message }, now);
  });

/** Notes that a server works, and resolves its incident. Writes nothing where that was known. */
export async function noteWorks(db: Db, now: Date): Promise<void> {
  const { failingSince } = await readHealth(db);
  if (failingSince === null) return;
  await inTransaction(db, async (trx) => {
    const works = { failing_since: null, failures: 0, next_try_at: null, failure: null };
    await trx.updateTable('mail_server').set(works).execute();
    // Whatever it was called then.
    await resolveIncidentsIf(trx, 'mail.failing', () => sql<boolean>`true`, now);
  });
}
