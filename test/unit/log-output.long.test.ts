import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test, vi } from 'vitest';
import { openLogOutput } from '../../src/log-output.ts';
import { makeTestFolder } from '../support/run-folder.ts';

/** A process that logs, works for a while, and ends; returns its exit code and what it printed on stderr. */
async function logTo(
  stdout: number | 'pipe',
  script: string,
  format = 'json',
): Promise<{ code: number | null; err: string; out: string }> {
  const program = `import { createLogger } from './src/logger.ts'; const log = createLogger('info', '${format}'); ${script}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', stdout, 'pipe'] });
  const [err, out]: [Buffer[], Buffer[]] = [[], []];
  child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
  child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
  const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  return { code, err: Buffer.concat(err).toString(), out: Buffer.concat(out).toString() };
}

const WORKS = `
  for (let i = 0; i < 3; i += 1) log.info({ i }, 'a line');
  setTimeout(() => { log.info('later'); process.stderr.write('it worked'); process.exit(0); }, 300);`;

test.for(['json', 'pretty'])(
  'a process whose log (%s) goes to a full disk goes on with its work, and ends when it is told to',
  async (format) => {
    const full = openSync('/dev/full', 'w');
    expect(await logTo(full, WORKS, format)).toMatchObject({ code: 0, err: 'it worked' });
    closeSync(full);
  },
);

test('every line for people is written, too, and what was lost is told as a line of them', async () => {
  const { out } = await logTo('pipe', `log.info('y'.repeat(5 * 1024 * 1024)); ${WORKS}`, 'pretty');
  expect(out.length).toBeLessThan(1000);
  const line = (level: string, text: string) =>
    expect.stringMatching(new RegExp(`^\\[[\\d:]{8}\\] ${level}: ${text}$`));
  expect(out.trimEnd().split('\n')).toEqual([
    line('WARN', '1 lines of the log were lost'),
    ...[0, 1, 2].map((i) => line('INFO', `a line \\{"i":${i}\\}`)),
    line('INFO', 'later'),
  ]);
});

test('every line is written, also those of the moment in which the process ends', async () => {
  const { out } = await logTo('pipe', WORKS);
  const lines = out.trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([...Array(3).fill('a line'), 'later']);
});

test('what was lost is counted in the next line that is written', async () => {
  const file = join(makeTestFolder(inject('runFolder')), 'log');
  const fd = openSync(file, 'w');
  const output = openLogOutput(fd);
  output.write(`${'x'.repeat(5 * 1024 * 1024)}\n`); // More than waits for a reader.
  for (const line of ['one\n', 'two\n']) output.write(line);
  await vi.waitFor(() => expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(4), 60_000);
  const [told = '', ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  expect(JSON.parse(told)).toEqual({ level: 40, time: expect.any(Number), msg: '1 lines of the log were lost' });
  expect(lines).toEqual(['one', 'two']);
  closeSync(fd);
});

test('what a disk took half of is counted once, however often it refuses more', async () => {
  const script = `
    import { ftruncateSync } from 'node:fs';
    import { openLogOutput } from './src/log-output.ts';
    const output = openLogOutput(1);
    const flush = () => new Promise((resolve) => output.flush(resolve));
    for (let i = 0; i < 30; i += 1) output.write('x'.repeat(99) + '\\n');
    for (const line of ['a', 'b', 'c']) { await flush(); output.write(line + '\\n'); }
    await flush();
    ftruncateSync(1, 0);
    output.write('d\\n');`;
  const file = join(makeTestFolder(inject('runFolder')), 'log');
  // A file may have 1,024 bytes, and its eleventh line has none of them after the 24th.
  const limited = `trap '' XFSZ; ulimit -f 1; exec "$0" --input-type=module -e "$1" >> "$2"`;
  const child = spawn('bash', ['-c', limited, process.execPath, script, file]);
  expect(await once(child, 'close')).toEqual([0, null]);
  const [cut, told = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect([cut, ...lines]).toEqual(['', 'd']);
  expect(JSON.parse(told)).toMatchObject({ msg: '23 lines of the log were lost' });
});

test('the last lines come after those before, when what is under way is waited for', async () => {
  const { out } = await logTo('pipe', `log.info('first'); log.error('last'); log.flush(() => process.exit(1));`);
  const lines = out.trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['first', 'last']);
});

test('a reader that has stopped keeps no process from ending', async () => {
  const program = `
    import { createLogger } from './src/logger.ts';
    const log = createLogger('info', 'json');
    log.info('more than a pipe holds'.repeat(50_000));
    setTimeout(() => process.exit(0), 4000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const timer = setTimeout(() => child.kill('SIGTERM'), 30_000);
  // Nothing reads its output; its own signal ends it, and not ours.
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  clearTimeout(timer);
});
