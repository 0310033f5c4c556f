import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import { createTestDatabase } from './database.ts';
import { makeTestFolder } from './run-folder.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const READY_WITHIN_MS = 60_000;

export type KasiProcess = {
  readonly url: string;
  /** The merchant that every sandbox has; its link is `demo`. */
  readonly demo: { readonly email: string; readonly password: string };
  /** Asks it to stop and waits until it has. Throws when it ends with a fault. */
  readonly stop: () => Promise<void>;
};

/** Starts the service as `npm start` does, in a process of its own with a chain of its own, on a database of this test's. */
export async function startKasi(env: Readonly<Record<string, string>> = {}): Promise<KasiProcess> {
  const database = await createTestDatabase();
  const port = await freePort();
  const child = spawn(process.execPath, [MAIN], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'], // It stops by itself when the end of the channel tells it that the tests died.
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      KASI_DATA_DIR: makeTestFolder(inject('runFolder')),
      DATABASE_URL: database.url,
      DATABASE_OWNER_URL: database.ownerUrl,
      ...env,
    },
  });
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const fail = (why: string): void => {
      child.kill();
      reject(new Error(`the service ${why}:\n${output}`));
    };
    setTimeout(() => fail('was not ready in time'), READY_WITHIN_MS).unref();
    const read = (chunk: Buffer): void => {
      output += chunk.toString('utf8');
      if (output.includes('Ctrl-C stops everything')) resolve();
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', () => fail('ended'));
  });
  const [, email = '', password = ''] = /Merchant\s+(\S+)\s+password (\S+)/.exec(output) ?? [];
  return {
    url: `http://localhost:${port}`,
    demo: { email, password },
    stop: async () => {
      child.kill('SIGTERM');
      const code: unknown = child.exitCode ?? (await once(child, 'exit'))[0];
      await database.drop();
      if (code !== 0) throw new Error(`the service ended with ${code}:\n${output}`);
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
