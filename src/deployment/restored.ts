import type { Copying } from '../db/copying.ts';
import { hasTable } from '../db/has-table.ts';
import type { Db, Trx } from '../lib/db-types.ts';

/** The table that marks a database into which a restore writes. The restore makes it before anything else. */
export const RESTORE_MARK = 'restore_in_progress';

/** No release knows it as a migration, and it sorts behind all of them: releases from before `restores` refuse it. */
const RUNS_ON_NOTHING = 'the release of a restored copy (npx kasi restore --release)';

type Querying = Pick<Copying, 'query'>;

/** A restore that nobody has released yet. */
export type Held = { readonly fileId: string; readonly takenAt: Date; readonly restoredAt: Date };

/** The restore because of which no process starts; undefined when there is none. */
export async function findHeld(db: Db | Trx): Promise<Held | undefined> {
  if (!(await hasTable(db, 'restores'))) return undefined;
  return db
    .selectFrom('restores')
    .select(['file_id as fileId', 'taken_at as takenAt', 'restored_at as restoredAt'])
    .where('released_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The file whose whole copy is held here; as the owner, in a database with the schema of a restore. */
export async function findHeldFile(owner: Querying): Promise<string | undefined> {
  const [held] = await owner.query<{ file_id: string }>(
    'select file_id from restores where released_at is null order by id desc limit 1',
  );
  return held?.file_id;
}

/** Why nothing may run on this database, with the cure; null where it may. A copy that is held may be read. */
export async function findRestoreProblem(db: Db | Trx, only: 'reads' | 'works'): Promise<string | null> {
  if (await hasTable(db, RESTORE_MARK)) {
    return (
      'A restore into this database has begun and did not come to its end: run npx kasi restore with the file again, ' +
      'which begins anew'
    );
  }
  const held = only === 'reads' ? undefined : await findHeld(db);
  if (!held) return null;
  return (
    `This database was restored on ${held.restoredAt.toISOString()} from a copy of ${held.takenAt.toISOString()}, and nothing ` +
    'runs on it until somebody has looked at what was lost since: npx kasi restore --release says what to look at, and ' +
    'lets it run'
  );
}

/** Keeps every release from starting on the copy; as the owner, in the transaction that loads it. */
export async function hold(owner: Querying, { fileId, takenAt }: Omit<Held, 'restoredAt'>): Promise<void> {
  await owner.query(
    'insert into restores (file_id, taken_at, runs_since) select $1, $2, runs_since from schema_compatibility',
    [fileId, takenAt],
  );
  await owner.query('update schema_compatibility set runs_since = $1', [RUNS_ON_NOTHING]);
}

/** Lets processes start again; as the owner. A second call changes nothing. */
export async function release(owner: Querying): Promise<void> {
  await owner.query('begin');
  await owner.query(
    `update schema_compatibility c set runs_since = r.runs_since
       from (select runs_since from restores where released_at is null order by id desc limit 1) as r
      where c.runs_since = $1`,
    [RUNS_ON_NOTHING],
  );
  await owner.query('update restores set released_at = clock_timestamp() where released_at is null');
  await owner.query('commit');
}
