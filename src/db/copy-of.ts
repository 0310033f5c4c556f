import { Kysely, PostgresDialect, sql } from 'kysely';
import type pg from 'pg';
import type { DB } from '../../generated/db.ts';
import { findRoleProblems } from './role-rights.ts';

/** Which database this is, wherever a copy of it runs. */
export type Origin = {
  /** Which cluster the server is, or is a copy of. */
  readonly system: string;
  /** A copy has each database under the number of its original. */
  readonly database: string;
  /** Of the server's last checkpoint, in hex as in names of WAL's files: every primary begins another. */
  readonly timeline: string;
};

/** Reads it of the server that answers; fails where the role may not ask for it. */
export async function readOrigin(db: Kysely<DB>): Promise<Origin> {
  const { rows } = await sql<Origin>`
    select s.system_identifier::text as system, d.oid::text as database,
           lpad(upper(to_hex(c.timeline_id)), 8, '0') as timeline
      from pg_control_system() s, pg_control_checkpoint() c, pg_database d
     where d.datname = current_database()`.execute(db);
  if (!rows[0]) throw new Error('a server does not say what it is a copy of');
  return rows[0];
}

/**
 * Whether a connection leads to a copy of the primary's database on a timeline, by a role that can do no more. A
 * standby of another cluster, or one that stayed on the timeline of a primary that is gone, may be further and yet know
 * nothing of what was committed since; another database of the same cluster may be another deployment's. What was away
 * when the process started has proven none of it then.
 */
export function createCopies(primary: pg.Pool): (client: pg.PoolClient, timeline: string) => Promise<boolean> {
  const proven = new WeakMap<pg.PoolClient, string>();
  let isWeak = false;
  return async (client, timeline) => {
    if (proven.get(client) === timeline) return true;
    const standby = onConnection(client);
    const [[ours, ourPowers], theirs] = await Promise.all([
      ofPrimary(primary, async (db) => [await readOrigin(db), isWeak ? [] : await findRoleProblems(db)] as const),
      readOrigin(standby),
    ]);
    if (theirs.system !== ours.system || theirs.database !== ours.database || theirs.timeline !== timeline)
      return false;
    // A sandbox may use one role that owns all; then a standby shows no more.
    isWeak ||= ourPowers.length > 0 || (await findRoleProblems(standby)).length === 0;
    if (isWeak) proven.set(client, timeline);
    return isWeak;
  };
}

async function ofPrimary<T>(primary: pg.Pool, ask: (db: Kysely<DB>) => Promise<T>): Promise<T> {
  const client = await primary.connect();
  try {
    return await ask(onConnection(client));
  } finally {
    client.release();
  }
}

function onConnection(client: pg.PoolClient): Kysely<DB> {
  const lent = { query: client.query.bind(client), release: () => undefined };
  const pool = { connect: async () => lent, end: async () => undefined, options: {} };
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
}
