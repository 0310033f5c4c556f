import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { CHECKS } from '../../scripts/doctor/checks.ts';
import { examine, type ReportLine } from '../../scripts/doctor/examine.ts';
import { examineStandby } from '../../scripts/doctor/standby.ts';
import { migrate } from '../../src/db/migrate.ts';
import { liveEnv, UNREACHED_NETWORK } from '../support/live.ts';
import { makeTestFolder } from '../support/run-folder.ts';
import { startPair, type TestPair } from '../support/standby.ts';

let pair: TestPair;
beforeAll(async () => {
  pair = await startPair(makeTestFolder(inject('runFolder')));
  await pair.primary.query('create role kasi_owner login; create role kasi_app login; create role reports login');
  await pair.primary.query('create database kasi owner kasi_owner');
  await pair.primary.query('create database other owner kasi_owner');
  await migrate(of('primary', 'postgres'), 'kasi_app');
});
afterAll(() => pair.stop());

const of = (server: 'primary' | 'standby', role = 'kasi_app', database = 'kasi'): string =>
  `postgresql://${role}@127.0.0.1:${pair[server].port}/${database}`;

async function report(readUrl: string | null): Promise<readonly string[]> {
  const database = { url: of('primary'), ownerUrl: of('primary', 'kasi_owner') };
  const env = liveEnv(database, [UNREACHED_NETWORK], readUrl === null ? {} : { DATABASE_READ_URL: readUrl });
  const lines = await examine(env, [{ name: 'standby', examine: examineStandby }]);
  const said = ({ ok, text }: ReportLine) => `${ok ? 'ok' : 'PROBLEM'} ${text}`;
  return lines.filter(({ check, ok }) => check === 'standby' || !ok).map(said);
}

const COPY = expect.stringMatching(/^ok a copy of this database, which was where the primary is after \d+ ms$/);

test('says that a standby is a copy which has caught up, or that there is none', async () => {
  await expect.poll(() => report(of('standby'))).toEqual([COPY]);
  expect(await report(null)).toEqual(['ok no DATABASE_READ_URL: the primary answers all reads']);
});

test('names a standby where the primary should be, for the processes and for the owner', async () => {
  const problems = async (server: 'primary' | 'standby', ownerServer: 'primary' | 'standby') => {
    const database = { url: of(server), ownerUrl: of(ownerServer, 'kasi_owner') };
    const env = liveEnv(database, [UNREACHED_NETWORK], { DATABASE_OWNER_URL: database.ownerUrl });
    const checks = CHECKS.filter(({ name }) => name === 'writes' || name === 'owner');
    return (await examine(env, checks)).filter(({ ok }) => !ok).map(({ check, text }) => `${check}: ${text}`);
  };
  const writes = expect.stringMatching(/^writes: DATABASE_URL leads to a standby, which takes no writes/);
  const behind = expect.stringMatching(/^owner: DATABASE_OWNER_URL leads to a standby, .*a backup lacks/);
  await expect.poll(() => problems('standby', 'standby')).toEqual([writes, expect.stringMatching(/does not own/)]);
  expect(await problems('primary', 'standby')).toEqual([behind]);
  expect(await problems('standby', 'primary')).toEqual([
    writes,
    expect.stringMatching(/^owner: DATABASE_OWNER_URL leads to another server or database than DATABASE_URL/),
  ]);
});

test('names what is no copy of this database', async () => {
  expect(await report(of('primary'))).toEqual([
    expect.stringMatching(/^PROBLEM DATABASE_READ_URL leads to a server that is no standby/),
  ]);
  expect(await report(of('standby', 'kasi_app', 'other'))).toEqual([
    expect.stringMatching(/^PROBLEM DATABASE_READ_URL names another database of the same server/),
  ]);
  const stranger = await startPair(makeTestFolder(inject('runFolder')));
  await stranger.primary.query('create role kasi_app login');
  await stranger.primary.query('create database kasi');
  const url = `postgresql://kasi_app@127.0.0.1:${stranger.standby.port}/kasi`;
  await expect
    .poll(() => report(url))
    .toEqual([expect.stringMatching(/^PROBLEM DATABASE_READ_URL leads to a copy of another server/)]);
  await stranger.stop();
});

test('names what the role may do, and what it may not read', async () => {
  expect(await report(of('standby', 'postgres'))).toEqual([
    COPY,
    expect.stringMatching(/^PROBLEM The role postgres of DATABASE_READ_URL is a superuser/),
  ]);
  expect(await report(of('standby', 'reports'))).toEqual([
    COPY,
    expect.stringMatching(/^PROBLEM The role reports of DATABASE_READ_URL may not read \w+, \w+, \w+/),
  ]);
});

test('names a view that the role may not read', async () => {
  const owner = new pg.Client({ connectionString: of('primary', 'postgres') });
  await owner.connect();
  await owner.query(`
    grant select on all tables in schema public to reports;
    revoke select on ledger_balances from reports`);
  await owner.end();
  await expect
    .poll(() => report(of('standby', 'reports')))
    .toEqual([COPY, expect.stringMatching(/^PROBLEM .* may not read ledger_balances, so lists fail/)]);
});

test('names a standby that does not replay, one that is away, and one on the timeline before', async () => {
  await pair.standby.query('select pg_wal_replay_pause()');
  await pair.primary.query('create role other login');
  expect(await report(of('standby'))).toEqual([
    expect.stringMatching(/^PROBLEM .*told to pause.*pg_wal_replay_resume/),
  ]);
  await pair.standby.query('select pg_wal_replay_resume()');
  await expect.poll(() => report(of('standby'))).toEqual([COPY]);
  const url = of('standby');
  await pair.standby.stop();
  expect(await report(url)).toEqual([
    expect.stringMatching(/^PROBLEM DATABASE_READ_URL does not answer.*ECONNREFUSED/),
  ]);
  await pair.restartStandby();
  await pair.turnTimeline();
  await pair.primary.query('checkpoint');
  expect(await report(of('standby'))).toEqual([
    expect.stringMatching(/^PROBLEM .* is on timeline 00000001, and that of the primary on 00000002.*pg_basebackup/),
  ]);
  await expect
    .poll(
      async () => {
        await pair.primary.query('checkpoint');
        await pair.standby.query('checkpoint');
        return report(of('standby'));
      },
      { timeout: 60_000, interval: 500 },
    )
    .toEqual([COPY]);
});
