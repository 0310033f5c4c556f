import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { compileCache } from '../../scripts/lib/service-command.mjs';
import { lockFolder } from '../../src/db/folder-lock.ts';
import { preparePipe, untilUnserved, whileServing } from '../../src/db/serving.ts';
import { giveToOwner } from '../../src/lib/folders.ts';
import { makeTestFolder } from '../support/run-folder.ts';

const sourceOf = (name: string): string => fileURLToPath(new URL(`../../src/db/${name}.ts`, import.meta.url));

let folder: string;
const warnings: string[] = [];
const children: ChildProcess[] = [];
const lock = () => lockFolder(folder, (line) => warnings.push(line));

beforeEach(() => {
  folder = makeTestFolder(inject('runFolder'));
  warnings.length = 0;
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** A process that locks the folder when it is sent a line, says how that went, and keeps the lock. */
async function startLocker() {
  const code = `
    const { lockFolder } = await import('${sourceOf('folder-lock')}');
    const ask = (await import('node:readline')).createInterface({ input: process.stdin });
    ask.once('line', () => {
      try { lockFolder('${folder}', console.log); console.log('locked'); } catch (error) { console.log(error.message); }
    });
    console.log('loaded');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => (await lines.next()).value ?? 'it has ended';
  expect(await next()).toBe('loaded');
  return {
    pid: child.pid,
    lock: () => {
      child.stdin.write('go\n');
      return next();
    },
    kill: async () => {
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  };
}

test('a holder that lives keeps others out by its number, one that was killed does not', async () => {
  const holder = await startLocker();
  expect(await holder.lock()).toBe('locked');
  const files = readdirSync(folder).sort();
  expect(lock).toThrow(`${folder} is in use by process ${holder.pid}. Stop that one first`);
  expect(readdirSync(folder).sort()).toEqual(files);
  await holder.kill();
  const unlock = lock();
  expect(lock).toThrow(`is in use by process ${process.pid}.`);
  unlock();
  lock()();
  expect(warnings).toEqual([]);
});

test('a holder that can not be seen keeps others out, too, and nothing of it is touched', async () => {
  const holder = await startLocker();
  expect(await holder.lock()).toBe('locked');
  // As seen from another container, where its number is no process or another one.
  const note = JSON.stringify({ pid: process.pid, startedAt: 'elsewhere' });
  writeFileSync(join(folder, 'holder.json'), note);
  expect(lock).toThrow(
    `${folder} is in use by a process that can not be seen from here, perhaps by a Kasi in another container. ` +
      'Stop that one first, or give this one another data folder (KASI_DATA_DIR) and another PORT.',
  );
  expect(readFileSync(join(folder, 'holder.json'), 'utf8')).toBe(note);
  expect(readdirSync(folder).sort()).toEqual(['holder.json', 'holder.lock', 'serving.fifo']);
  await holder.kill();
  lock()();
});

test('of four that find the lock of a dead holder at once, one gets it', async () => {
  for (const death of [1, 2]) {
    const dead = await startLocker();
    expect(await dead.lock(), `before death ${death}`).toBe('locked');
    await dead.kill();
    const starters = await Promise.all([1, 2, 3, 4].map(startLocker));
    const said = await Promise.all(starters.map((starter) => starter.lock()));
    expect(said.filter((line) => line === 'locked')).toHaveLength(1);
    expect(said.filter((line) => line.includes('is in use by'))).toHaveLength(3);
    await Promise.all(starters.map((starter) => starter.kill()));
  }
});

test('where the file can not be locked it says so, and goes on by process ids', () => {
  // SQLite opens no folder.
  mkdirSync(join(folder, 'holder.lock'));
  const unlock = lock();
  expect(warnings).toEqual([
    expect.stringMatching(/holder\.lock can not be locked .*Let no other container use this folder\.$/),
  ]);
  expect(lock).toThrow(`is in use by process ${process.pid}.`);
  unlock();
});

test('SQLite is loaded by what locks, and not by a service that has no folder to lock', () => {
  const code = `
    const isLoaded = () => process.moduleLoadList.some((name) => name.includes('sqlite'));
    const { lockFolder } = await import('${sourceOf('folder-lock')}');
    const before = isLoaded();
    lockFolder('${folder}', console.log);
    console.log(before, isLoaded());`;
  const env = { ...process.env, NODE_COMPILE_CACHE: compileCache };
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8', env });
  expect(said).toBe('false true\n');
});

test('what was started in a folder serves it until the last process that came of it has ended', async () => {
  preparePipe(folder, (line) => warnings.push(line));
  await untilUnserved(folder);
  // The shell ends at once, and leaves a process behind.
  const left = whileServing(folder, (inherited) =>
    execFileSync('/bin/sh', ['-c', 'sleep 600 >/dev/null 2>&1 & echo $!'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit', ...inherited],
    }),
  );
  try {
    await expect(untilUnserved(folder, 50)).rejects.toThrow(
      `Process ${left.trim()} (sleep 600) still works on ${folder}, or has its serving.fifo open. End it, or wait`,
    );
  } finally {
    process.kill(Number(left), 'SIGKILL');
  }
  await untilUnserved(folder, 60_000);
  expect(warnings).toEqual([]);
});

test('a file in the place of the pipe, as a copy may leave it, is no process, and becomes a pipe', async () => {
  writeFileSync(join(folder, 'serving.fifo'), '');
  await untilUnserved(folder);
  expect(whileServing(folder, (inherited) => inherited)).toEqual([]);
  lock()();
  expect(whileServing(folder, (inherited) => inherited)).toHaveLength(1);
  rmSync(join(folder, 'serving.fifo'));
  await untilUnserved(folder);
});

const USER = 4_321;

test.runIf(process.getuid?.() === 0)('what root notes in the folder of a user is for that user to read', () => {
  chownSync(folder, USER, USER);
  const unlock = lock();
  const files = readdirSync(folder).sort();
  expect(files).toEqual(['holder.json', 'holder.lock', 'serving.fifo']);
  expect(files.map((name) => statSync(join(folder, name)).uid)).toEqual([USER, USER, USER]);
  unlock();
});

test.runIf(process.getuid?.() === 0)('what a link in the folder of a user leads to is not given to that user', () => {
  const [theirs, link] = [join(folder, 'theirs'), join(folder, 'theirs', 'serving.fifo')];
  mkdirSync(theirs);
  chownSync(theirs, USER, USER);
  writeFileSync(join(folder, 'secret'), 'of root');
  symlinkSync(join(folder, 'secret'), link);
  giveToOwner(link, theirs);
  expect(statSync(join(folder, 'secret')).uid).toBe(0);
  expect(lstatSync(link).uid).toBe(USER);
});

test.each([
  ['empty', ''],
  ['zeros', '\0'.repeat(64)],
  ['a part of it', '{"pid":1,"star'],
])('a note that is broken after a power failure (%s) locks out no process', (_, text) => {
  writeFileSync(join(folder, 'holder.json'), text);
  const unlock = lock();
  expect(JSON.parse(readFileSync(join(folder, 'holder.json'), 'utf8'))).toMatchObject({ pid: process.pid });
  unlock();
});
