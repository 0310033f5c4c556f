import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { compileCache } from '../../scripts/lib/service-command.mjs';

const DAEMON = fileURLToPath(new URL('../../src/db/daemon.ts', import.meta.url));

/** The last line that this prints in a process that may open 64 files. */
function inNarrowProcess(code: string): string {
  const run = ['-c', 'ulimit -n 64 && exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', code];
  const env = { ...process.env, NODE_COMPILE_CACHE: compileCache };
  return execFileSync('/bin/sh', run, { env, encoding: 'utf8' }).trim().split('\n').at(-1) ?? '';
}

test('a process that may open no more files takes no other one for dead', () => {
  const code = `
    const { openSync } = await import('node:fs');
    const { findProcess } = await import('${DAEMON}');
    const look = () => { try { return findProcess(process.pid) ? 'lives' : 'dead'; } catch (error) { return error.code; } };
    const seen = [look()];
    try { for (;;) openSync('/dev/null'); } catch { seen.push(look()); }
    console.log(seen.join(' '));`;
  expect(inNarrowProcess(code)).toBe('lives EMFILE');
});
