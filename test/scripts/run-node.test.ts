import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, inject, test } from 'vitest';
import { findProcess } from '../../src/db/daemon.ts';
import { makeTestFolder } from '../support/run-folder.ts';

const launcher = new URL('../../scripts/run-node.mjs', import.meta.url).href;

let folder: string;
let story: string;

beforeEach(() => {
  folder = makeTestFolder(inject('runFolder'));
  story = join(folder, 'story.txt');
});

const told = () => {
  try {
    return readFileSync(story, 'utf8').trim().split('\n');
  } catch {
    return [];
  }
};

/** A script that tells what it hears, run by a launcher in a process group of its own, as a shell would make one. */
async function launch(code: string): Promise<ChildProcess> {
  const script = join(folder, 'script.mjs');
  writeFileSync(
    script,
    `import { appendFileSync } from 'node:fs';
    const tell = (line) => appendFileSync('${story}', line + '\\n');
    const keep = setInterval(() => {}, 1000);
    ${code}
    tell(String(process.pid));`,
  );
  const { npm_lifecycle_event: _, ...env } = process.env;
  const run = `import { runNode } from '${launcher}'; process.exitCode = await runNode(['${script}']);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', run], { env, stdio: 'ignore', detached: true });
  await expect.poll(told, { timeout: 10_000 }).toHaveLength(1);
  return child;
}

test('Ctrl-C reaches the script once though the whole group and npm pass it on, and its exit code is passed back', async () => {
  const launched = await launch(
    `process.on('SIGINT', () => { tell('SIGINT'); setTimeout(() => process.exit(3), 200); });`,
  );
  process.kill(-(launched.pid as number), 'SIGINT');
  process.kill(launched.pid as number, 'SIGINT');
  const [code] = (await once(launched, 'exit')) as [number];
  expect(told().slice(1)).toEqual(['SIGINT']);
  expect(code).toBe(3);
});

test('a script that a signal ended is reported as shells do', async () => {
  const launched = await launch('');
  process.kill(Number(told()[0]), 'SIGKILL');
  expect((await once(launched, 'exit')) as [number]).toEqual([137, null]);
});

test('when the launcher is killed, the script hears that it is alone', async () => {
  const launched = await launch(`process.once('disconnect', () => { tell('alone'); clearInterval(keep); });`);
  const pid = Number(told()[0]);
  process.kill(-(launched.pid as number), 'SIGKILL');
  await expect.poll(told).toContain('alone');
  await expect.poll(() => findProcess(pid)).toBeUndefined();
});

test('what the script leaves running in its group ends with it', async () => {
  const launched = await launch(`
    const { spawn } = await import('node:child_process');
    process.once('SIGTERM', () => {
      const left = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
      tell(String(left.pid));
      process.exit(0);
    });`);
  launched.kill('SIGTERM');
  await once(launched, 'exit');
  const left = Number(told()[1]);
  expect(left).toBeGreaterThan(0);
  await expect.poll(() => findProcess(left)).toBeUndefined();
});
