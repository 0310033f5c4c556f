import { sql } from 'kysely';
import { isAny } from '../db/is-any.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Db } from '../lib/db-types.ts';
import { newId } from '../lib/ids.ts';
import type { JsonObject } from '../lib/json.ts';
import { piecesOf } from '../lib/pieces-of.ts';
import { untilRecorded } from '../lib/until-recorded.ts';
import type { Job, JobRun } from '../ports/job.ts';
import {
  type AlertOutcome,
  type ClaimedAlert,
  claimAlerts,
  insertAlert,
  lockUnalerted,
  lockUnlogged,
  markLogged,
  nextAlertDue,
  recordAlert,
} from './alert-queries.ts';
import { kindOf, presentSummary } from './present.ts';
import { deleteOldAlerts, deleteOldIncidents, keptSince, resolveUnseen } from './prune.ts';
import type { IncidentRow } from './queries.ts';

const BATCH_MAX = 100;
const PRUNED_MAX = 500;
/** Incidents that one alert tells of. */
const TOLD_MAX = 50;
/** Attempts at once; all of them end within the lease of 60 seconds. */
const AT_ONCE = 10;
/** Together with an attempt, less than its lease. */
const RECORDED_WITHIN_SECONDS = 40;

export type IncidentJobDeps = {
  readonly db: Db;
  /** Writes one structured line. */
  readonly note: (fields: JsonObject, message: string) => void;
  /** Makes one attempt and never throws; null: alerts are sent nowhere. */
  readonly post: ((alert: ClaimedAlert, run: JobRun) => Promise<AlertOutcome>) | null;
  readonly worker: string;
  readonly log: (error: unknown, message: string) => void;
};

/** Logs each incident once, tells of it by an alert, and forgets it long after its end. */
export const incidentJobs = (deps: IncidentJobDeps): Job[] => [logIncidents(deps), sendAlerts(deps), prune(deps.db)];

/** See decision incidents/logged-by-a-job. */
const logIncidents = ({ db, note }: IncidentJobDeps): Job => ({
  name: 'incidents.log',
  cron: '*/2 * * * * *',
  hasWork: () => isAny(sql`incidents where logged_at is null order by id`),
  run: async ({ now, signal }) => {
    while (!signal.aborted) {
      const logged = await inTransaction(db, async (trx) => {
        const rows = await lockUnlogged(trx, BATCH_MAX);
        for (const row of rows) note({ incident: { ...presentSummary(row) } }, `incident ${row.kind}: ${row.message}`);
        if (rows.length > 0)
          await markLogged(
            trx,
            rows.map(({ id }) => id),
            now,
          );
        return rows.length;
      });
      if (logged < BATCH_MAX) return;
    }
  },
});

const sendAlerts = (deps: IncidentJobDeps): Job => ({
  name: 'incidents.alert',
  cron: '*/2 * * * * *',
  run: async (run) => {
    const { post } = deps;
    if (!post) return;
    await inTransaction(deps.db, async (trx) => {
      const byKind = Map.groupBy(await lockUnalerted(trx, run.now, BATCH_MAX * TOLD_MAX), ({ kind }) => kind);
      for (const [kind, incidents] of byKind) {
        for (const told of piecesOf(incidents, TOLD_MAX)) {
          const alert = { id: newId('alert', run.now), kind, body: bodyOf(kind, told, run.now) };
          await insertAlert(
            trx,
            alert,
            told.map(({ id }) => id),
            run.now,
          );
        }
      }
    });
    while (!run.signal.aborted) {
      const claimed = await claimAlerts(deps.db, deps.worker, run.now, AT_ONCE);
      await Promise.all(
        claimed.map(async (alert) => {
          const outcome = await post(alert, run);
          await untilRecorded({
            record: () => recordAlert(deps.db, deps.worker, alert, outcome, run.now),
            seconds: RECORDED_WITHIN_SECONDS,
            log: (error) => deps.log(error, `what became of the alert ${alert.id} could not be recorded`),
            signal: run.signal,
          });
        }),
      );
      if (claimed.length < AT_ONCE) return;
    }
  },
  nextDue: async () => (deps.post ? nextAlertDue(deps.db) : null),
});

/** Incidents before alerts, because an alert stays with its incidents. */
const prune = (db: Db): Job => ({
  name: 'incidents.prune',
  cron: '0 41 * * * *',
  run: async ({ now, signal }) => {
    await resolveUnseen(db, now);
    const before = keptSince(now);
    for (const deleteBatch of [deleteOldIncidents, deleteOldAlerts]) {
      while (!signal.aborted && (await deleteBatch(db, before, PRUNED_MAX)) === PRUNED_MAX);
    }
  },
});

/** What an alert says; the chapter "Incidents" of the documentation shows one. */
function bodyOf(kind: string, incidents: readonly IncidentRow[], now: Date): string {
  const { severity, title, meaning, effect, action } = kindOf(kind);
  const data = { kind, severity, title, meaning, effect, action, incidents: incidents.map(presentSummary) };
  return JSON.stringify({ type: 'incident.opened', timestamp: now.toISOString(), data });
}
