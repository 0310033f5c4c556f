import { setTimeout as sleep } from 'node:timers/promises';
import type { Copying } from '../db/copying.ts';
import { findHeldFile, RESTORE_MARK } from '../deployment/restored.ts';
import { BackupRefusal } from './refusal.ts';
import { quoteName } from './tables.ts';

/** Everything in the schema public but for extensions, as what drops it; sequences of columns go with their tables. */
const THINGS = `
  select format('drop %s if exists %s cascade', kind, name) as drop, name
    from (select case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence'
                                when 'f' then 'foreign table' else 'table' end as kind,
                 c.oid::regclass::text as name, c.oid, 'pg_class'::regclass as class
            from pg_class c
           where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
             and not (c.relkind = 'S' and exists (
               select from pg_depend d where d.objid = c.oid and d.refobjsubid > 0 and d.deptype in ('a', 'i')))
          union all
          select 'routine', p.oid::regprocedure::text, p.oid, 'pg_proc'::regclass
            from pg_proc p where p.pronamespace = 'public'::regnamespace
          union all
          select 'type', t.oid::regtype::text, t.oid, 'pg_type'::regclass
            from pg_type t where t.typnamespace = 'public'::regnamespace and t.typtype in ('d', 'e')) as things
   where not exists (select from pg_depend d where d.objid = things.oid and d.classid = class and d.deptype = 'e')
   order by kind <> 'view', kind, name`;

const TURN_MS = 20_000;
const ASK_MS = 250;

type Thing = { readonly drop: string; readonly name: string };

/**
 * Takes an empty database for a restore, and marks it: from here on no process starts on it. Empties one that an
 * earlier restore has marked and not finished. One that holds the whole copy of this file is left as it is: who ran
 * that restore may have been told nothing. Throws BackupRefusal for any other. The lock goes with the connection.
 */
export async function takeTarget(db: Copying, fileId: string): Promise<'to be filled' | 'whole'> {
  await takeTurn(db);
  const things = await db.query<Thing>(THINGS);
  const has = (wanted: string): boolean => things.some(({ name }) => name === wanted);
  const isOurs = has(RESTORE_MARK);
  if (!isOurs && has('restores') && (await findHeldFile(db)) === fileId) return 'whole';
  if (things.length > 0 && !isOurs) {
    throw new BackupRefusal(
      `The database is not empty (${things.length} tables and functions, such as ${things[0]?.name}): make a new one, as its ` +
        'owner, and name it in DATABASE_OWNER_URL and DATABASE_URL (npx kasi database roles makes it with its roles).',
    );
  }
  if (!isOurs) await db.query(`create table ${quoteName(RESTORE_MARK)} (begun_at timestamptz not null default now())`);
  await db.query('begin');
  for (const { drop, name } of things) if (name !== RESTORE_MARK) await db.query(drop);
  await db.query('commit');
  return 'to be filled';
}

/** The server notices that a restore was killed only at the end of its statement, so its lock is waited for a while. */
async function takeTurn(db: Copying): Promise<void> {
  for (let waitedMs = 0; waitedMs <= TURN_MS; waitedMs += ASK_MS) {
    const [lock] = await db.query<{ ours: boolean }>(`select pg_try_advisory_lock(hashtext('kasi restore')) as ours`);
    if (lock?.ours) return;
    await sleep(ASK_MS);
  }
  throw new BackupRefusal('Another restore into this database is running: wait for its end.');
}

/** The restore is whole: what holds the copy from now on is its row in `restores`. */
export const finishTarget = (db: Copying): Promise<unknown> => db.query(`drop table ${quoteName(RESTORE_MARK)}`);
