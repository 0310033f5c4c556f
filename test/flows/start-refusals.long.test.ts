import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, inject, test } from 'vitest';
import { examine } from '../../scripts/doctor/examine.ts';
import { serviceCommand, serviceEnv } from '../../scripts/lib/service-command.mjs';
import { lockFolder } from '../../src/db/folder-lock.ts';
import { createServer } from '../../src/http/server.ts';
import { StartError } from '../../src/lib/errors.ts';
import { findMasterKey } from '../../src/sandbox/secrets.ts';
import { makeTestFolder } from '../support/run-folder.ts';

const PLAIN = { logger: pino({ level: 'silent' }), trustProxy: [], corsOrigins: [] };

/** What the service says when it is started in a folder, and the code that it ends with. */
const start = (dataDir: string) =>
  new Promise<{ readonly code: number; readonly err: string }>((resolve) => {
    const env = { PATH: process.env['PATH'] ?? '', ...serviceEnv, KASI_DATA_DIR: dataDir, PORT: '0' };
    execFile(process.execPath, serviceCommand, { env }, (error, _out, err) =>
      resolve({ code: error ? Number(error.code) : 0, err }),
    );
  });

test('an address that can not be listened on refuses the start by the names of its settings', async () => {
  const taken = createSocketServer();
  await once(taken.listen(0, '127.0.0.1'), 'listening');
  const { port } = taken.address() as AddressInfo;
  try {
    for (const [host, at, cause] of [
      ['127.0.0.1', port, 'listen EADDRINUSE'],
      ['http://127.0.0.1', 0, 'getaddrinfo ENOTFOUND'],
    ] as const) {
      const server = await createServer({ ...PLAIN, tokenSecrets: { 'merchant-api': 'a', 'admin-api': 'b' } });
      await expect(server.listen(host, at)).rejects.toMatchObject({
        ...{
          name: 'StartError',
          message: expect.stringContaining(`HOST and PORT name no address to listen on: ${cause}`),
        },
      });
      await server.close();
    }
  } finally {
    taken.close();
  }
});

test('a folder that another process has is refused in one line', async () => {
  const dataDir = makeTestFolder(inject('runFolder'));
  const folder = join(dataDir, 'postgres');
  mkdirSync(folder);
  const unlock = lockFolder(folder, () => undefined);
  try {
    const { code, err } = await start(dataDir);
    expect(err).toBe(
      `${folder} is in use by process ${process.pid}. Stop that one first, or give this one another data folder ` +
        '(KASI_DATA_DIR) and another PORT.\n',
    );
    expect(code).toBe(1);
  } finally {
    unlock();
  }
});

test('a data folder that can not be made is refused in one line, with its setting', async () => {
  const file = join(makeTestFolder(inject('runFolder')), 'file');
  writeFileSync(file, '');
  // In /proc the recursive mkdir of Node.js never returned.
  for (const dataDir of [file, join(file, 'data'), '/proc', '/proc/kasi', '/proc/kasi/data']) {
    const { code, err } = await start(dataDir);
    expect(err).toMatch(/^KASI_DATA_DIR \((.*file.*|\/proc.*)\) can not be written to: E[A-Z]+: [^\n]*\n$/);
    expect(code).toBe(1);
  }
});

test('what a data folder holds and this account can not use is refused in one line, by commands, too', async () => {
  const [taken, keyless] = [makeTestFolder(inject('runFolder')), makeTestFolder(inject('runFolder'))];
  writeFileSync(join(taken, 'postgres'), '');
  const { code, err } = await start(taken);
  expect(err).toMatch(
    /^A file or folder can not be used: EEXIST: [^\n]*postgres'\. Name one [^\n]*KASI_DATA_DIR[^\n]*\n$/,
  );
  expect(code).toBe(1);
  expect(await examine({ KASI_DATA_DIR: taken })).toContainEqual({
    ...{ check: 'database', ok: false, text: expect.stringMatching(/^A file or folder can not be used: ENOTDIR: /) },
  });
  rmSync(join(taken, 'postgres'));
  writeFileSync(join(keyless, 'master.key'), 'lost');
  expect(() => findMasterKey(keyless)).toThrow(StartError);
});
