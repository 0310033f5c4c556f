import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, inject, test } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { prepareInfrastructure } from '../../src/infrastructure.ts';
import { liveEnv, UNREACHED_NETWORK } from '../support/live.ts';
import { makeTestFolder } from '../support/run-folder.ts';

/** The settings of a process in each mode whose database, and whose nodes if it has any, are at `port`. */
const MODES = {
  live: (port: number) => {
    const url = `postgresql://kasi_app:secret-of-a-test@127.0.0.1:${port}/kasi`;
    const { DATABASE_OWNER_URL: _, ...settings } = liveEnv({ url, ownerUrl: url }, [UNREACHED_NETWORK]);
    return settings;
  },
  sandbox: (port: number) => ({
    DATABASE_URL: `postgresql://kasi_app:secret@127.0.0.1:${port}/kasi`,
    EVM_RPC_URL: `http://127.0.0.1:${port}`,
    KASI_DATA_DIR: makeTestFolder(inject('runFolder')),
  }),
};

test.each(['live', 'sandbox'] as const)(
  '%s asks nothing before its code is read, because that takes the thread for longer than an answer may take',
  async (mode) => {
    let asked = 0;
    const server = createServer((socket) => {
      asked += 1;
      socket.on('error', () => undefined).destroy();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    try {
      const config = parseConfig(MODES[mode]((server.address() as AddressInfo).port));
      const read = Promise.withResolvers<void>();
      const prepared = prepareInfrastructure(config, pino({ level: 'silent' }), read.promise).catch(() => 'failed');
      await sleep(200);
      expect(asked).toBe(0);
      read.resolve();
      expect(await prepared).toBe('failed');
      expect(asked).toBeGreaterThan(0);
    } finally {
      server.close();
    }
  },
);

test('what was started is stopped where the code can not be read, also what had only begun to start', async () => {
  const dataDir = makeTestFolder(inject('runFolder'));
  const config = parseConfig({ KASI_DATA_DIR: dataDir });
  const read = Promise.reject(new Error('Cannot find package'));
  await expect(prepareInfrastructure(config, pino({ level: 'silent' }), read)).rejects.toThrow('Cannot find package');
  const folder = join(dataDir, 'postgres');
  expect(existsSync(join(folder, 'postgres.json'))).toBe(true);
  expect(existsSync(join(folder, 'holder.json'))).toBe(false);
  expect(existsSync(join(folder, 'data', 'postmaster.pid'))).toBe(false);
});
