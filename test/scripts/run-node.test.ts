import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, inject, test } from 'vitest';
import { findProcess } from '../../src/db/daemon.ts';
import { makeTestFolder } from '../support/run-folder.ts';

const launcher = new URL('../../scripts/lib/run-node.mjs', import.meta.url).href;

let folder: string;
let story: string;

beforeEach(() => {
  folder = makeTestFolder(inject('runFolder'));
  story = join(folder, 'story.txt');
});

const reported = () => {
  try {
    return readFileSync(story, 'utf8').trim().split('\n');
  } catch {
    return [];
  }
};

/** A script that reports its signals, run by a launcher in its own process group, as a shell would create one. */
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
  await expect.poll(reported).toHaveLength(1);
  return child;
}

test('Ctrl-C reaches the script once although the group and npm both pass it on, and its exit code is returned', async () => {
  const launched = await launch(
    `process.on('SIGINT', () => { tell('SIGINT'); setTimeout(() => process.exit(3), 200); });`,
  );
  process.kill(-(launched.pid as number), 'SIGINT');
  process.kill(launched.pid as number, 'SIGINT');
  const [code] = (await once(launched, 'exit')) as [number];
  expect(reported().slice(1)).toEqual(['SIGINT']);
  expect(code).toBe(3);
});

test('a script ended by a signal is reported as shells do', async () => {
  const launched = await launch('');
  process.kill(Number(reported()[0]), 'SIGKILL');
  expect((await once(launched, 'exit')) as [number]).toEqual([137, null]);
});

test('when the launcher is killed, the script notices', async () => {
  const launched = await launch(`process.once('disconnect', () => { tell('alone'); clearInterval(keep); });`);
  const pid = Number(reported()[0]);
  process.kill(-(launched.pid as number), 'SIGKILL');
  await expect.poll(reported).toContain('alone');
  await expect.poll(() => findProcess(pid)).toBeUndefined();
});

test('processes that the script leaves running in its group end with it', async () => {
  const launched = await launch(`
    const { spawn } = await import('node:child_process');
    process.once('SIGTERM', () => {
      const left = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
      tell(String(left.pid));
      process.exit(0);
    });`);
  launched.kill('SIGTERM');
  await once(launched, 'exit');
  const left = Number(reported()[1]);
  expect(left).toBeGreaterThan(0);
  await expect.poll(() => findProcess(left)).toBeUndefined();
});
