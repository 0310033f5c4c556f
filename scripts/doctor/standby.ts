import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { readOrigin } from '../../src/db/copy-of.ts';
import { withDatabase } from '../../src/db/database.ts';
import { findRoleProblems } from '../../src/db/role-rights.ts';
import { SECOND_MS } from '../../src/lib/clock.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { messageOf } from '../../src/lib/errors.ts';
import { type Line, ok, type Patient, problem } from './line.ts';

const NAME = 'DATABASE_READ_URL';
/** A read waits for milliseconds, and the doctor for long enough to say that waiting is no use. */
const CAUGHT_UP_WITHIN_MS = 3 * SECOND_MS;
const LOOK_AGAIN_MS = 20;

/** Whether reads are answered by a standby: what each of them proves before, and why one would not be. */
export async function examineStandby({ config, db }: Patient): Promise<Line[]> {
  const url = config.databaseReadUrl;
  if (url === null) return [ok(`no ${NAME}: the primary answers all reads`)];
  const asked = withDatabase(url, 'kasi-doctor', async (standby) => {
    const origin = await examineOrigin(db, standby);
    if (origin !== null) return [origin];
    const role = config.mode === 'live' ? await findRoleProblems(standby, NAME) : [];
    return [await examineReplay(db, standby), await examineSight(db, standby), ...role.map(problem)].filter(
      (l) => l !== null,
    );
  });
  return asked.catch((error: unknown) => [
    problem(`${NAME} does not answer, so the primary answers all reads meanwhile: ${messageOf(error)}`),
  ]);
}

/** What is no copy of this database is never read. */
async function examineOrigin(db: Db, standby: Db): Promise<Line | null> {
  const { rows } = await sql<{ recovers: boolean }>`select pg_is_in_recovery() as recovers`.execute(standby);
  if (!rows[0]?.recovers)
    return problem(`${NAME} leads to a server that is no standby, so it is not used: name a standby, or leave it out`);
  const [ours, theirs] = await Promise.all([readOrigin(db), readOrigin(standby)]);
  if (ours.system !== theirs.system)
    return problem(
      `${NAME} leads to a copy of another server (system identifier ${theirs.system}, and not ${ours.system}), so it is ` +
        'not used: correct it',
    );
  if (ours.database !== theirs.database)
    return problem(
      `${NAME} names another database of the same server than DATABASE_URL, so it is not used: correct it`,
    );
  if (ours.timeline === theirs.timeline) return null;
  return problem(
    `${NAME}: the last checkpoint of the standby is on timeline ${theirs.timeline}, and that of the primary on ` +
      `${ours.timeline}, so the primary answers all reads. After a failover that passes with the next checkpoint, within ` +
      'checkpoint_timeout. If it stays, the standby follows a primary that is gone: make it anew (pg_rewind, pg_basebackup)',
  );
}

type Replay = { readonly bytes: string; readonly paused: boolean };

/** Whether the standby comes to where the primary is now. */
async function examineReplay(db: Db, standby: Db): Promise<Line> {
  const { rows } = await sql<{ end: string }>`select pg_current_wal_flush_lsn()::text as end`.execute(db);
  const end = rows[0]?.end ?? '0/0';
  const startMs = performance.now();
  for (;;) {
    const found = await sql<Replay>`
      select greatest(0, pg_wal_lsn_diff(${end}::pg_lsn, pg_last_wal_replay_lsn()))::text as bytes,
             pg_is_wal_replay_paused() as paused`.execute(standby);
    const { bytes = '', paused = false } = found.rows[0] ?? {};
    const tookMs = performance.now() - startMs;
    if (bytes === '0')
      return ok(`a copy of this database, which was where the primary is after ${Math.round(tookMs)} ms`);
    if (paused)
      return problem(
        `${NAME}: the standby does not replay, because it was told to pause, and the primary answers all reads: ` +
          'select pg_wal_replay_resume() there',
      );
    if (tookMs > CAUGHT_UP_WITHIN_MS)
      return problem(
        `${NAME}: the standby is still ${bytes} bytes of WAL behind after ${CAUGHT_UP_WITHIN_MS / SECOND_MS} seconds, so ` +
          'the primary answers most reads: see pg_stat_replication on the primary, and the log of the standby',
      );
    await sleep(LOOK_AGAIN_MS);
  }
}

/** What the role may not read that the application's may: such a read fails, and is not done again elsewhere. */
async function examineSight(db: Db, standby: Db): Promise<Line | null> {
  const [ours, theirs] = await Promise.all([readSight(db), readSight(standby)]);
  const unseen = ours.tables.filter((table) => !theirs.tables.includes(table));
  if (unseen.length === 0) return null;
  return problem(
    `The role ${theirs.role} of ${NAME} may not read ${unseen.slice(0, 3).join(', ')}, so lists fail: use that of ` +
      'DATABASE_URL',
  );
}

async function readSight(db: Db): Promise<{ readonly role: string; readonly tables: readonly string[] }> {
  const { rows } = await sql<{ role: string; tables: readonly string[] }>`
    select current_user as role,
           array(select relname::text from pg_class where relnamespace = 'public'::regnamespace
                   and relkind in ('r', 'p', 'v') and has_table_privilege(oid, 'SELECT')
                 order by 1) as tables`.execute(db);
  return rows[0] ?? { role: '', tables: [] };
}
