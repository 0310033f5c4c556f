import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { compileCache } from '../../scripts/lib/service-command.mjs';
import { findFreePort } from '../../src/db/daemon.ts';

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

test('a free port is none that the system gives to a program that asks for any, before it is used', async () => {
  const found = await Promise.all(Array.from({ length: 50 }, () => findFreePort()));
  expect(Math.min(...found)).toBeGreaterThan(1023);
  // Linux gives those from 32768 on, macOS and Windows those from 49152.
  expect(Math.max(...found)).toBeLessThan(32_768);
  expect(new Set(found).size).toBeGreaterThan(45);
});

test('a port in use is not found, and a preferred one that is free is', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await findFreePort(port)).not.toBe(port);
  server.close();
  await once(server, 'close');
  const preferred = await findFreePort();
  expect(await findFreePort(preferred)).toBe(preferred);
});
