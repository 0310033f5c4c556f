import { sql } from 'kysely';
import type { Db } from '../../src/lib/db-types.ts';

export type Server = {
  /** Of one database of one run of a server: no other says the same. */
  readonly server: string;
  readonly recovers: boolean;
  readonly role: string;
  readonly owns: boolean;
};

/** Which database a connection has reached, and whether its role owns what is there. */
export async function readServer(db: Db): Promise<Server> {
  const { rows } = await sql<Server>`
    select d.oid || ' since ' || extract(epoch from pg_postmaster_start_time()) as server,
           pg_is_in_recovery() as recovers, current_user as role,
           not exists (
             select from pg_class c
              where c.relnamespace = 'public'::regnamespace and c.relname = 'kysely_migration'
                and not pg_has_role(c.relowner, 'USAGE')) as owns
      from pg_database d where d.datname = current_database()`.execute(db);
  if (!rows[0]) throw new Error('a server does not say which database this is');
  return rows[0];
}
