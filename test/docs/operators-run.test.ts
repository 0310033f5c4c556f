import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject } from 'vitest';
import { serviceTest } from '../fixture.ts';
import { connectOwner, createTestDatabase } from '../support/database.ts';
import { makeTestFolder } from '../support/run-folder.ts';
import { blocks, GUIDE_NAMES, readGuide } from './guide.ts';

/**
 * Runs the book's commands of other people's programs as they stand there, with folders and ports of a test in the
 * place of an operator's. `npx kasi` and `npm` are run by `npm run try:live` and `test/scripts/`.
 */
const test = serviceTest();

const CHAPTERS = GUIDE_NAMES.filter((name) => name.startsWith('operate-'));
const SHELL = CHAPTERS.flatMap((chapter) => blocks(readGuide(chapter), 'sh'));

/** What is run here, by its first words. */
const RUN = [
  'psql',
  'createdb',
  'openssl rand',
  'install',
  'cp',
  'curl',
  'systemctl enable',
  'journalctl',
  'until curl',
];

/** What is not, and why. */
const NOT_RUN: Readonly<Record<string, string>> = {
  groupadd: 'makes a group of this machine',
  useradd: 'makes an account of this machine; test/scripts/deploy-files.test.ts compares the units with the names',
  'systemctl daemon-reload': 'asks the running systemd, which a container has not',
  'systemctl restart': 'the same',
  journalctl: 'reads the journal of a running systemd, and refuses a pattern of units where there is none',
  find: 'deletes old backups: test/scripts/deploy-files.test.ts runs its lines',
  docker: 'builds and starts images from a registry: npm run try:container, where podman or docker can',
  pgbackrest: 'needs a repository of its own and an archive of the server; its manual is the source',
  npm: 'reaches the registry: npm run try:live',
  'npx kasi': 'npm run try:live, test/scripts/, test/backup/',
  ...Object.fromEntries(['cd', 'set', 'read', 'export', 'unset', '.'].map((word) => [word, 'a setting of the shell'])),
  ...Object.fromEntries(['for', 'do', 'done', 'sleep'].map((word) => [word, 'around the commands in it'])),
  ...Object.fromEntries(['mkdir', 'ln'].map((word) => [word, 'folders of an operator: npm run try:live'])),
};

/** The commands of the book, each in one line. */
const LINES = SHELL.flatMap((block) =>
  block
    .replaceAll(/\\\n\s*/g, ' ')
    .replaceAll(/"[^"]*"|'[^']*'/g, (quoted) => quoted.replaceAll(/[\n;&]/g, ' '))
    .split(/\n|;|&&/)
    .map((line) =>
      line
        .trim()
        .replace(/^([A-Z_]+=\S* )+/, '')
        .replace(/^do /, ''),
    ),
).filter((line) => line !== '');

const isThere = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
const needs = (...programs: readonly string[]) => {
  const missing = programs.filter((program) => !isThere(program));
  return { isSkipped: missing.length > 0, note: missing.length > 0 ? ` (skipped: no ${missing.join(', ')} here)` : '' };
};

function run(script: string, env: Readonly<Record<string, string>> = {}): string {
  const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-e', '-c', script], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', ...env },
  });
  expect([status, stderr], script).toEqual([0, expect.any(String)]);
  return stdout;
}

async function spawned(script: string): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-e', '-c', script]);
  return stdout;
}

/** The one block of a chapter with a text in it. */
function block(chapter: string, text: string): string {
  const found = blocks(readGuide(chapter), 'sh').filter((each) => each.includes(text));
  if (found[0] === undefined) throw new Error(`${chapter} has no block with ${text}`);
  return found[0];
}

test('every command of the book is run here, or it says why not', () => {
  const known = [...RUN, ...Object.keys(NOT_RUN)];
  const starts = (line: string, words: string): boolean => line === words || line.startsWith(`${words} `);
  expect(LINES.filter((line) => !known.some((words) => starts(line, words)))).toEqual([]);
  expect(known.filter((words) => !LINES.some((line) => starts(line, words)))).toEqual([]);
  expect(LINES.length).toBeGreaterThan(80);
});

describe('PostgreSQL', () => {
  const psql = needs('psql', 'bash');
  test.skipIf(psql.isSkipped)(`psql leaves addresses out as the book says${psql.note}`, async () => {
    const database = await createTestDatabase();
    const owner = await connectOwner(database);
    const last = async (): Promise<number> =>
      Number((await owner.query('select last_value from bitcoin_deposit_index')).rows[0].last_value);
    const before = await last();
    run(block('operate-disaster', 'psql "$DATABASE_OWNER_URL"'), { DATABASE_OWNER_URL: database.ownerUrl });
    expect(await last()).toBe(before + 1000);
    await owner.end();
    await database.drop();
  });

  const createdb = needs('createdb', 'psql', 'bash');
  test.skipIf(createdb.isSkipped)(`createdb makes what a restore begins with${createdb.note}`, () => {
    const { hostname, port, username, password } = new URL(inject('postgres').ownerUrl);
    const env = { PGHOST: hostname, PGPORT: port, PGUSER: username, PGPASSWORD: decodeURIComponent(password) };
    const made = LINES.filter((line) => line.startsWith('createdb '));
    expect(made).toHaveLength(2);
    for (const line of made) {
      run(line, env);
      const name = line.split(' ')[1] ?? '';
      const tables = "select count(*) from information_schema.tables where table_schema = 'public'";
      expect(run(`psql --no-psqlrc --tuples-only --no-align --dbname ${name} -c "${tables}"`, env).trim()).toBe('0');
      run(`psql --dbname postgres -c 'drop database ${name}'`, env);
    }
  });

  const grants = needs('psql', 'bash');
  test.skipIf(grants.isSkipped)(`statements that a sentence names are understood${grants.note}`, async () => {
    const database = await createTestDatabase();
    const [, grant = ''] = /`(grant connect on database kasi to reports)`/.exec(readGuide('operate-install')) ?? [];
    const name = new URL(database.url).pathname.slice(1);
    const mine = grant.replace('database kasi', `database ${name}`).replace('reports', 'kasi_app');
    expect(run(`psql "$DATABASE_OWNER_URL" -c '${mine}'`, { DATABASE_OWNER_URL: database.ownerUrl })).toBe('GRANT\n');
    await database.drop();
  });
});

describe('files and keys', () => {
  const install = needs('bash', 'install', 'openssl');
  test.skipIf(install.isSkipped)(
    `settings are installed for their readers alone, and a key is made${install.note}`,
    () => {
      const folder = makeTestFolder(inject('runFolder'));
      const script = block('operate-install', 'install -m 600 kasi.env.example')
        .replace('/opt/kasi/node_modules/kasi/deploy', resolve('deploy'))
        .replaceAll('/etc/kasi', folder);
      expect(run(script).trim()).toMatch(/^[0-9a-f]{64}$/);
      const files = readdirSync(folder).toSorted();
      expect(files).toEqual(['api.env', 'kasi.env', 'owner.env', 'worker.env']);
      for (const file of files) expect([file, statSync(join(folder, file)).mode & 0o777]).toEqual([file, 0o600]);
      // As every chapter loads them.
      const loaded = run(
        `set -a; . ${folder}/kasi.env; . ${folder}/owner.env; set +a\nprintenv KASI_MODE DATABASE_URL DATABASE_OWNER_URL`,
      );
      expect(loaded.split('\n')[0]).toBe('live');
      expect(loaded.split('\n').length).toBe(4);
    },
  );
});

describe('systemd', () => {
  const systemd = needs('systemctl', 'bash');
  test.skipIf(systemd.isSkipped)(`the units are copied and enabled as the book says${systemd.note}`, () => {
    const root = makeTestFolder(inject('runFolder'));
    const units = join(root, 'etc/systemd/system');
    mkdirSync(units, { recursive: true });
    const here = block('operate-install', 'cp kasi@.service')
      .replace('/opt/kasi/node_modules/kasi/deploy', resolve('deploy'))
      .replaceAll('/etc/systemd/system', units);
    run(here.split('\n').slice(0, 2).join('\n'));
    expect(readdirSync(units).toSorted()).toEqual(['kasi-backup.service', 'kasi-backup.timer', 'kasi@.service']);
    const enabled = LINES.filter((line) => line.startsWith('systemctl enable '));
    expect(enabled.length).toBeGreaterThan(1);
    // Without a systemd that runs nothing is started.
    for (const line of enabled) run(line.replace('systemctl enable --now', `systemctl --root=${root} enable`));
    const wanted = ['multi-user.target.wants', 'timers.target.wants'].flatMap((name) =>
      existsSync(join(units, name)) ? readdirSync(join(units, name)) : [],
    );
    expect(wanted.toSorted()).toEqual(['kasi-backup.timer', 'kasi@api.service', 'kasi@worker.service']);
  });
});

describe('a running process', () => {
  const curl = needs('curl', 'bash');
  test.skipIf(curl.isSkipped)(`curl asks it as the book says${curl.note}`, async ({ service }) => {
    const asked = CHAPTERS.flatMap((chapter) => [
      ...readGuide(chapter).matchAll(/^(?:until )?curl [^;\n]*http:\/\/127\.0\.0\.1:\d+\/(readyz|metrics)[^;\n]*/gm),
    ]);
    expect(asked.length).toBeGreaterThan(3);
    for (const [line, path] of asked) {
      const base = path === 'metrics' ? service.service.metricsUrl() : service.url;
      const mine = line.replace(/^until /, '').replace(/http:\/\/127\.0\.0\.1:\d+/, base ?? '');
      // Not spawnSync: the service is in this process.
      const said = await spawned(mine);
      expect(said, line).toMatch(path === 'metrics' ? /^# HELP / : /"status":"ready"/);
    }
    const outside = CHAPTERS.flatMap((chapter) => [
      ...readGuide(chapter).matchAll(/^curl .*https:\/\/pay\.example(\/\w+).*$/gm),
    ]);
    expect(outside.map(([, path]) => path)).toEqual(['/readyz', '/metrics']);
    const [ready, metrics] = await Promise.all(
      outside.map(([line]) => spawned(line.replace('https://pay.example', service.url))),
    );
    expect([ready, metrics]).toEqual([expect.stringContaining('"status":"ready"'), '404\n']);
  });
});
