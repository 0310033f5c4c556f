import { type Kysely, sql } from 'kysely';
import type { DB } from '../../generated/db.ts';
import type { Db } from '../lib/db-types.ts';
import { StartError } from '../lib/errors.ts';
import { APPEND_ONLY, READ_ONLY } from './grants.ts';

type Rights = {
  readonly name: string;
  readonly superuser: boolean;
  /** Superusers that it is a member of. */
  readonly supers: readonly string[] | null;
  readonly predefined: readonly string[] | null;
  readonly attributes: readonly string[];
  readonly makes_roles: boolean;
  readonly skips_triggers: boolean;
  readonly owns_schema: boolean;
  readonly creates: boolean;
  readonly owned: readonly string[] | null;
  readonly triggers: readonly string[] | null;
  readonly rewrites: readonly string[] | null;
};

/**
 * Roles of PostgreSQL that write past the grants on tables, or run and write what only the server may: with a program
 * or a file on the server everything is possible.
 */
const PREDEFINED = [
  ...['pg_write_all_data', 'pg_execute_server_program', 'pg_write_server_files', 'pg_read_server_files'],
  ...['pg_create_subscription'],
];

/**
 * What the connected role could do that the application never needs: with each it could change the ledger or the audit
 * log past the rules of the database. Empty for the application's role; for live processes and `npx kasi doctor`.
 * `setting` is what named the role.
 */
export async function findRoleProblems(db: Kysely<DB>, setting = 'DATABASE_URL'): Promise<string[]> {
  return describe(await readRights(db), setting);
}

function describe(rights: Rights, setting: string): string[] {
  const { name } = rights;
  const powers = rights.superuser
    ? ['is a superuser']
    : [
        ...(rights.supers ? [`may become the superuser ${rights.supers.join(', ')}`] : []),
        ...(rights.predefined ? [`has the rights of ${rights.predefined.join(', ')}`] : []),
        ...(rights.attributes.length > 0 ? [`has the attribute ${rights.attributes.join(', ')}`] : []),
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
    'run npx kasi database roles, which makes a role for the owner and one for the application, and use theirs';
  return [`The role ${name} of ${setting} ${powers.join(', ')}: ${cure}.`];
}

/** Whether a role may log in to the database `d`, other than because every role may. */
export const LOGS_IN = (role: string): string => `d.datallowconn and not d.datistemplate and (
  pg_has_role(${role}, d.datdba, 'USAGE') or exists (
    select from aclexplode(d.datacl) a
     where a.privilege_type = 'CONNECT' and a.grantee <> 0 and pg_has_role(${role}, a.grantee, 'USAGE')))`;

/**
 * What would let a process of another deployment on the same server into this database, or one of this into another's:
 * each a sentence with its cure. A copy that was just restored shares its roles, and is meant to.
 */
export async function findSharing(db: Kysely<DB>): Promise<string[]> {
  const { rows } = await sql<{ role: string; others: readonly string[]; open: boolean }>`
    select current_user as role,
           array(select d.datname::text from pg_database d
                  where d.datname <> current_database() and ${sql.raw(LOGS_IN('current_user'))} order by 1) as others,
           exists (select from pg_database d, aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) a
                    where d.datname = current_database() and a.grantee = 0 and a.privilege_type = 'CONNECT') as open
      `.execute(db);
  const [{ role, others, open } = { role: '', others: [], open: false }] = rows;
  return [
    ...(others.length > 0
      ? [
          `The role ${role} may also log in to ${others.join(', ')}: if that is another deployment's, give each its own ` +
            'by npx kasi database roles --prefix',
        ]
      : []),
    ...(open ? ['Every role of the server may log in to this database: npx kasi database roles takes that back'] : []),
  ];
}

/** Throws StartError, with the cure, unless the connected role can do no more than the application needs. */
export async function requireApplicationRole(db: Db, setting: string): Promise<void> {
  refuse(await findRoleProblems(db, setting));
}

/** The same before a migration, which grants anew what the role may do with rows. */
export async function requireNoOwner(db: Db): Promise<void> {
  refuse(describe({ ...(await readRights(db)), rewrites: null }, 'DATABASE_URL'));
}

function refuse([problem]: readonly string[]): void {
  if (problem !== undefined) throw new StartError(problem);
}

async function readRights(db: Kysely<DB>): Promise<Rights> {
  const { rows } = await sql<Rights>`
    with tables as (
      select c.oid, c.relname::text as name, c.relowner as owner
        from pg_class c
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
    ),
    -- The role itself and every role that it may act as, also where it does not inherit what that one may.
    identities as (
      select i.oid, i.rolname::text as name, i.rolsuper, i.rolcreaterole
        from pg_roles i where pg_has_role(i.oid, 'MEMBER')
    ),
    owned as (
      select name, owner from tables
      union all
      select proname::text, proowner from pg_proc where pronamespace = 'public'::regnamespace
    )
    select r.rolname::text as name, r.rolsuper as superuser,
           (select array_agg(i.name order by i.name) from identities i where i.rolsuper and i.oid <> r.oid) as supers,
           (select array_agg(i.name order by i.name) from identities i
             where i.name = any (${PREDEFINED}::text[])) as predefined,
           array(select a.name from (values ('BYPASSRLS', r.rolbypassrls), ('REPLICATION', r.rolreplication))
                   as a (name, has) where a.has) as attributes,
           exists (select from identities i where i.rolcreaterole) as makes_roles,
           exists (select from identities i
                    where has_parameter_privilege(i.oid, 'session_replication_role', 'SET')) as skips_triggers,
           pg_has_role(n.nspowner, 'MEMBER') as owns_schema,
           exists (select from identities i where has_schema_privilege(i.oid, n.oid, 'CREATE')) as creates,
           (select array_agg(o.name order by o.name) from owned o where pg_has_role(o.owner, 'MEMBER')) as owned,
           (select array_agg(t.name order by t.name) from tables t where exists (
              select from identities i
               where has_table_privilege(i.oid, t.oid, 'TRIGGER')
                  or has_table_privilege(i.oid, t.oid, 'TRUNCATE'))) as triggers,
           (select array_agg(t.name order by t.name) from tables t
             where t.name = any (${[...APPEND_ONLY, ...READ_ONLY]}::text[]) and exists (
               select from identities i
                where has_any_column_privilege(i.oid, t.oid, 'UPDATE')
                   or has_table_privilege(i.oid, t.oid, 'DELETE'))) as rewrites
      from pg_roles r
      join pg_namespace n on n.nspname = 'public'
     where r.rolname = current_user`.execute(db);
  if (!rows[0]) throw new StartError('The database has no schema public: create it, or restore the database anew.');
  return rows[0];
}
