import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { COMMANDS, findCommand, helpOf } from '../../scripts/kasi/commands.ts';
import { connectTestDatabase, type TestConnection } from '../support/connection.ts';
import { makeTestFolder } from '../support/run-folder.ts';
import { markAsSandbox, runScript } from '../support/run-script.ts';

let connection: TestConnection;
beforeAll(async () => {
  connection = await connectTestDatabase();
  await markAsSandbox(connection.db);
});
afterAll(() => connection.close());

/** With live settings that are missing, so that a start that goes on ends at once. */
const runNodeOn = (words: readonly string[]): Promise<{ code: number; out: string; err: string }> =>
  new Promise((resolve) => {
    const options = { env: { PATH: process.env['PATH'] ?? '', KASI_MODE: 'live' }, timeout: 60_000 };
    execFile(process.execPath, [...words], options, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });

const kasi = (...words: string[]) => runScript('kasi/run.ts', words, { DATABASE_URL: connection.database.url });

describe('the list of commands', () => {
  test.for(COMMANDS)('$name has its file, its npm script, and help that fits a terminal', async (command) => {
    const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<string, string> };
    expect(existsSync(`scripts/${command.file}.ts`)).toBe(true);
    const thin = `node scripts/kasi/run.ts ${command.name}`;
    if (command.name !== 'start') expect(Object.values(scripts)).toContain(thin);
    const lines = helpOf(command).split('\n');
    expect(lines.filter((line) => line.length > 100 && !line.startsWith('Usage:'))).toEqual([]);
    for (const example of command.examples) expect(findCommand(example.split(' '))?.command).toBe(command);
  });
});

test('without a command, with help and with one that there is not', async () => {
  const [nothing, help, about, wrong, version] = await Promise.all([
    kasi(),
    kasi('help'),
    kasi('rescan', '--help'),
    kasi('refund', 'everything'),
    kasi('--version'),
  ]);
  expect([nothing.code, nothing.out]).toEqual([0, help.out]);
  for (const { name } of COMMANDS) expect(help.out).toContain(`  ${name} `);
  expect(about).toMatchObject({ code: 0, out: expect.stringMatching(/^Usage: kasi rescan <network> <from> <to>\n/) });
  expect(wrong).toMatchObject({ code: 2, out: '', err: expect.stringMatching(/no command refund everything/) });
  expect(version.out).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('a call that is not understood is answered with the usage, and code 2', async () => {
  expect(await kasi('rescan', 'base', 'one', 'two')).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('Usage: kasi rescan'),
  });
});

test.for([
  ['admin', ['nimal']],
  ['audit verify', ['--key']],
  ['backup', []],
  ['deployment adopt', ['one']],
  ['reconcile', ['--reread']],
  ['recover', ['base']],
  ['rescan', ['base', 'one', 'two']],
  ['reset-password', ['shop@example.org']],
  ['reset-two-factor', ['shop@example.org']],
  ['restore', ['--release', 'copy.kasi']],
  ['sweep', ['base', 'native']],
] as const)('%s names wrong arguments before settings that are missing, too', async ([name, args]) => {
  const { code, out, err } = await runNodeOn(['scripts/kasi/run.ts', ...name.split(' '), ...args]);
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(new RegExp(`^Usage: kasi ${name} `));
});

describe('a command that takes no arguments refuses them', () => {
  test.for(['start', 'doctor', 'migrate', 'keys rewrap'])('%s', async (name) => {
    const { code, out, err } = await kasi(...name.split(' '), '--port', '3001');
    expect([code, out]).toEqual([2, '']);
    const [first, ...rest] = err.split('\n');
    expect(first).toBe(
      `kasi ${name} takes no arguments, and was given --port 3001. Settings come from the environment.`,
    );
    expect(rest.join('\n')).toMatch(new RegExp(`^Usage: kasi ${name}\n`));
  });

  test('start takes no --json, because it has no end', async () => {
    const { code, out, err } = await kasi('start', '--json');
    expect([code, err]).toEqual([2, '']);
    expect(JSON.parse(out)).toMatchObject({ ok: false, errors: [expect.stringMatching(/LOG_FORMAT=json/)] });
  });

  test.for([
    ['scripts/start.mjs', '--port', '3001'],
    ['scripts/kasi.mjs', 'start', '--port', '3001'],
  ])('by %s of a checkout', async (words) => {
    const { code, out, err } = await runNodeOn(words);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/^kasi start takes no arguments, and was given --port 3001\./);
    const help = await runNodeOn([...words.slice(0, -2), '--help']);
    expect(help).toEqual({ code: 0, out: expect.stringMatching(/^Usage: kasi start\n/), err: '' });
  });
});

test('a file is meant as seen from where the command was called', async () => {
  const folder = makeTestFolder(inject('runFolder'));
  const env = { PATH: process.env['PATH'] ?? '', BACKUP_KEY: randomBytes(32).toString('hex') };
  const words = [resolve('scripts/kasi.mjs'), 'restore', '--check', 'copy.kasi'];
  const err = await new Promise<string>((done) =>
    execFile(process.execPath, words, { env, cwd: folder }, (_failed, _out, said) => done(said)),
  );
  expect(err).toContain(`The file ${join(folder, 'copy.kasi')} can not be read: ENOENT`);
});

describe('--json', () => {
  test('prints one document with what was found, and with what people are told', async () => {
    const { code, out } = await kasi('reconcile', '--json');
    expect(JSON.parse(out)).toMatchObject({
      ok: true,
      findings: [],
      checked: { payments: 0, entries: 0 },
      said: [expect.stringMatching(/^nothing is wrong/), expect.any(String)],
    });
    expect(code).toBe(0);
  });

  test('says in it, too, why nothing was done', async () => {
    const { code, out, err } = await kasi('audit:verify', '--json', '1:ff');
    expect([code, err]).toEqual([2, '']);
    expect(JSON.parse(out)).toEqual({ ok: false, said: [], errors: [expect.stringContaining('Usage:')] });
  });
});
