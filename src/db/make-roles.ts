import { randomBytes } from 'node:crypto';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Db } from '../lib/db-types.ts';
import { StartError } from '../lib/errors.ts';
import { withDatabase } from './database.ts';
import { grantRights } from './grants.ts';
import { expectLosses } from './losses.ts';
import { migrationNames } from './migrate.ts';
import { LOGS_IN } from './role-rights.ts';
import { judgeSchema, readSchema } from './schema-state.ts';
import { ROLE_DEFAULTS } from './session-limits.ts';

export type MadeRole = {
  readonly name: string;
  /** With the password if it was made now. */
  readonly url: string;
  readonly made: 'new' | 'kept' | 'new password';
};

export type MadeRoles = {
  readonly owner: MadeRole;
  readonly application: MadeRole;
  /** False while the schema is older than this release: the migration grants then. */
  readonly granted: boolean;
  /** Other databases of the server that these roles may log in to. */
  readonly sharedWith: readonly string[];
};

export type RoleOptions = {
  /** What the names of the roles begin with (`isRolePrefix`): roles are of the whole server. */
  readonly prefix?: string;
  readonly newPasswords: boolean;
  /** Whether roles that are there may get new passwords for a database that is not; they may be of another one's. */
  readonly mayTakeRoles?: boolean;
  /** Whether they may although other databases have the same roles, whose processes then need them, too. */
  readonly mayLockOut?: boolean;
  /** Throws when a database that is there already belongs to another deployment. Nothing was changed then. */
  readonly prove: (db: Db) => Promise<void>;
};

type Names = { readonly owner: string; readonly application: string };

const namesOf = (prefix: string): Names => ({ owner: `${prefix}_owner`, application: `${prefix}_app` });

/** Whether a text may stand before the names of roles; PostgreSQL cuts names at 63 characters. */
export const isRolePrefix = (text: string): boolean => /^[a-z][a-z0-9_]{0,50}$/.test(text);

const NO_DATABASE = '3D000';

/**
 * Makes the owner's and the application's role of the database that `adminUrl` names, and the database if there is
 * none; gives the owner everything in it, and the application no more than it needs. Idempotent: may be repeated, also
 * after it was killed. `adminUrl` is of a superuser, or of a role that may make roles and databases.
 */
export async function makeRoles(adminUrl: string, options: RoleOptions): Promise<MadeRoles> {
  const { newPasswords, prove, prefix = 'kasi', mayTakeRoles = true, mayLockOut = true } = options;
  if (!isRolePrefix(prefix)) throw new Error(`${prefix} is no prefix of roles`);
  const names = namesOf(prefix);
  const database = decodeURIComponent(new URL(adminUrl).pathname.slice(1));
  let isThere = true;
  const maker = await connect(adminUrl, database).catch(async (error: { code?: string }) => {
    if (error.code !== NO_DATABASE) throw error;
    isThere = false;
    return connect(adminUrl, 'postgres');
  });
  let [admin, holder]: (pg.Client | undefined)[] = [];
  try {
    await beAlone(maker, names);
    if (newPasswords) {
      holder = await connect(adminUrl, isThere ? database : 'postgres');
      await holdRoles(holder, names);
    }
    if (isThere) await proveDatabase(maker, adminUrl, database, prove);
    else if (newPasswords && !mayTakeRoles) await refuseNewPasswords(maker, database, names);
    if (newPasswords && !mayLockOut) await refuseLockingOut(maker, database, names);
    const make = (name: string) => makeRole(maker, adminUrl, name, newPasswords);
    const roles = { owner: await make(names.owner), application: await make(names.application) };
    await limitApplication(maker, names);
    await limitSessions(maker, names);
    await asMember(maker, names.owner, () => makeDatabase(maker, database, names));
    admin = await connect(adminUrl, database);
    if (!isThere) await beAlone(admin, names);
    const more = await fill(admin, adminUrl, database, names);
    await setPasswords(admin, [roles.owner, roles.application]);
    return { ...roles, ...more };
  } finally {
    await holder?.end();
    await admin?.end();
    await maker.end();
  }
}

/** Two at once would each show a password, and only one of both would be the role's. Held as long as its session. */
async function beAlone(client: pg.Client, { owner }: Names): Promise<void> {
  const { rows } = await client.query<{ ours: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 0)) as ours',
    [`kasi roles ${owner}`],
  );
  if (!rows[0]?.ours) throw runsAlready();
}

const runsAlready = (): StartError =>
  new StartError('Another npx kasi database roles runs on this server: run this again once it has ended.');

const LOCK_TIMEOUT = '55P03';

/**
 * An advisory lock is of one database only, and roles of the whole server. A comment locks its role for all of them; it
 * is never committed, and so is taken back with the session. It is the application's role, because granting
 * membership in a role, as this run may have to with the owner's, takes the same lock. One that is not there yet has no
 * password that another run could take away.
 */
async function holdRoles(client: pg.Client, { application }: Names): Promise<void> {
  if ((await isUnfinished(client, application)) === undefined) return;
  await client.query('begin; set local lock_timeout = 100; set local idle_in_transaction_session_timeout = 0');
  await client.query(`comment on role ${application} is 'gets another password'`).catch((error: { code?: string }) => {
    throw error.code === LOCK_TIMEOUT ? runsAlready() : error;
  });
}

/** Gives each role its rights in a database that is there. */
function fill(
  admin: pg.Client,
  adminUrl: string,
  database: string,
  names: Names,
): Promise<Pick<MadeRoles, 'granted' | 'sharedWith'>> {
  return asMember(admin, names.owner, async () => {
    await giveToOwner(admin, names);
    await keepOthersOut(admin, database, names);
    return {
      granted: await grant(adminUrl, database, names),
      sharedWith: await listShared(admin, database, names),
    };
  });
}

/** Of a database that is there the passwords are changed on purpose; a mistyped name would lock out another one's. */
async function refuseNewPasswords(client: pg.Client, database: string, names: Names): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'select rolname as name from pg_roles where rolname = any ($1) order by rolname desc',
    [Object.values(names)],
  );
  if (rows.length === 0) return;
  throw new StartError(
    `There is no database ${database}, and ${rows.map(({ name }) => name).join(' and ')} are there already, with passwords that ` +
      'the processes of another database may have: check the name in DATABASE_ADMIN_URL. For a new database leave out ' +
      '--new-passwords, or give it roles of its own by --prefix.',
  );
}

/** A password is of the role, and a role of the whole server. */
async function refuseLockingOut(client: pg.Client, database: string, names: Names): Promise<void> {
  const others = await listShared(client, database, names);
  if (others.length === 0) return;
  throw new StartError(
    `${names.owner} and ${names.application} may also log in to ${others.join(', ')}, whose processes would be locked out by new ` +
      'passwords. Nothing was changed. If that is another deployment, first give this one roles of its own: npx kasi ' +
      'database roles --prefix <name>. If it is a copy, or its processes get the new ones, too, repeat this with --of-all.',
  );
}

async function connect(adminUrl: string, database: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: withName(adminUrl, database), connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

function withName(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${encodeURIComponent(database)}`;
  return changed.href;
}

/** Compares the database as whoever may read it: the caller, or else the owner, whose role the caller can borrow. */
async function proveDatabase(
  client: pg.Client,
  adminUrl: string,
  database: string,
  prove: RoleOptions['prove'],
): Promise<void> {
  const { rows } = await client.query<{ readable: boolean }>(
    `select coalesce(bool_and(has_table_privilege(c.oid, 'SELECT')), true) as readable
       from pg_class c where c.relnamespace = to_regnamespace('public') and c.relkind in ('r', 'p')`,
  );
  const owner = await findOwner(client, database);
  if (rows[0]?.readable || owner === undefined) return withDatabase(adminUrl, 'kasi-roles', prove);
  const asOwner = new URL(adminUrl);
  asOwner.searchParams.set('options', `-c role=${owner}`);
  await asMember(client, owner, () => withDatabase(asOwner.href, 'kasi-roles', prove));
}

async function findOwner(client: pg.Client, database: string): Promise<string | undefined> {
  const { rows } = await client.query<{ owner: string }>(
    'select pg_get_userbyid(datdba) as owner from pg_database where datname = $1',
    [database],
  );
  return rows[0]?.owner;
}

/**
 * A new role can't log in by a password before its run has come to its end (`setPasswords`): one that failed or was
 * killed has shown none, so the next run makes it anew.
 */
async function makeRole(client: pg.Client, adminUrl: string, name: string, anew: boolean): Promise<MadeRole> {
  const url = new URL(adminUrl);
  url.username = name;
  url.password = '';
  const unfinished = await isUnfinished(client, name);
  const isNew = unfinished ?? true;
  if (!isNew && !anew) return { name, url: url.href, made: 'kept' };
  if (unfinished === undefined) await client.query(`create role ${name} login valid until '-infinity'`);
  url.password = randomBytes(24).toString('base64url');
  return { name, url: url.href, made: isNew ? 'new' : 'new password' };
}

/**
 * Last, and both or none: a run that fails before would lock processes out by passwords that were never shown. A lock
 * is of one database only, so a run for another one may have finished a role meanwhile that was new to this run, too.
 */
async function setPasswords(client: pg.Client, roles: readonly MadeRole[]): Promise<void> {
  await client.query('begin');
  for (const { name, url, made } of roles) {
    if (made === 'kept') continue;
    // A run that changes the role next waits for this transaction, so what is read now stays so.
    await client.query(`alter role ${name} login`).catch(refuseChanged);
    if (made === 'new' && !(await isUnfinished(client, name))) throw changedMeanwhile();
    const until = made === 'new' ? " valid until 'infinity'" : '';
    await client.query(`alter role ${name} login password '${new URL(url).password}'${until}`);
  }
  await client.query('commit');
}

async function isUnfinished(client: pg.Client, name: string): Promise<boolean | undefined> {
  const { rows } = await client.query<{ unfinished: boolean }>(
    `select coalesce(rolvaliduntil = '-infinity', false) as unfinished from pg_roles where rolname = $1`,
    [name],
  );
  return rows[0]?.unfinished;
}

/** A change that waited for another one of the same role fails with an internal error, whose code says nothing. */
function refuseChanged(error: Error): never {
  throw error.message === 'tuple concurrently updated' ? changedMeanwhile() : error;
}

/** Repeated as it was, a run for new passwords would take those away that the other one has shown. */
const changedMeanwhile = (): StartError =>
  new StartError(
    'Another npx kasi database roles, for another database of this server, has changed these roles meanwhile and shown ' +
      'their passwords. Run this again without --new-passwords: it keeps them. Or give this database roles of its own ' +
      'by --prefix.',
  );

/** Takes from the application's role what somebody may have given it. */
async function limitApplication(client: pg.Client, { application }: Names): Promise<void> {
  const { rows } = await client.query<{ rolsuper: boolean; strong: boolean }>(
    `select rolsuper, rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as strong
       from pg_roles where rolname = $1`,
    [application],
  );
  // Naming what a role does not have needs rights of its own.
  if (rows[0]?.rolsuper) await client.query(`alter role ${application} nosuperuser`);
  if (rows[0]?.strong) {
    await client.query(`alter role ${application} nocreaterole nocreatedb noreplication nobypassrls`);
  }
  const { rows: groups } = await client.query<{ name: string }>(
    `select quote_ident(g.rolname) as name
       from pg_auth_members m join pg_roles g on g.oid = m.roleid join pg_roles r on r.oid = m.member
      where r.rolname = $1`,
    [application],
  );
  for (const { name } of groups) await client.query(`revoke ${name} from ${application}`);
}

/** What sessions ask for, as defaults of the role, for those that a pooler opens, which asks for nothing. */
async function limitSessions(client: pg.Client, { application }: Names): Promise<void> {
  for (const [name, value] of Object.entries(ROLE_DEFAULTS)) {
    await client.query(`alter role ${application} set ${name} = ${client.escapeLiteral(String(value))}`);
  }
}

/** Only a superuser or a member of the owner's role can give it things. */
async function asMember<T>(client: pg.Client, role: string, work: () => Promise<T>): Promise<T> {
  const { rows } = await client.query<{ member: boolean; me: string }>(
    // From PostgreSQL 16 on a member of a role need not be allowed to act as it.
    `select rolsuper or pg_has_role($1,
              case when current_setting('server_version_num')::int < 160000 then 'MEMBER' else 'SET' end) as member,
            quote_ident(rolname) as me
       from pg_roles where rolname = current_user`,
    [role],
  );
  if (rows[0]?.member) return work();
  await client.query(`grant ${client.escapeIdentifier(role)} to ${rows[0]?.me}`);
  try {
    return await work();
  } finally {
    await client.query(`revoke ${client.escapeIdentifier(role)} from ${rows[0]?.me}`);
  }
}

async function makeDatabase(client: pg.Client, database: string, { owner, application }: Names): Promise<void> {
  const name = client.escapeIdentifier(database);
  const found = await findOwner(client, database);
  if (found === undefined)
    await client.query(`create database ${name} owner ${owner} template template0 encoding 'UTF8'`);
  else if (found !== owner) await client.query(`alter database ${name} owner to ${owner}`);
  await client.query(`grant connect on database ${name} to ${application}`);
}

/** Whatever is in the schema public and of no extension; sequences of columns go with their tables. */
const others = (owner: string): string => `
  select format('alter %s %s owner to ${owner}', kind, name) as statement
    from (select case c.relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view'
                                else 'table' end as kind,
                 c.oid::regclass::text as name, c.oid, c.relowner as owner, 'pg_class'::regclass as class
            from pg_class c
           where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S')
             and not (c.relkind = 'S' and exists (
               select from pg_depend d where d.objid = c.oid and d.refobjsubid > 0 and d.deptype in ('a', 'i')))
          union all
          select 'routine', p.oid::regprocedure::text, p.oid, p.proowner, 'pg_proc'::regclass
            from pg_proc p where p.pronamespace = 'public'::regnamespace
          union all
          select 'type', t.oid::regtype::text, t.oid, t.typowner, 'pg_type'::regclass
            from pg_type t where t.typnamespace = 'public'::regnamespace and t.typtype in ('d', 'e')) as things
   where pg_get_userbyid(owner) <> '${owner}'
     and not exists (select from pg_depend d where d.objid = things.oid and d.classid = class and d.deptype = 'e')`;

async function giveToOwner(client: pg.Client, { owner, application }: Names): Promise<void> {
  await client.query('begin');
  const { rows } = await client.query<{ statement: string }>(others(owner));
  for (const { statement } of rows) await client.query(statement);
  await client.query(`revoke create on schema public from public`);
  await client.query(`revoke create on schema public from ${application}`);
  await client.query(`grant usage, create on schema public to ${owner}`);
  await client.query(`revoke truncate, trigger, references on all tables in schema public from ${application}`);
  await client.query('commit');
}

/**
 * Takes from all others what PostgreSQL lets every role do, which is to log in, and from another such pair of roles,
 * which the database may have had before, all that it was granted. A maker that is no superuser keeps the right to log
 * in, to repeat this.
 */
async function keepOthersOut(client: pg.Client, database: string, { owner, application }: Names): Promise<void> {
  const name = client.escapeIdentifier(database);
  const { rows } = await client.query<{ me: string; former: readonly string[] }>(
    `select quote_ident(current_user) as me,
            array(select distinct a.grantee::regrole::text
                    from pg_database d, aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) a
                   where d.datname = $1 and a.grantee <> 0
                     and a.grantee::regrole::text not in ($2, $3)
                     and exists (select from pg_roles o, pg_roles p
                                  where o.rolname ~ '_owner$' and p.rolname = regexp_replace(o.rolname, 'owner$', 'app')
                                    and a.grantee in (o.oid, p.oid))) as former`,
    [database, owner, application],
  );
  await client.query(`grant connect on database ${name} to ${rows[0]?.me}`);
  await client.query(`revoke connect, temporary on database ${name} from public`);
  for (const role of rows[0]?.former ?? []) {
    await client.query(`revoke all on database ${name} from ${role}`);
    await client.query(`revoke all on all tables in schema public from ${role}`);
    await client.query(`revoke all on all sequences in schema public from ${role}`);
    await client.query(`revoke all on schema public from ${role}`);
  }
}

/** Other databases that these roles may log in to, of which the client need not be in this one. */
async function listShared(client: pg.Client, database: string, { owner, application }: Names): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select d.datname as name from pg_database d join pg_roles r on r.rolname in ($2, $3)
      where d.datname <> $1 and ${LOGS_IN('r.oid')} group by 1 order by 1`,
    [database, owner, application],
  );
  return rows.map(({ name }) => name);
}

/** Grants as the owner, if the schema is there. */
async function grant(adminUrl: string, database: string, { owner, application }: Names): Promise<boolean> {
  const pool = new pg.Pool({
    connectionString: withName(adminUrl, database),
    options: `-c role=${owner}`,
    max: 1,
  });
  expectLosses(pool, () => undefined); // What was under way over it fails.
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    const verdict = judgeSchema(await readSchema(db), migrationNames());
    if (verdict.kind !== 'current' && verdict.kind !== 'newer') return false;
    await grantRights(db, application);
    return true;
  } finally {
    await db.destroy();
  }
}
