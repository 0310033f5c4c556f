import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeEmbeddedPostgres } from '../../src/db/embedded.ts';
import { endAbandonedBitcoinNode } from '../../src/sandbox/bitcoin-node.ts';
import { endAbandonedDevChain } from '../../src/sandbox/dev-chain.ts';
import { end, untilOk } from './children.ts';
import { serviceCommand, serviceCommandIn, serviceEnv } from './service-command.mjs';

export type ServiceOptions = {
  /** The service's data folder; see `makeDataFolder`. */
  readonly dataDir: string;
  readonly port: number;
  /** Settings in addition to the defaults of a sandbox; those of this shell are ignored. */
  readonly env?: Readonly<Record<string, string>>;
  /** The checkout to run, if not this one. */
  readonly root?: string;
};

/** The whole service as a child process. */
export type ServiceProcess = {
  readonly url: string;
  readonly pid: number;
  /** Its output so far. */
  readonly printed: () => string;
  /** Resolves once it accepts requests and runs its jobs. Throws, with its output, if it ends before. */
  readonly ready: () => Promise<void>;
  /** Ends it at once, as a power failure would, and resolves when it is gone. */
  readonly kill: () => Promise<void>;
  /** Asks it to stop and resolves when it has. Throws, with its output, if it ends with an error. */
  readonly stop: () => Promise<void>;
};

/**
 * A new temporary data folder. When started by root, PostgreSQL uses another account, which must be able to enter it.
 */
export function makeDataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kasi-'));
  chmodSync(folder, 0o711);
  return folder;
}

/** Ends the servers that a service left running on its folder, and deletes the folder. */
export async function removeDataFolder(dataDir: string): Promise<void> {
  await endAbandonedDevChain(dataDir);
  await endAbandonedBitcoinNode(dataDir);
  await removeEmbeddedPostgres(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
}

/**
 * Rejects when a signal asks this process to end, else settles as `work` does. Later failures of `work` are ignored.
 */
export async function untilInterrupted<T>(work: Promise<T>): Promise<T> {
  const { promise: interrupted, reject } = Promise.withResolvers<never>();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => reject(new Error(`Interrupted by ${signal}.`)));
  }
  for (const either of [work, interrupted]) either.catch(() => undefined);
  return Promise.race([work, interrupted]);
}

/**
 * Starts the service; resolves before it is ready. It runs in its own session, so that we pass on a Ctrl-C ourselves;
 * if we are killed, it notices the closed channel and stops.
 */
export async function startServiceProcess({ dataDir, port, env = {}, root }: ServiceOptions): Promise<ServiceProcess> {
  const { PATH = '', HOME = '' } = process.env;
  const command = root === undefined ? serviceCommand : serviceCommandIn(root);
  const child = spawn(process.execPath, command, {
    env: { PATH, HOME, ...serviceEnv, KASI_DATA_DIR: dataDir, PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => output.push(chunk));
  await once(child, 'spawn');
  const url = `http://127.0.0.1:${port}`;
  const printed = (): string => Buffer.concat(output).toString('utf8');
  const failure = (why: string): Error => new Error(`The service ${why}:\n${printed()}`);
  return {
    url,
    pid: child.pid as number,
    printed,
    ready: () => untilOk(`${url}/readyz`, child, failure),
    kill: () => end(child, 'SIGKILL'),
    stop: async () => {
      await end(child, 'SIGTERM');
      // It ended before it could handle the signal, so it had nothing to stop.
      const isFault = child.exitCode !== 0 && child.signalCode !== 'SIGTERM';
      if (isFault) throw failure(`ended with ${child.exitCode ?? child.signalCode}`);
    },
  };
}
