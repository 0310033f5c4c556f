import { afterAll, beforeAll, expect, test } from 'vitest';
import { withCopying } from '../../src/db/copying.ts';
import { openDatabase } from '../../src/db/database.ts';
import { makeRoles as makeRolesOf } from '../../src/db/make-roles.ts';
import { migrate } from '../../src/db/migrate.ts';
import { findRoleProblems, findSharing } from '../../src/db/role-rights.ts';
import { sealCanary } from '../../src/deployment/canary.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { createKeyRing } from '../../src/lib/envelope.ts';
import { withDatabase } from '../support/database.ts';
import { makeRoles, openRolesServer, query, type RolesServer, run, urlsIn } from './roles-fixture.ts';

const MASTER_KEY = Buffer.from('0123456789abcdef'.repeat(4), 'hex');

let server: RolesServer;
let adminUrl: string;

beforeAll(async () => {
  server = await openRolesServer();
  ({ adminUrl } = server);
});
afterAll(() => server.stop());

async function problemsOf(url: string): Promise<string[]> {
  const db = openDatabase({ url, poolMax: 1, applicationName: 'test', onError: () => {} });
  try {
    return await findRoleProblems(db);
  } finally {
    await db.destroy();
  }
}

async function warningsOf(url: string): Promise<string[]> {
  const db = openDatabase({ url, poolMax: 1, applicationName: 'test', onError: () => {} });
  try {
    return await findSharing(db);
  } finally {
    await db.destroy();
  }
}

test('two commands make the roles, the database and its schema; both may be repeated', async () => {
  const made = await run('database-roles.ts', { DATABASE_ADMIN_URL: adminUrl });
  expect(made).toMatchObject({ code: 0, err: '' });
  expect(made.out).toContain('Now run npx kasi migrate with both.');
  const urls = urlsIn(made.out);
  expect(await run('migrate.ts', urls)).toMatchObject({ code: 0, out: expect.stringContaining('kasi_app') });
  expect(await problemsOf(urls.DATABASE_URL)).toEqual([]);
  await migrate(urls.DATABASE_OWNER_URL, 'kasi_app');
  await refusesOthers(urls);
  // Without a question for them: what a session gets that a pooler opens.
  const limits = await query(urls.DATABASE_URL, 'show statement_timeout', 'show lock_timeout');
  expect(limits).toEqual([{ lock_timeout: '2s' }]);
  await expect(query(urls.DATABASE_URL, `update entries set amount = 1`)).rejects.toThrow('permission denied');
  await expect(query(urls.DATABASE_URL, 'alter table audit_log disable trigger all')).rejects.toThrow('must be owner');

  const again = await makeRoles(adminUrl, { newPasswords: false });
  expect(again).toMatchObject({ granted: true, owner: { made: 'kept' }, application: { made: 'kept' } });
  expect(new URL(again.application.url).password).toBe('');
  const changed = await makeRoles(adminUrl, { newPasswords: true });
  await expect(query(urls.DATABASE_URL, 'select 1')).rejects.toThrow('password authentication failed');
  expect(await query(changed.application.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

/** What both commands do with a database that belongs to the live deployment "shop". */
async function refusesOthers(urls: ReturnType<typeof urlsIn>): Promise<void> {
  const ring = createKeyRing(MASTER_KEY);
  await query(
    urls.DATABASE_OWNER_URL,
    `insert into deployment (id, mode, sealed_canary) values ('shop', 'live', '\\x${sealCanary(ring).toString('hex')}')`,
  );
  const live = { KASI_MODE: 'live', DEPLOYMENT_ID: 'shop', MASTER_KEY: MASTER_KEY.toString('hex') };
  const claims = [
    [{}, 'set KASI_MODE=live'],
    [{ KASI_MODE: 'live' }, 'DEPLOYMENT_ID is missing'],
    [{ ...live, DEPLOYMENT_ID: 'shop-test' }, 'The database belongs to the deployment "shop"'],
    [{ ...live, MASTER_KEY: 'a1b2c3d4e5f60718'.repeat(4) }, 'MASTER_KEY is not the key of this database'],
  ] as const;
  for (const [script, env, wrong] of [
    ['migrate.ts', urls, claims],
    ['database-roles.ts', { DATABASE_ADMIN_URL: adminUrl }, claims.slice(2, 3)],
  ] as const) {
    await query(urls.DATABASE_OWNER_URL, 'revoke insert on journals from kasi_app');
    for (const [claim, message] of wrong) {
      const refused = await run(script, { ...env, ...claim });
      expect([refused.code, refused.out, refused.err]).toEqual([1, '', expect.stringContaining(message)]);
    }
    expect(await mayBook(urls)).toBe(false);
    expect(await run(script, { ...env, ...live, MASTER_KEY: '' })).toMatchObject({ code: 0, err: '' });
    expect(await mayBook(urls)).toBe(true);
  }
}

/** Whether the application's role has a right that both commands grant anew. */
const mayBook = async ({ DATABASE_OWNER_URL: url }: ReturnType<typeof urlsIn>): Promise<boolean> => {
  const [row] = await query(url, `select has_table_privilege('kasi_app', 'journals', 'INSERT') as granted`);
  return (row as { granted: boolean }).granted;
};

test('a mistyped name of the database changes no password that processes of another have, and makes none', async () => {
  const { application } = await makeRoles(adminUrl, { newPasswords: true });
  const refused = await run('database-roles.ts', { DATABASE_ADMIN_URL: withDatabase(adminUrl, 'shpo') }, [
    '--new-passwords',
  ]);
  expect([refused.code, refused.out]).toEqual([1, '']);
  expect(refused.err).toMatch(
    /^There is no database shpo, and kasi_owner and kasi_app are there already, .*--prefix.*\n$/,
  );
  expect(await query(application.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  const found = await query(withDatabase(adminUrl, 'postgres'), `select from pg_database where datname = 'shpo'`);
  expect(found).toEqual([]);
});

test('a database that one strong role has made and owns is given to the owner, and the role is limited', async () => {
  await query(
    withDatabase(adminUrl, 'postgres'),
    'alter role kasi_app createrole createdb',
    'grant kasi_owner to kasi_app',
  );
  await query(withDatabase(adminUrl, 'postgres'), 'create database one owner kasi_app');
  const oneUrl = withDatabase(adminUrl, 'one');
  await migrate(oneUrl);
  await query(
    oneUrl,
    `set role postgres`,
    'alter table entries owner to kasi_app',
    'grant create on schema public to public',
  );
  const { owner, application } = await makeRoles(oneUrl, { newPasswords: true });
  expect(await problemsOf(application.url)).toEqual([]);
  const foreign = `select c.relname from pg_class c where relnamespace = 'public'::regnamespace
     and pg_get_userbyid(relowner) <> 'kasi_owner'`;
  expect(await query(oneUrl, foreign)).toEqual([]);
  expect(await query(owner.url, 'select count(*)::int as n from entries')).toEqual([{ n: 0 }]);
});

test('a role that may only make roles and databases is enough', async () => {
  await query(
    withDatabase(adminUrl, 'postgres'),
    'drop database if exists shop with (force)',
    'drop database if exists one with (force)',
    'drop role kasi_app',
    'drop role kasi_owner',
    'create role steward login createrole createdb',
  );
  const url = new URL(adminUrl);
  url.username = 'steward';
  const { owner, application } = await makeRoles(url.href, { newPasswords: false });
  await migrate(owner.url, 'kasi_app');
  // It may not read the tables before it is lent the owner's role, in which the identity is compared.
  const seen: number[] = [];
  const prove = async (db: Db) => {
    seen.push((await db.selectFrom('deployment').select('id').execute()).length);
    throw new Error('not mine');
  };
  await expect(makeRolesOf(url.href, { newPasswords: true, prove })).rejects.toThrow('not mine');
  expect(seen).toEqual([0]);
  expect(await query(owner.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(await makeRoles(url.href, { newPasswords: false })).toMatchObject({ granted: true });
  expect(await problemsOf(application.url)).toEqual([]);
});

test('two deployments on one server: neither may log in to the database of the other, however they came to be', async () => {
  const [firstUrl, secondUrl] = [withDatabase(adminUrl, 'first'), withDatabase(adminUrl, 'second')];
  const first = await makeRoles(firstUrl, { newPasswords: true });
  const shared = await makeRoles(secondUrl, { newPasswords: true });
  await migrate(shared.owner.url, 'kasi_app');
  await query(withDatabase(adminUrl, 'postgres'), `create role stranger login password 'x'`);
  const stranger = Object.assign(new URL(secondUrl), { username: 'stranger', password: 'x' }).href;
  await expect(query(stranger, 'select 1')).rejects.toThrow('permission denied for database');
  // With roles of the same names the first one's process may read the second's rows, and both commands say so.
  expect(shared.sharedWith).toContain('first');
  const warned = await run('database-roles.ts', { DATABASE_ADMIN_URL: secondUrl });
  expect(warned.out).toMatch(/^kasi_owner and kasi_app may also log in to .*first.*--prefix/m);
  expect(await warningsOf(shared.application.url)).toEqual([expect.stringMatching(/may also log in to .*first/)]);
  const shares = await asksBeforeItLocksOut(secondUrl, shared.application.url);

  const made = await run('database-roles.ts', { DATABASE_ADMIN_URL: secondUrl }, ['--prefix', 'second']);
  expect(made).toMatchObject({ code: 0, err: '' });
  const own = urlsIn(made.out);
  expect([new URL(own.DATABASE_OWNER_URL).username, new URL(own.DATABASE_URL).username]).toEqual([
    'second_owner',
    'second_app',
  ]);
  expect(made.out).not.toContain('may also log in');
  expect(await run('migrate.ts', own)).toMatchObject({ code: 0, out: expect.stringContaining('second_app') });
  expect([await problemsOf(own.DATABASE_URL), await warningsOf(own.DATABASE_URL)]).toEqual([[], []]);
  for (const [url, elsewhere] of [
    [shares.DATABASE_URL, 'second'],
    [shares.DATABASE_OWNER_URL, 'second'],
    [own.DATABASE_URL, 'first'],
    [own.DATABASE_OWNER_URL, 'first'],
  ] as const)
    await expect(query(withDatabase(url, elsewhere), 'select 1')).rejects.toThrow('permission denied for database');
  expect(await query(withDatabase(shares.DATABASE_URL, 'first'), 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(await query(secondUrl, `select has_table_privilege('kasi_app', 'payments', 'SELECT') as may`)).toEqual([
    { may: false },
  ]);
  expect(first.owner.name).toBe('kasi_owner');
  const refused = await run('database-roles.ts', { DATABASE_ADMIN_URL: secondUrl }, ['--prefix', 'no good']);
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('--prefix')]);
  await query(
    withDatabase(adminUrl, 'postgres'),
    'drop database first with (force)',
    'drop database second with (force)',
    ...['stranger', 'second_app', 'second_owner'].map((role) => `drop role ${role}`),
  );
});

/** New passwords of roles that another database has, too, change nothing until the operator says that they may. */
async function asksBeforeItLocksOut(secondUrl: string, inUse: string): Promise<ReturnType<typeof urlsIn>> {
  const ask = (...options: readonly string[]) => run('database-roles.ts', { DATABASE_ADMIN_URL: secondUrl }, options);
  const refused = await ask('--new-passwords');
  expect([refused.code, refused.out]).toEqual([1, '']);
  expect(refused.err).toMatch(/^kasi_owner and kasi_app may also log in to .*first.*locked out.*--of-all\.\n$/);
  expect(await query(inUse, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(await ask('--of-all')).toMatchObject({ code: 2, err: expect.stringContaining('goes with --new-passwords') });
  const changed = await ask('--of-all', '--new-passwords');
  expect([changed.code, changed.err]).toEqual([0, '']);
  await expect(query(inUse, 'select 1')).rejects.toThrow('password authentication failed');
  const urls = urlsIn(changed.out);
  expect(await query(urls.DATABASE_URL, 'select 1 as one')).toEqual([{ one: 1 }]);
  return urls;
}

test.for<[string, string, string]>([
  ['grant pg_write_all_data to kasi_app', 'revoke pg_write_all_data from kasi_app', 'pg_write_all_data'],
  [
    'grant pg_execute_server_program to kasi_app',
    'revoke pg_execute_server_program from kasi_app',
    'pg_execute_server_program',
  ],
  ['grant postgres to kasi_app', 'revoke postgres from kasi_app', 'may become the superuser postgres'],
  ['alter role kasi_app bypassrls', 'alter role kasi_app nobypassrls', 'BYPASSRLS'],
  ['alter role kasi_app replication', 'alter role kasi_app noreplication', 'REPLICATION'],
  [
    'create role helper createrole; grant helper to kasi_app',
    'revoke helper from kasi_app; drop role helper',
    'may make roles',
  ],
  [
    // What a role does not inherit it has after SET ROLE.
    'alter role kasi_app noinherit; create role helper; grant update on entries to helper; grant helper to kasi_app',
    'drop owned by helper; drop role helper; alter role kasi_app inherit',
    'may change rows that are written once: entries',
  ],
  [
    'grant update (amount) on entries to kasi_app',
    'revoke update (amount) on entries from kasi_app',
    'may change rows that are written once: entries',
  ],
  [
    'create role helper; grant kasi_owner to helper; grant helper to kasi_app',
    'revoke helper from kasi_app; drop role helper',
    'owns tables or functions',
  ],
])('names what would let the application past the rules: %s', async ([give, take, text]) => {
  const { url: appUrl, asAdmin } = await aloneDatabase();
  await query(asAdmin, give);
  try {
    expect(await problemsOf(appUrl)).toEqual([expect.stringContaining(text)]);
  } finally {
    await query(asAdmin, take);
  }
  expect(await problemsOf(appUrl)).toEqual([]);
});

let alone: Promise<{ readonly url: string; readonly asAdmin: string }> | undefined;

/** A database with a schema, its application's URL, and the superuser's; made once. */
const aloneDatabase = (): NonNullable<typeof alone> => {
  alone ??= (async () => {
    const asAdmin = withDatabase(adminUrl, 'alone');
    const { owner, application } = await makeRoles(asAdmin, { newPasswords: true });
    await migrate(owner.url, 'kasi_app');
    return { url: application.url, asAdmin };
  })();
  return alone;
};

test('a copy is not given up for what its role may not see, nor for what the server does not track', async () => {
  const url = new URL(withDatabase(adminUrl, 'postgres'));
  await query(
    url.href,
    "create role holder; create role lent login password 'lent' in role holder; alter role lent set role holder",
  );
  const slowly = (from: URL) =>
    withCopying(
      from.href,
      'kasi-test',
      async (db) => {
        await db.query('select pg_sleep(1)');
        return db.query('select current_user as user, session_user as session');
      },
      { lookEveryMs: 100 },
    );
  const lent = new URL(url);
  [lent.username, lent.password] = ['lent', 'lent'];
  expect(await slowly(lent)).toEqual([{ user: 'holder', session: 'lent' }]);
  url.searchParams.set('options', '-c track_activities=off');
  expect(await slowly(url)).toHaveLength(1);
});
