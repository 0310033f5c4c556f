import { spawnSync } from 'node:child_process';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeRoles as makeRolesOf } from '../../src/db/make-roles.ts';
import { withDatabase } from '../support/database.ts';
import { makeRoles, openRolesServer, query, type RolesServer, run, urlsIn } from './roles-fixture.ts';

let server: RolesServer;
let adminUrl: string;

beforeAll(async () => {
  server = await openRolesServer();
  ({ adminUrl } = server);
});
afterAll(() => server.stop());

test('a run that can not be finished leaves the passwords that are in use', async () => {
  const { application, owner } = await makeRoles(adminUrl, { newPasswords: true });
  const holder = new pg.Client({ connectionString: adminUrl });
  await holder.connect();
  await holder.query('create table held ()');
  await holder.query('begin; lock table held');
  const hurried = new URL(adminUrl);
  hurried.searchParams.set('options', '-c lock_timeout=200');
  try {
    await expect(makeRoles(hurried.href, { newPasswords: true })).rejects.toThrow('lock timeout');
    for (const { url } of [application, owner]) expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await holder.query('rollback');
    const anew = await makeRoles(adminUrl, { newPasswords: true });
    expect(anew.application.made).toBe('new password');
    expect(await query(anew.application.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await expect(query(application.url, 'select 1')).rejects.toThrow('password authentication failed');
  } finally {
    await holder.query('rollback; drop table held');
    await holder.end();
  }
});

test('what a first run could not finish is made anew by the next one, which shows passwords that let in', async () => {
  const server = withDatabase(adminUrl, 'postgres');
  await query(server, `create role maker login createrole password 'x'`);
  const asMaker = Object.assign(new URL(withDatabase(adminUrl, 'fresh')), { username: 'maker', password: 'x' }).href;
  const options = { prefix: 'fresh', newPasswords: false, prove: async () => undefined };
  // It may make roles, and no database.
  await expect(makeRolesOf(asMaker, options)).rejects.toThrow('permission denied to create database');
  const { owner, application } = await makeRolesOf(withDatabase(adminUrl, 'fresh'), options);
  expect([owner.made, application.made]).toEqual(['new', 'new']);
  for (const { url } of [owner, application]) expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  const again = await makeRolesOf(withDatabase(adminUrl, 'fresh'), options);
  expect([again.owner.made, again.application.made]).toEqual(['kept', 'kept']);
  await query(
    server,
    'drop database fresh with (force)',
    ...['fresh_app', 'fresh_owner', 'maker'].map((role) => `drop role ${role}`),
  );
});

test('of two runs at once one ends in a line, because only the passwords of the other let in', async () => {
  await makeRoles(adminUrl, { newPasswords: true });
  const holder = new pg.Client({ connectionString: adminUrl });
  await holder.connect();
  await holder.query('create table held ()');
  await holder.query('begin; lock table held');
  try {
    const first = makeRoles(adminUrl, { newPasswords: true });
    const waiting = `select count(*)::int as n from pg_locks where not granted and relation = 'held'::regclass`;
    await expect.poll(() => query(adminUrl, waiting)).toEqual([{ n: 1 }]);
    const second = await run('database-roles.ts', { DATABASE_ADMIN_URL: adminUrl }, ['--new-passwords', '--of-all']);
    expect(second).toEqual({
      ...{ code: 1, out: '' },
      err: 'Another npx kasi database roles runs on this server: run this again once it has ended.\n',
    });
    await holder.query('rollback');
    const { owner, application } = await first;
    for (const { url } of [owner, application]) expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  } finally {
    await holder.query('rollback; drop table held');
    await holder.end();
  }
});

test('of two first runs at once for two databases one shows passwords, and they let in', async () => {
  const [one, two] = ['one', 'two'].map((name) => withDatabase(adminUrl, name)) as [string, string];
  await query(adminUrl, 'create database one');
  const holder = new pg.Client({ connectionString: one });
  await holder.connect();
  await holder.query('create table held ()');
  await holder.query('begin; lock table held');
  const make = (url: string, newPasswords = false) =>
    makeRolesOf(url, { newPasswords, prefix: 'pair', prove: async () => undefined });
  /** Waits for a run that waits for the owner's role. */
  const waitForRole = () => {
    const held = `select count(*)::int as n from pg_stat_activity
                   where wait_event_type = 'Lock' and query = 'alter role pair_owner login'`;
    return expect.poll(() => query(adminUrl, held)).toEqual([{ n: 1 }]);
  };
  try {
    const first = make(one).catch((error: unknown) => error);
    const waiting = `select count(*)::int as n from pg_locks where not granted and relation = 'held'::regclass`;
    await expect.poll(() => query(one, waiting)).toEqual([{ n: 1 }]);
    const { owner, application } = await make(two);
    await holder.query('rollback');
    expect(await first).toMatchObject({ message: expect.stringContaining('has changed these roles meanwhile') });
    for (const { url } of [owner, application]) expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(await make(one)).toMatchObject({ owner: { made: 'kept' }, application: { made: 'kept' } });
    // Also one that waits while another finishes a role, which a killed run had left.
    await query(adminUrl, `alter role pair_owner valid until '-infinity'`);
    await holder.query(`begin; alter role pair_owner valid until 'infinity'`);
    const late = make(one).catch((error: unknown) => error);
    await waitForRole();
    await holder.query('commit');
    expect(await late).toMatchObject({ message: expect.stringContaining('has changed these roles meanwhile') });
    // Repeated as it was, a run for new passwords would take those away that the other one has shown.
    await holder.query(`begin; alter role pair_owner password 'shown'`);
    const changing = make(one, true).catch((error: unknown) => error);
    await waitForRole();
    await holder.query('commit');
    expect(await changing).toMatchObject({
      message: expect.stringContaining('without --new-passwords: it keeps them'),
    });
  } finally {
    await holder.query('rollback');
    await holder.end();
    await query(adminUrl, 'drop database if exists one with (force)', 'drop database if exists two with (force)');
    await query(adminUrl, 'drop role if exists pair_app', 'drop role if exists pair_owner');
  }
});

test('of two runs at once for two databases that share their roles one is refused, because it takes away what the other shows', async () => {
  const [left, right] = ['left', 'right'].map((name) => withDatabase(adminUrl, name)) as [string, string];
  const make = (url: string, newPasswords: boolean) =>
    makeRolesOf(url, { newPasswords, prefix: 'both', prove: async () => undefined });
  for (const url of [left, right]) await make(url, false);
  const holder = new pg.Client({ connectionString: left });
  await holder.connect();
  await holder.query('create table held ()');
  await holder.query('begin; lock table held');
  try {
    const first = make(left, true);
    first.catch(() => undefined);
    const waiting = `select count(*)::int as n from pg_locks where not granted and relation = 'held'::regclass`;
    await expect.poll(() => query(left, waiting)).toEqual([{ n: 1 }]);
    await expect(make(right, true)).rejects.toThrow('Another npx kasi database roles runs on this server');
    // It shows no password.
    expect(await make(right, false)).toMatchObject({ owner: { made: 'kept' }, application: { made: 'kept' } });
    await holder.query('rollback');
    const { owner, application } = await first;
    for (const { url } of [owner, application]) expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    const described = `select shobj_description(oid, 'pg_authid') as said from pg_roles where rolname = 'both_app'`;
    expect(await query(left, described)).toEqual([{ said: null }]);
    expect(await make(right, true)).toMatchObject({ owner: { made: 'new password' } });
  } finally {
    await holder.query('rollback; drop table held');
    await holder.end();
    await query(
      adminUrl,
      'drop database if exists "left" with (force)',
      'drop database if exists "right" with (force)',
    );
    await query(adminUrl, 'drop role if exists both_app', 'drop role if exists both_owner');
  }
});

test('passwords that nothing read are made anew by the command that it names, for the same roles', async () => {
  const url = withDatabase(adminUrl, 'unread');
  // The fifo has had a reader, which left before the command begins.
  const shell = `exec 3> >(exec 0<&-); wait $!; "$0" scripts/database-roles.ts --prefix unread >&3`;
  const { status, stderr } = spawnSync('bash', ['-c', shell, process.execPath], {
    ...{ encoding: 'utf8', env: { PATH: process.env['PATH'] ?? '', DATABASE_ADMIN_URL: url } },
  });
  expect(status).toBe(1);
  const named = /EPIPE.* run npx kasi database roles (.+) for others,/.exec(stderr)?.[1];
  expect(named).toBe('--new-passwords --prefix unread');
  const made = await run('database-roles.ts', { DATABASE_ADMIN_URL: url }, named?.split(' '));
  expect(await query(urlsIn(made.out).DATABASE_URL, 'select current_user as me')).toEqual([{ me: 'unread_app' }]);
  await query(
    withDatabase(adminUrl, 'postgres'),
    'drop database unread with (force)',
    'drop role unread_app',
    'drop role unread_owner',
  );
});
