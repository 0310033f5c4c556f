import { type Kysely, sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHECKS } from '../../scripts/doctor/checks.ts';
import { examine, presentReport } from '../../scripts/doctor/examine.ts';
import { type LiarProxy, startLiar } from '../../scripts/liars/proxy.ts';
import { type Config, parseConfig } from '../../src/config.ts';
import { openDatabase, withDatabase } from '../../src/db/database.ts';
import { grantRights } from '../../src/db/grants.ts';
import { adoptCopy } from '../../src/deployment/adopt.ts';
import { requireIdentity } from '../../src/deployment/identity.ts';
import { prepareInfrastructure } from '../../src/infrastructure.ts';
import type { Trx } from '../../src/lib/db-types.ts';
import { saveStored } from '../../src/settings/queries.ts';
import { type Anvil, startAnvil } from '../support/anvil.ts';
import { connectOwner, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { LIVE_CHAIN_ID, type LiveEntry, liveEnv, prepareLiveEntry } from '../support/live.ts';
import { startMailServer } from '../support/mail-server.ts';
import { runScript } from '../support/run-script.ts';
import { beforeMigration } from '../support/upgrade.ts';

const OTHER_KEY = 'ffeeddccbbaa99887766554433221100f0e1d2c3b4a5968778695a4b3c2d1e0f';

let node: Anvil;
let entry: LiveEntry;
let database: TestDatabase;

beforeAll(async () => {
  [node, database] = await Promise.all([startAnvil({ chainId: LIVE_CHAIN_ID }), createTestDatabase()]);
  entry = await prepareLiveEntry(node.url);
  // A hundred blocks, one every ten seconds.
  await node.rpc('anvil_mine', [100, 10]);
  await start(liveEnv(database, [entry]));
});
afterAll(() => Promise.all([node?.stop(), database?.drop()]));

/** What a start does before anything runs. */
async function start(env: Record<string, string>): Promise<void> {
  await (await prepareInfrastructure(parseConfig(env), pino({ level: 'silent' }))).stop();
}

describe('the doctor', () => {
  const problemsOf = async (env: Record<string, string>): Promise<string[]> =>
    (await examine(env)).filter(({ ok }) => !ok).map(({ check, text }) => `${check}: ${text}`);

  test('finds nothing wrong with a deployment that started, and names every check', async () => {
    expect(await problemsOf(liveEnv(database, [entry]))).toEqual([]);
    const report = presentReport(await examine(liveEnv(database, [{ ...entry, name: 'base-mainnet' }])));
    expect(report).toMatch(/^ok +settings +live, as api, scheduler, watcher$/m);
    expect(report).toMatch(/^ok +deployment +shop-production \(live\), since /m);
    expect(report).toMatch(/^ok +networks +eip155:8453 is "base"$/m);
    expect(report).toMatch(/^ok +nodes +base-mainnet: block \d+, our contracts stand, USDT \(6 decimals\)/m);
    expect(report).toMatch(/^ok +schema +as of \d{4}-/m);
    expect(report).toMatch(/^ok +role +it can do no more/m);
    expect(report).toMatch(/^ok +notify +what is sent is heard on DATABASE_URL$/m);
    expect(report).toMatch(/^ok +incidents +none is open$/m);
    expect(report).toMatch(/^ok +clock +of this machine: as that of the database, within /m);
    // The PostgreSQL of a run may lose everything.
    expect(report).toMatch(/^WARNING +commits +PostgreSQL runs with fsync and full_page_writes off, so a crash/m);
    expect(report).toMatch(/^WARNING +metrics +live without METRICS_PORT: /m);
    const slip = presentReport(await examine({ ...liveEnv(database, [entry]), RATE_LIMIT: 'x' }));
    expect(slip).toMatch(
      /^WARNING +settings +RATE_LIMIT is no setting of Kasi and is ignored: did you mean RATE_LIMITS\?$/m,
    );
    const measured = presentReport(await examine({ ...liveEnv(database, [entry]), METRICS_PORT: '9464' }));
    expect(measured).toMatch(/^ok +metrics +Prometheus reads them at 127\.0\.0\.1:9464$/m);
    expect(report).toMatch(
      /^ok +calls +base-mainnet: about 350,000 calls a month \(8 a minute\) while idle, about [\d,]+ calls a month /m,
    );
    expect(report).toMatch(
      /^WARNING +watchers +base: no process has watched it yet: start one with the role watcher$/m,
    );
    expect(report).toMatch(/^WARNING +jobs +no job has run yet: start a process with the role scheduler$/m);
  });

  test('asks every endpoint, each by itself', async () => {
    const liars = [await startLiar(node.url), await startLiar(node.url), await startLiar(node.url)];
    const [honest, foreign, forked] = liars as [LiarProxy, LiarProxy, LiarProxy];
    foreign.lie(({ method }) => (method === 'eth_chainId' ? { result: '0xa' } : undefined));
    forked.lie(({ method, params: [at] }) =>
      method === 'eth_getBlockByNumber' && at !== '0x0'
        ? { change: (block) => ({ ...(block as object), hash: `0x${'cd'.repeat(32)}` }) }
        : undefined,
    );
    const { rpcUrl: _, ...rest } = entry;
    const several = { ...rest, rpcUrls: [honest.url, foreign.url, forked.url] };
    const report = await examine(liveEnv(database, [several]));
    const [one, two, three] = liars.map(({ url }) => new URL(url).host);
    const textsOf = (check: string) => report.filter((line) => line.check === check).map(({ text }) => text);
    expect(textsOf('nodes')).toEqual([
      `base: ${two} serves chain 10, not 8453: correct the RPC URL`,
      expect.stringMatching(/^base: block \d+, our contracts stand/),
      `base: ${one} answers, as far as any`,
      expect.stringMatching(new RegExp(`^base: ${three} has 0xcdcd\\w+ as block \\d+, and ${one} has 0x`)),
    ]);
    expect(textsOf('calls')).toEqual([
      expect.stringContaining(`base: ${one}: about 350,000 calls a month (8 a minute) while idle, about `),
      `base: ${two}: about 170,000 calls a month (4 a minute) while idle, and a few for each transfer to us`,
      `base: ${three}: about 170,000 calls a month (4 a minute) while idle, and a few for each transfer to us`,
    ]);
    await Promise.all(liars.map((liar) => liar.close()));
  });

  test('says what differs, and goes on', async () => {
    const owner = await connectOwner(database);
    await owner.query("update deployment_networks set genesis_hash = '0xaa'");
    await owner.query(
      "insert into incidents (kind, subject, message, opened_at) values ('watcher.blind', 'base', 'x', now())",
    );
    await owner.end();
    const wrong = liveEnv(database, [{ ...entry, chainId: 10 }], {
      DEPLOYMENT_ID: 'shop-staging',
      MASTER_KEY: OTHER_KEY,
    });
    expect(await problemsOf(wrong)).toEqual([
      expect.stringMatching(/^deployment: .* DEPLOYMENT_ID is "shop-staging"/),
      expect.stringMatching(/^deployment: MASTER_KEY is not the key/),
      expect.stringMatching(/^networks: KASI_NETWORKS calls eip155:10 "base", which is the name of eip155:8453/),
      'nodes: base: its node serves chain 8453, not 10: correct the RPC URL',
      'incidents: 1 of watcher.blind are open: see GET /v1/admin/incidents',
    ]);
    expect(await problemsOf({ KASI_MODE: 'live' })).toEqual([expect.stringMatching(/^settings: .*DATABASE_URL is/s)]);
    expect(await problemsOf({ ...wrong, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })).toEqual([
      expect.stringMatching(/^database: .*ECONNREFUSED/),
    ]);
  });
});

describe('the doctor says of the database', () => {
  const problems = async (more: Record<string, string> = {}): Promise<string[]> =>
    (await examine(liveEnv(database, [entry], more)))
      .filter(({ ok, check }) => !ok && ['database', 'writes', 'role', 'owner'].includes(check))
      .map(({ check, text }) => `${check}: ${text}`);

  test('that its sessions only read', async () => {
    const name = new URL(database.ownerUrl).pathname.slice(1);
    const owner = await connectOwner(database);
    await owner.query(`alter database ${name} set default_transaction_read_only = on`);
    const found = await problems().finally(() =>
      owner.query(`alter database ${name} reset default_transaction_read_only`),
    );
    await owner.end();
    expect(found).toEqual([
      expect.stringMatching(/^writes: sessions of DATABASE_URL only read .*default_transaction_read_only/),
    ]);
    expect(await problems()).toEqual([]);
  });

  test('which rights its role lacks', async () => {
    const owner = await connectOwner(database);
    await owner.query(`
      revoke select, update on payments from kasi_app; revoke usage on sequence bitcoin_deposit_index from kasi_app;
      revoke update on deployment_tokens from kasi_app; revoke insert on events from kasi_app`);
    const found = await problems();
    await withDatabase(database.ownerUrl, 'test', (db) => grantRights(db as Kysely<unknown>, 'kasi_app'));
    await owner.end();
    expect(found).toEqual([
      'role: The role kasi_app of DATABASE_URL lacks rights that it needs (INSERT on events, SELECT on payments, UPDATE of ' +
        'decimals on deployment_tokens, and 3 more): npx kasi migrate grants them.',
    ]);
    expect(await problems()).toEqual([]);
  });

  test('that DATABASE_OWNER_URL leads elsewhere, does not answer, or is not the owner', async () => {
    const { ownerUrl, url } = database;
    expect(await problems({ DATABASE_OWNER_URL: ownerUrl })).toEqual([]);
    const other = await createTestDatabase();
    expect(await problems({ DATABASE_OWNER_URL: other.ownerUrl })).toEqual([
      expect.stringMatching(/^owner: DATABASE_OWNER_URL leads to another .* a backup would be a copy of that one/),
    ]);
    await other.drop();
    expect(await problems({ DATABASE_OWNER_URL: other.ownerUrl })).toEqual([
      expect.stringMatching(/^owner: DATABASE_OWNER_URL can not be used: database ".*" does not exist/),
    ]);
    expect(await problems({ DATABASE_OWNER_URL: url })).toEqual([
      expect.stringMatching(/^owner: The role kasi_app of DATABASE_OWNER_URL does not own the tables/),
    ]);
  });
});

test.for([
  [3_600, '60 minutes ahead of'],
  [-45, '45 seconds behind'],
] as const)('the doctor finds a clock of this machine that is %d seconds off', async ([seconds, found]) => {
  const shift = `const now = Date.now; Date.now = () => now() + ${seconds * 1000};`;
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(shift)}`;
  const { code, out } = await runScript('doctor.ts', [], {
    DATABASE_URL: '',
    ...liveEnv(database, [entry]),
    NODE_OPTIONS,
  });
  expect(out).toMatch(new RegExp(`^PROBLEM  clock +this machine is ${found} the database: `, 'm'));
  expect(code).toBe(1);
});

test('the doctor names a network that no process watches, and jobs that have not run or have failed', async () => {
  const owner = await connectOwner(database);
  const report = async () =>
    (await examine(liveEnv(database, [entry])))
      .filter(({ check }) => check === 'watchers' || check === 'jobs')
      .map(({ ok, text }) => `${ok ? 'ok' : 'PROBLEM'} ${text}`);
  await owner.query("update deployment_networks set genesis_hash = '0xaa'");
  await owner.query(`
    insert into chain_cursors (network, genesis_hash, height, hash, block_time, confirmed_height, head_height, scanned_at,
        idle_depth)
      values ('base', '0xaa', 1, '0xb1', now(), 0, 40, now(), 32);
    insert into job_ticks (job, slot, worker, started_at, next_at, failure)
      values ('payments.apply', now(), 'one', now(), now() + interval '1 second', null),
             ('rates.refresh', now(), 'one', now(), now() + interval '1 second', 'the source is away'),
             ('treasury.sweep', now() - interval '3 hours', 'one', now(), now() - interval '2 hours', null),
             ('reconcile', now() - interval '20 hours', 'one', now(), now() + interval '4 hours', null)`);
  expect(await report()).toEqual([
    expect.stringMatching(
      /^ok base: the chain answered \d seconds? ago, and the scan is 7 blocks behind; nothing waits/,
    ),
    expect.stringMatching(
      /^ok the last of 4 jobs ran \d seconds? ago; longest ago: .*treasury.sweep \(3 hours\), reconcile \(20 hours\)$/,
    ),
    expect.stringMatching(/^PROBLEM treasury.sweep has not run for 3 hours although it was due/),
    'PROBLEM rates.refresh failed in its last run: the source is away',
  ]);
  await owner.query(`
    update chain_cursors set checked_at = now() - interval '10 minutes', watched_at = now();
    update job_ticks set slot = slot - interval '1 hour'`);
  expect(await report()).toEqual([
    'PROBLEM base: the chain answered 10 minutes ago: a process watches it, so look at its endpoints',
    'PROBLEM no job has run for 60 minutes: start a process with the role scheduler',
  ]);
  await owner.query("update chain_cursors set watched_at = now() - interval '10 minutes'");
  expect((await report())[0]).toBe(
    'PROBLEM base: no process has watched it for 10 minutes: start one with the role watcher; payments there are not ' +
      'seen meanwhile',
  );
  await owner.query('delete from chain_cursors; delete from job_ticks');
  await owner.end();
});

test('the doctor finds a chain that an earlier release watched under two names', async () => {
  const owner = await connectOwner(database);
  await owner.query(`
    insert into deployment_names (name, chain) values ('base-old', 'eip155:8453');
    insert into chain_cursors (network, genesis_hash, height, hash, block_time, confirmed_height, head_height, scanned_at)
      values ('base', '0xaa', 1, '0xb1', now(), 0, 1, now()), ('base-old', '0xab', 1, '0xb2', now(), 0, 1, now())`);
  await owner.end();
  expect((await examine(liveEnv(database, [entry]))).filter(({ check }) => check === 'networks')).toEqual([
    expect.objectContaining({
      ok: false,
      text: expect.stringMatching(/^eip155:8453 was watched as "base" and as "base-old"/),
    }),
  ]);
});

test('the copy of a database becomes a deployment of its own, once its owner says whose copy it is', async () => {
  await withDatabase(database.url, 'test', async (db) => {
    await expect(adoptCopy(db, 'shop-production', 'shop-staging')).rejects.toThrow(/permission denied/);
  });
  await withDatabase(database.ownerUrl, 'test', async (db) => {
    await expect(adoptCopy(db, 'shop-other', 'shop-staging')).rejects.toThrow(/is no copy of "shop-other"/);
    const adopt = () =>
      adoptCopy(db, 'shop-production', 'shop-staging').then(
        () => 'adopted',
        (error: Error) => error.message,
      );
    // In the shell with the settings of the original.
    const running = openDatabase({ url: database.url, poolMax: 1, applicationName: 'kasi', onError: () => undefined });
    await sql`select 1`.execute(running);
    expect(await adopt()).toMatch(/Processes of "shop-production" are connected .* it is the original and no copy/);
    await running.destroy();
    await expect.poll(adopt).toBe('adopted');
    expect(await adopt()).toBe('adopted');
  });
  await start(liveEnv(database, [entry], { DEPLOYMENT_ID: 'shop-staging' }));
  await expect(start(liveEnv(database, [entry]))).rejects.toThrow(/belongs to the deployment "shop-staging"/);
});

test('a database of the release before is judged by its content, before it is migrated', async () => {
  await beforeMigration('0030-deployment', async ({ client, ownerUrl }) => {
    const judge = (mode: 'sandbox' | 'live') =>
      withDatabase(ownerUrl, 'test', (db) => requireIdentity(db, { mode, id: null, ring: null }));
    await judge('live');
    await judge('sandbox');
    await client.query('insert into sandbox_clock (id, offset_ms) values (1, 0)');
    await judge('sandbox');
    await expect(judge('live')).rejects.toThrow(/a sandbox never becomes live/);
  });
});

test('the doctor says where charges are not compared with their gas', async () => {
  const gas = CHECKS.find(({ name }) => name === 'gas')!;
  const networks = [
    { name: 'base', collector: '0x1', coin: 'ETH', maxGasShare: 0.2 },
    { name: 'own', collector: '0x1' },
    { name: 'quiet', collector: null, coin: 'ETH' },
  ];
  await withDatabase(database.url, 'test', async (db) => {
    const said = async (pairs: readonly string[]) => {
      const config = { networks, rateSources: pairs.map((pair) => ({ pair })) } as unknown as Config;
      return (await gas.examine({ config, db, url: database.url })).map(({ ok, text }) => `${ok} ${text}`);
    };
    expect(await said(['ETH/USD'])).toEqual([
      expect.stringMatching(/^true base: .* name two sources of ETH\/USD/),
      expect.stringMatching(/^true own: .* name its coin/),
    ]);
    expect((await said(['ETH/USD', 'ETH/USD']))[0]).toBe(
      'true base: charges wait while gas costs more than 20 % of them',
    );
  });
});

test('the doctor says where no signed transfer is taken, once they are turned on', async () => {
  const gas = CHECKS.find(({ name }) => name === 'gas')!;
  const tokens = [{ symbol: 'USDC', authorization: { name: 'USD Coin', version: '2' } }];
  const networks = [
    { name: 'base', collector: null, coin: 'ETH', tokens },
    { name: 'own', collector: null, tokens: [{ symbol: 'USDT', permit2: true }] },
    { name: 'plain', collector: null, tokens: [{ symbol: 'USDT' }] },
  ];
  const rateSources = [{ pair: 'ETH/USD' }, { pair: 'ETH/USD' }];
  const live = { mode: 'live', roles: ['api', 'scheduler'], sweepKey: null, networks, rateSources: [] };
  await withDatabase(database.url, 'test', async (db) => {
    const said = async (change: object = {}) => {
      const config = { ...live, ...change } as unknown as Config;
      return (await gas.examine({ config, db, url: database.url })).map(({ ok, text }) => `${ok} ${text}`);
    };
    expect(await said()).toEqual([]);
    await saveStored(db as unknown as Trx, {
      version: 1,
      overrides: { relayMinAmount: '5.00' },
      updatedAt: new Date(),
    });
    expect(await said()).toEqual([
      'false base: no signed transfer is taken before rates has two sources of ETH/USD',
      'false own: no signed transfer is taken before its coin is named',
      'true relayMinAmount is set, and this process has no SWEEP_KEY: another one has to',
    ]);
    expect((await said({ rateSources, sweepKey: '0x1' }))[0]).toMatch(/^true base: signed transfers are sent/);
  });
});

test('the doctor connects to the mail server, and sends nothing', async () => {
  const server = await startMailServer();
  const look = async (url: string) => {
    const env = { DATABASE_URL: database.url, SMTP_URL: url, MAIL_FROM: 'Kasi <receipts@kasi.example>' };
    const lines = await examine(
      env,
      CHECKS.filter(({ name }) => name === 'mail'),
    );
    return presentReport(lines.filter(({ check }) => check === 'mail'));
  };
  const name = new URL(server.url).host;
  expect(await look(server.url)).toBe(
    `ok       mail        ${name} answers, and would send from receipts@kasi.example`,
  );
  server.says.login = () => ({ code: 535, text: 'no' });
  expect(await look(`smtp://kasi:secret@${name}`)).toBe(
    `PROBLEM  mail        ${name} of SMTP_URL can not be used (535 at AUTH PLAIN): receipts wait, for a day at most`,
  );
  await server.close();
  expect(await look(server.url)).toMatch(/^PROBLEM .* can not be used \(ESOCKET\)/);
  expect(server.mails).toEqual([]);
});

test('the doctor listens where processes listen, and compares the limits of a session', async () => {
  const elsewhere = await createTestDatabase();
  const names = new Set(['database', 'session', 'notify']);
  const look = async (env: Record<string, string>): Promise<string> =>
    presentReport(
      await examine(
        env,
        CHECKS.filter(({ name }) => names.has(name)),
      ),
    );
  const env = liveEnv(database, [entry]);
  const well = await look({ ...env, DATABASE_LISTEN_URL: database.url });
  expect(well).toMatch(/^ok +session +statements, locks and idle transactions have their limits$/m);
  expect(well).toMatch(/^ok +notify +what is sent is heard on DATABASE_LISTEN_URL$/m);
  expect(await look({ ...env, DATABASE_LISTEN_URL: elsewhere.url })).toMatch(
    /^PROBLEM +notify +what is sent is not heard on DATABASE_LISTEN_URL: .* past a pooler/m,
  );
  expect(await look({ ...env, DATABASE_LISTEN_URL: 'postgres://nobody@127.0.0.1:1/none' })).toMatch(
    /^PROBLEM +notify +DATABASE_LISTEN_URL can not be listened on: .*ECONNREFUSED/m,
  );
  const session = CHECKS.find(({ name }) => name === 'session')!;
  await withDatabase(database.url, 'test', async (db) => {
    await sql`set statement_timeout = 0`.execute(db);
    const config = parseConfig(env);
    expect((await session.examine({ config, db, url: database.url }))[0]).toMatchObject({
      ok: false,
      text: expect.stringMatching(/^statement_timeout is 0 ms and not 5000: .*npx kasi database roles/),
    });
    await sql`set synchronous_commit = off`.execute(db);
    const commits = CHECKS.find(({ name }) => name === 'commits')!;
    expect((await commits.examine({ config, db, url: database.url }))[1]).toMatchObject({
      ok: false,
      text: expect.stringMatching(/^synchronous_commit is off, .*npx kasi database roles/),
    });
    await sql.raw("reset statement_timeout; set datestyle = 'SQL, DMY'").execute(db);
    await sql`set default_transaction_isolation = 'repeatable read'`.execute(db);
    expect((await session.examine({ config, db, url: database.url }))[0]?.text).toMatch(
      /^DateStyle is SQL and not ISO, default_transaction_isolation is repeatable read and not read committed: /,
    );
  });
  await elsewhere.drop();
});
