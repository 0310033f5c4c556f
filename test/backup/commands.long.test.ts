import { execFile, spawn } from 'node:child_process';
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { writeBackup } from '../../src/backup/backup.ts';
import { proveCopy, restoreBackup } from '../../src/backup/restore.ts';
import { withCopying } from '../../src/db/copying.ts';
import { withDatabase } from '../../src/db/database.ts';
import { migrate, migrationNames } from '../../src/db/migrate.ts';
import { requireIdentity } from '../../src/deployment/identity.ts';
import { DAY_MS } from '../../src/lib/clock.ts';
import { roleOf } from '../../src/start-database.ts';
import { payoutsTest } from '../support/payouts.ts';
import { arrived } from '../support/refunds.ts';
import { runScript, type ScriptOutcome } from '../support/run-script.ts';
import {
  BACKUP_KEY,
  claim,
  dropEmptied,
  emptyDatabase,
  hashAll,
  MASTER,
  newFile,
  ownerUrlOf,
  ring,
  tellStories,
} from './backup-fixture.ts';

const test = payoutsTest().extend('told', { scope: 'file' }, async ({ service, merchant, payouts }, { onCleanup }) => {
  onCleanup(dropEmptied);
  await tellStories(service, merchant, payouts);
  return { ownerUrl: await ownerUrlOf(service) };
});

type Urls = { readonly url: string; readonly ownerUrl: string };

const envOf = ({ url, ownerUrl }: Urls, more: Readonly<Record<string, string>> = {}) => ({
  ...{ DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl, BACKUP_KEY, DEPLOYMENT_ID: 'test-shop' },
  ...{ MASTER_KEY: KEY, ...more },
});
/** No key of a person: the service of the tests has 32 equal bytes, which the settings refuse. */
const KEY = 'ffeeddccbbaa99887766554433221100f0e1d2c3b4a5968778695a4b3c2d1e0f';

test('the commands copy, prove, restore, tell what was lost, and release by name only', async ({ told }) => {
  const [file, target] = [newFile(), await emptyDatabase()];
  const source = envOf({ url: told.ownerUrl, ownerUrl: told.ownerUrl });
  for (const words of [
    ['--release', file],
    ['--check', '--release', '--as', 'test-shop'],
    ['--check', '--release', file],
  ])
    expect(await runScript('restore.ts', words, envOf(target)), words.join(' ')).toMatchObject({ code: 2 });
  const refused = await runScript('backup.ts', [newFile()], { ...source, DEPLOYMENT_ID: 'shop-b' });
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('belongs to the deployment "test-shop"') });
  expect(await runScript('backup.ts', [file], { ...source, BACKUP_KEY: KEY, MASTER_KEY: KEY })).toMatchObject({
    ...{ code: 1, err: expect.stringContaining('BACKUP_KEY is a master key') },
  });
  const { MASTER_KEY: _, ...keyless } = source;
  const copied = await runScript('backup.ts', [file], keyless);
  expect(copied, copied.err).toMatchObject({ code: 0 });
  expect(copied.out).toMatch(
    /\d+ rows of \d+ tables.*\nThe copy is of .* at \S+\/\S+ of the write-ahead.*\n.*: \d+:[0-9a-f]{64}\n$/,
  );

  const checked = await runScript('restore.ts', ['--check', file], { DATABASE_URL: '', BACKUP_KEY });
  expect(checked).toMatchObject({
    code: 0,
    out: expect.stringMatching(/is whole: \d+ rows .* of "test-shop" \(sandbox\)/),
  });

  const { MASTER_KEY: __, ...env } = envOf(target);
  const restored = await runScript('restore.ts', [file], env);
  expect(restored, restored.err).toMatchObject({ code: 0 });
  expect(restored.out).toMatch(/are as they were[\s\S]*MASTER_KEY is not set: not tried\nthe books agree/);
  expect(restored.out).toContain('Before you pay one, look for it on the chain');
  const other = newFile();
  await writeBackup({ ownerUrl: told.ownerUrl, file: other, ring });
  expect(await runScript('restore.ts', [other], env)).toMatchObject({
    code: 1,
    err: expect.stringContaining('not empty'),
  });

  expect((await runScript('sweep.ts', ['--dry-run'], env)).err).toMatch(/npx kasi restore --release/);
  expect(await runScript('reconcile.ts', [], env)).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^nothing was found, but every network could not be compared/),
  });
  const read = await runScript('restore.ts', ['--release'], env);
  expect(read).toMatchObject({ code: 0, out: expect.stringContaining('Stop the original for ever') });
  await withDatabase(target.url, 'kasi-test', (db) => expect(requireIdentity(db, claim)).rejects.toThrow(/--release/));
  const wrong = await runScript('restore.ts', ['--release', '--as', 'shop-b'], env);
  expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('test-shop') });
  expect(await runScript('restore.ts', ['--release', '--as', 'test-shop'], env)).toMatchObject({ code: 0 });
  await withDatabase(target.url, 'kasi-test', (db) => requireIdentity(db, claim));
  expect(await runScript('restore.ts', ['--release'], env)).toMatchObject({
    code: 1,
    err: expect.stringContaining('Nothing holds'),
  });
  expect(await runScript('restore.ts', [file], env)).toMatchObject({
    code: 1,
    err: expect.stringContaining('not empty'),
  });
});

test('a restore that is repeated once its rows are whole proves them, tells what was lost and changes no row', async ({
  told,
}) => {
  const [file, target] = [newFile(), await emptyDatabase()];
  await writeBackup({ ownerUrl: told.ownerUrl, file, ring });
  // What one has left that was killed before it had proven or told anything.
  await restoreBackup({ file, ring, claim, ownerUrl: target.ownerUrl, appRole: roleOf(target.url) });
  const before = await hashAll(target.ownerUrl);
  const { MASTER_KEY: _, ...env } = envOf(target);
  const repeated = await runScript('restore.ts', [file], env);
  expect(repeated, repeated.err).toMatchObject({ code: 0, err: expect.stringContaining('holds this copy already') });
  expect(repeated.out).toMatch(/were compared when they were loaded[\s\S]*the books agree/);
  expect(repeated.out).toContain('Before you pay one, look for it on the chain');
  expect(repeated.out).toContain('npx kasi restore --release --as test-shop');
  expect(await hashAll(target.ownerUrl)).toEqual(before);
  await withDatabase(target.url, 'kasi-test', (db) => expect(requireIdentity(db, claim)).rejects.toThrow(/--release/));
});

test('with a master key that is not the one of the copy, the restore says so and ends with 1', async ({ told }) => {
  const [file, target] = [newFile(), await emptyDatabase()];
  await writeBackup({ ownerUrl: told.ownerUrl, file, ring });
  const restored = await runScript('restore.ts', [file], envOf(target));
  expect(restored).toMatchObject({
    code: 1,
    out: expect.stringContaining('WRONG: MASTER_KEY is not the key of this database'),
  });
});

test('a file that can not be read is refused in a line with the cure', async () => {
  const folder = dirname(newFile());
  const check = (file: string) => runScript('restore.ts', ['--check', file], { DATABASE_URL: '', BACKUP_KEY });
  const [missing, aFolder] = await Promise.all([check(join(folder, 'missing')), check(folder)]);
  expect(missing).toMatchObject({
    ...{ code: 1, out: '' },
    err: expect.stringMatching(/^The file .*missing can not be read: ENOENT.*\. Name a backup .*\n$/),
  });
  expect(aFolder).toMatchObject({ code: 1, err: expect.stringMatching(/^The file .* EISDIR.*\. Name a backup .*\n$/) });
  // A restore says nothing else before.
  const env = envOf(await emptyDatabase());
  expect((await runScript('restore.ts', [join(folder, 'missing')], env)).err).toBe(missing.err);
});

test('a full disk ends a backup with a line and its cure, and leaves no file', async ({ told }) => {
  const file = newFile();
  const { MASTER_KEY: _, ...env } = envOf({ url: told.ownerUrl, ownerUrl: told.ownerUrl });
  // As a full disk does, a limit of the size of files refuses the next byte.
  const limited = `trap '' XFSZ; ulimit -f 4; exec "$0" scripts/backup.ts "$1"`;
  const full = await new Promise<ScriptOutcome>((resolve) =>
    execFile('/bin/sh', ['-c', limited, process.execPath, file], { env }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    ),
  );
  expect(full).toMatchObject({
    ...{ code: 1, out: '' },
    err: expect.stringMatching(/(^|\n)The backup could not be written: EFBIG.*\. Nothing was kept: make room .*\n$/),
  });
  expect(full.err).not.toMatch(/\n {4}at |errno/);
  expect(readdirSync(dirname(file))).toEqual([]);
});

test('a backup names what one that was killed has left beside it, and nothing that may still be written', async ({
  told,
}) => {
  const file = newFile();
  const { MASTER_KEY: _, ...env } = envOf({ url: told.ownerUrl, ownerUrl: told.ownerUrl });
  const [old, young, other] = [`${file}.part-17`, `${file}.part-18`, `${file}.part-of-it`];
  for (const part of [old, young, other]) writeFileSync(part, 'KASIBAK1');
  const yesterday = new Date(Date.now() - DAY_MS);
  for (const part of [old, other]) utimesSync(part, yesterday, yesterday);
  const { code, out } = await runScript('backup.ts', [file], env);
  expect(code).toBe(0);
  const named = out.split('\n').filter((line) => line.includes('.part-'));
  expect(named).toEqual([`${old} is no backup: one that was killed has left it. Remove it.`]);
});

test('a backup that is stopped says so in a line', async ({ told }) => {
  const file = newFile();
  const { MASTER_KEY: _, ...env } = envOf({ url: told.ownerUrl, ownerUrl: told.ownerUrl });
  const stopped = await withCopying(told.ownerUrl, 'kasi-test', async (db) => {
    // The backup waits for the table that it locks, until it was told to stop.
    await db.query('begin');
    await db.query('lock table webhook_deliveries in access exclusive mode');
    const child = spawn(process.execPath, ['scripts/backup.ts', file], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    const said = text(child.stderr);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const isWaiting = `select exists (select from pg_locks where not granted and database = (
      select oid from pg_database where datname = current_database())) as time`;
    while (child.exitCode === null && !(await db.query<{ time: boolean }>(isWaiting))[0]?.time) await sleep(5);
    const at = performance.now();
    child.kill('SIGINT');
    const stopped = { code: await ended, err: await said };
    expect(performance.now() - at, 'not until the table is free, or a lock is given up after ten seconds').toBeLessThan(
      8000,
    );
    await db.query('rollback');
    return stopped;
  });
  expect(stopped).toEqual({ code: 1, err: 'The backup was aborted before its end, and nothing was kept.\n' });
  expect(readdirSync(dirname(file))).toEqual([]);
});

/** Restores in a process that is killed once `isTime` says so. */
async function killRestore(file: string, target: Urls, isTime: () => Promise<boolean>): Promise<void> {
  const { MASTER_KEY: _, ...env } = envOf(target);
  const child = spawn(process.execPath, ['scripts/restore.ts', file], {
    ...{ env: { PATH: process.env['PATH'] ?? '', ...env }, stdio: 'ignore' },
  });
  const ended = new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
  while (child.exitCode === null && !(await isTime().catch(() => false))) await sleep(5);
  child.kill('SIGKILL');
  expect(await ended).toBe('SIGKILL');
}

test.for([
  ['while it migrates', `select count(*) > 30 as time from kysely_migration`],
  [
    'while it loads',
    `select exists (select from pg_stat_activity where datname = current_database() and query ~ '^copy ') as time`,
  ],
  ['while rights are given', `select exists (select from restores) as time`],
])(
  'a restore that is killed %s lets nothing start, and another one begins anew',
  async ([, question = ''], { told }) => {
    const [file, target] = [newFile(), await emptyDatabase()];
    await writeBackup({ ownerUrl: told.ownerUrl, file, ring });
    await withCopying(target.ownerUrl, 'kasi-test', (db) =>
      killRestore(file, target, async () => (await db.query<{ time: boolean }>(question))[0]?.time ?? false),
    );
    await withDatabase(target.url, 'kasi-test', async (db) => {
      await expect(requireIdentity(db, claim)).rejects.toThrow(/did not come to its end: run npx kasi restore/);
      await expect(requireIdentity(db, claim, 'reads')).rejects.toThrow(/did not come to its end/);
    });
    const { summary } = await restoreBackup({ file, ring, claim, ownerUrl: target.ownerUrl, appRole: undefined });
    expect((await proveCopy(target.ownerUrl, { claim, masters: [MASTER], witness: summary.witness })).faults).toEqual(
      [],
    );
  },
);

test('a copy that is taken while everybody writes is of one moment: its books agree', async ({
  service,
  merchant,
  payouts,
  told,
}) => {
  let isOver = false;
  const write = async (work: () => Promise<unknown>): Promise<number> => {
    for (let count = 0; ; count += 1) {
      if (isOver) return count;
      await work();
    }
  };
  const writers = Promise.all([
    write(async () => {
      await arrived(service, merchant);
      await payouts.create({ amount: 10 });
    }),
    write(() => merchant.client.payments.create({ amount: 5, currency: 'USD' })),
    write(async () => {
      for (const job of ['events.seal', 'audit.seal', 'tallies.roll-up']) await service.runJob(job);
    }),
  ]);
  const files = [newFile(), newFile(), newFile()];
  try {
    for (const file of files) await writeBackup({ ownerUrl: told.ownerUrl, file, ring });
  } finally {
    isOver = true;
  }
  for (const count of await writers) expect(count).toBeGreaterThan(0);
  for (const file of files) {
    const target = await emptyDatabase();
    const { summary } = await restoreBackup({ file, ring, claim, ownerUrl: target.ownerUrl, appRole: undefined });
    expect((await proveCopy(target.ownerUrl, { claim, masters: [MASTER], witness: summary.witness })).faults).toEqual(
      [],
    );
  }
});

test('a copy of a newer release is refused before anything is made', async ({ told }) => {
  const asOwner = <T extends Record<string, unknown>>(url: string, text: string): Promise<T[]> =>
    withCopying(url, 'kasi-test', (db) => db.query<T>(text));
  const [file, target] = [newFile(), await emptyDatabase()];
  await asOwner(told.ownerUrl, `insert into kysely_migration (name, timestamp) values ('9999-later', '')`);
  await writeBackup({ ownerUrl: told.ownerUrl, file, ring }).finally(() =>
    asOwner(told.ownerUrl, `delete from kysely_migration where name = '9999-later'`),
  );
  const restored = restoreBackup({ file, ring, claim, ownerUrl: target.ownerUrl, appRole: undefined });
  await expect(restored).rejects.toThrow(/newer release, up to 9999-later/);
  expect(await asOwner(target.ownerUrl, `select 1 from pg_class where relnamespace = 'public'::regnamespace`)).toEqual(
    [],
  );
});

test('a database is migrated to where a copy was, and from there on to this release', async () => {
  const { ownerUrl } = await emptyDatabase();
  const early = migrationNames().filter((name) => name < '0119');
  const done = () =>
    withCopying(ownerUrl, 'kasi-test', async (db) =>
      (await db.query<{ name: string }>('select name from kysely_migration order by name')).map(({ name }) => name),
    );
  await migrate(ownerUrl, undefined, new Set(early));
  expect(await done()).toEqual(early);
  await migrate(ownerUrl);
  expect(await done()).toEqual(migrationNames());
});
