import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Client, createClient } from '../../clients/typescript/src/index.ts';
import { compileCache } from '../../scripts/lib/service-command.mjs';
import { findFreePort, findProcess } from '../../src/db/daemon.ts';
import { makeTestFolder } from '../support/run-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const READY_WITHIN_MS = 60_000;

let dataDir: string;
let port: number;
let started: Started | undefined;

beforeAll(async () => {
  dataDir = makeTestFolder(inject('runFolder'));
  port = await findFreePort();
});
afterAll(() => started && kill(started));

type Started = { readonly launcher: ChildProcess; readonly output: () => string };

/** Runs `npm start` in its own process group, as a shell would create one. */
async function start(): Promise<Started> {
  const { npm_lifecycle_event: _, ...env } = process.env;
  const launcher = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: ROOT,
    env: { ...env, KASI_DATA_DIR: dataDir, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [launcher.stdout, launcher.stderr]) stream?.on('data', (chunk) => (output += chunk));
  started = { launcher, output: () => output };
  const isReady = { timeout: READY_WITHIN_MS, interval: 50 };
  await expect.poll(() => output + (launcher.exitCode ?? ''), isReady).toMatch(/Ctrl-C stops everything|\d$/);
  expect(output).toContain('Kasi is ready');
  return started;
}

/** All processes of the data folder: launcher and service by their environment, servers by their arguments. */
function listProcesses({ launcher }: Started): { readonly pid: number; readonly name: string }[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid)
    .flatMap((pid) => {
      const args = findProcess(pid)?.args;
      if (!args) return [];
      const belongs = args.join(' ').includes(dataDir) || environmentOf(pid).includes(`KASI_DATA_DIR=${dataDir}\0`);
      return belongs || pid === launcher.pid ? [{ pid, name: args[0]?.split('/').at(-1) ?? '' }] : [];
    });
}

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return ''; // Another account's process: only its arguments are readable.
  }
}

const namesOf = (one: Started): string[] => [...new Set(listProcesses(one).map(({ name }) => name))].sort();

/**
 * Sends SIGKILL to all of them at once, or to those whose name begins with this; resolves when they are gone, those
 * included that they started in the last moment. All are stopped before the first is killed: a service that outlives
 * its launcher for a moment ends its nodes.
 */
async function kill(one: Started, name = ''): Promise<void> {
  const rest = () => listProcesses(one).filter((process) => process.name.startsWith(name));
  for (let victims = rest(); victims.length > 0; victims = rest()) {
    for (const signal of ['SIGSTOP', 'SIGKILL'] as const) for (const { pid } of victims) send(pid, signal);
    await sleep(20);
  }
}

/** The end of one process ends others: one of them may be gone before its turn. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function interrupt({ launcher }: Started): Promise<number | null> {
  process.kill(-(launcher.pid as number), 'SIGINT');
  const [code] = (await once(launcher, 'exit')) as [number | null];
  return code;
}

async function runScript(script: string, env: Record<string, string>): Promise<string> {
  const options = { cwd: ROOT, env: { ...process.env, NODE_COMPILE_CACHE: compileCache, ...env } };
  return (await promisify(execFile)(process.execPath, [script], options)).stdout;
}

/** The sandbox's demo merchant, with the password that this start printed. */
function demoOf({ output }: Started): Client {
  const [, email, password] = /Merchant\s+(\S+)\s+password (\S+)/.exec(output()) ?? [];
  return createClient({ baseUrl: `http://127.0.0.1:${port}`, email, password });
}

// Processes are read from /proc.
const onLinux = test.skipIf(process.platform !== 'linux');

onLinux(
  'a first start becomes ready and plays the demos; Ctrl-C leaves no process; the next start finds its data',
  async () => {
    const first = await start();
    expect(namesOf(first)).toEqual(['anvil', 'node', 'postgres']);
    expect(await runScript('scripts/demo.ts', { KASI_URL: `http://127.0.0.1:${port}` })).toContain(
      'every signature good',
    );
    expect(await runScript('scripts/demo-subscriptions.ts', { KASI_URL: `http://127.0.0.1:${port}` })).toContain(
      '12 charges make USD 300.00',
    );
    const { id } = await demoOf(first).payments.create({ amount: 25, currency: 'USD' });
    await demoOf(first).sandbox.payments.pay(id);
    expect(await interrupt(first)).toBe(0);
    expect(listProcesses(first)).toEqual([]);

    const second = await start();
    expect(await demoOf(second).payments.get(id)).toMatchObject({ status: 'paid' });
    expect(await demoOf(second).settlements.balance()).toMatchObject({ availableBalance: 25 });
  },
  180_000,
);

onLinux(
  'after kill -9 the next start adopts what still runs, and continues',
  async () => {
    const killed = started as Started;
    const { id } = await demoOf(killed).payments.create({ amount: 10, currency: 'USD' });
    await demoOf(killed).sandbox.payments.pay(id, { amount: '4' });
    await kill(killed, 'node');
    expect(namesOf(killed)).toEqual(['anvil', 'postgres']);

    const next = await start();
    await demoOf(next).sandbox.payments.pay(id);
    expect(await demoOf(next).payments.get(id)).toMatchObject({ status: 'paid', amountReceived: 10 });
  },
  120_000,
);

onLinux(
  'after everything was killed, chain and database included, the next start continues and the ledger reconciles',
  async () => {
    const killed = started as Started;
    const { id } = await demoOf(killed).payments.create({ amount: 12, currency: 'USD' });
    await kill(killed);
    expect(listProcesses(killed)).toEqual([]);

    const next = await start();
    await demoOf(next).sandbox.payments.pay(id);
    expect(await demoOf(next).payments.get(id)).toMatchObject({ status: 'paid', amountReceived: 12 });
    expect(await runScript('scripts/reconcile.ts', { KASI_DATA_DIR: dataDir })).toContain('nothing is wrong');
    expect(await interrupt(next)).toBe(0);
    expect(listProcesses(next)).toEqual([]);
  },
  120_000,
);
