import { sql } from 'kysely';
import type { Db } from '../lib/db-types.ts';
import { StartError } from '../lib/errors.ts';
import { APPEND_ONLY, READ_ONLY } from './migrate.ts';

type Rights = {
  readonly name: string;
  readonly superuser: boolean;
  readonly makes_roles: boolean;
  readonly skips_triggers: boolean;
  readonly owns_schema: boolean;
  readonly creates: boolean;
  readonly owned: readonly string[] | null;
  readonly triggers: readonly string[] | null;
  readonly rewrites: readonly string[] | null;
};

/**
 * What the connected role could do that the application never needs: with each it could change the ledger or the audit
 * log past the rules of the database. Empty for the application's role; for live processes and `npm run doctor`.
 */
export async function findRoleProblems(db: Db): Promise<string[]> {
  return describe(await readRights(db));
}

function describe(rights: Rights): string[] {
  const { name } = rights;
  const powers = rights.superuser
    ? ['is a superuser']
    : [
        ...(rights.owned ? [`owns tables or functions (${rights.owned.slice(0, 3).join(', ')})`] : []),
        ...(rights.owns_schema ? ['owns the schema public'] : []),
        ...(rights.makes_roles ? ['may make roles'] : []),
        ...(rights.skips_triggers ? ['may set session_replication_role, which turns triggers off'] : []),
        ...(rights.creates ? ['may create tables and functions in the schema public'] : []),
        ...(rights.triggers
          ? [`may truncate or put triggers on tables (${rights.triggers.slice(0, 3).join(', ')})`]
          : []),
        ...(rights.rewrites ? [`may change rows that are written once: ${rights.rewrites.join(', ')}`] : []),
      ];
  if (powers.length === 0) return [];
  const cure =
    'run npm run database:roles, which makes a role for the owner and one for the application, and use theirs';
  return [`The role ${name} of DATABASE_URL ${powers.join(', ')}: ${cure}.`];
}

/** Throws StartError, with the cure, unless the connected role can do no more than the application needs. */
export async function requireApplicationRole(db: Db): Promise<void> {
  refuse(await findRoleProblems(db));
}

/** The same before a migration, which grants anew what the role may do with rows. */
export async function requireNoOwner(db: Db): Promise<void> {
  refuse(describe({ ...(await readRights(db)), rewrites: null }));
}

function refuse([problem]: readonly string[]): void {
  if (problem !== undefined) throw new StartError(problem);
}

async function readRights(db: Db): Promise<Rights> {
  const { rows } = await sql<Rights>`
    with tables as (
      select c.oid, c.relname::text as name, c.relowner as owner
        from pg_class c
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
    ),
    owned as (
      select name, owner from tables
      union all
      select proname::text, proowner from pg_proc where pronamespace = 'public'::regnamespace
    )
    select r.rolname::text as name, r.rolsuper as superuser, r.rolcreaterole as makes_roles,
           has_parameter_privilege('session_replication_role', 'SET') as skips_triggers,
           pg_has_role(n.nspowner, 'MEMBER') as owns_schema,
           has_schema_privilege('public', 'CREATE') as creates,
           (select array_agg(o.name order by o.name) from owned o where pg_has_role(o.owner, 'MEMBER')) as owned,
           (select array_agg(t.name order by t.name) from tables t
             where has_table_privilege(t.oid, 'TRIGGER') or has_table_privilege(t.oid, 'TRUNCATE')) as triggers,
           (select array_agg(t.name order by t.name) from tables t
             where t.name = any (${[...APPEND_ONLY, ...READ_ONLY]}::text[])
               and (has_table_privilege(t.oid, 'UPDATE') or has_table_privilege(t.oid, 'DELETE'))) as rewrites
      from pg_roles r
      join pg_namespace n on n.nspname = 'public'
     where r.rolname = current_user`.execute(db);
  if (!rows[0]) throw new StartError('The database has no schema public: create it, or restore the database anew.');
  return rows[0];
}
