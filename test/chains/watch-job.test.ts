import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createWatchJob, type WatchJob, type WatchJobDeps } from '../../src/chains/watch-job.ts';
import type { Network } from '../../src/ports/chain.ts';
import { chainsOf } from '../support/chains.ts';
import { type Bench, depsOf, headOf, listSeen, openBench, readCursor } from './watch-fixture.ts';

const run = promisify(execFile);
let bench: Bench;
let jobs: WatchJob[];
beforeEach(async () => {
  bench = await openBench();
  jobs = [];
});
afterEach(async () => {
  for (const job of jobs) await job.stop();
  await bench.close();
});

function openJob(changes: Partial<WatchJobDeps> = {}): WatchJob {
  const { db, matchers, confirmationsOn, log } = depsOf(bench);
  const clock = { now: () => new Date(), real: () => new Date() };
  const job = createWatchJob({
    db,
    matchers,
    confirmationsOn,
    log,
    ...clock,
    networks: [bench.network],
    chains: chainsOf(),
    worker: 'job',
    ...changes,
  });
  jobs.push(job);
  return job;
}

const level = (job: WatchJob) =>
  vi.waitFor(async () => {
    const [lag] = await job.lag();
    expect(lag?.blocks).toBe(0);
    expect((await readCursor(bench.db)).height).toBe(await headOf(bench));
  }, 60_000);

const incidents = () => bench.db.selectFrom('incidents').selectAll().where('kind', '=', 'watcher.blind').execute();

test('a transfer is stored soon after it is mined, and listeners are notified', async () => {
  const listener = new pg.Client({ connectionString: bench.url });
  await listener.connect();
  let notifications = 0;
  listener.on('notification', () => (notifications += 1));
  await listener.query('listen kasi_credits');
  const job = openJob();
  job.start();
  await level(job);
  await listener.query('select 1'); // Brings what was notified up to here.
  notifications = 0;
  await bench.mint(bench.usdt, 5n);
  await vi.waitFor(async () => expect(await listSeen(bench.db)).toHaveLength(1), 60_000);
  await vi.waitFor(() => expect(notifications).toBeGreaterThan(0), 60_000);
  await level(job);
  const before = notifications;
  await bench.mine(1); // Nothing new, but the first one is deeper now.
  await vi.waitFor(() => expect(notifications).toBeGreaterThan(before), 60_000);
  await listener.end();
});

test('poke makes a loop run at once, however long it would sleep', async () => {
  const job = openJob({ networks: [{ ...bench.network, pollMs: 600_000 }] });
  job.start();
  await vi.waitFor(async () => expect((await job.lag())[0]?.blocks).toBe(0), 60_000);
  await bench.mint(bench.usdt, 5n);
  job.poke();
  await vi.waitFor(async () => expect(await listSeen(bench.db)).toHaveLength(1), 60_000);
});

test('after a stop another process continues at once', async () => {
  const first = openJob();
  first.start();
  await level(first);
  await first.stop();
  expect(await readCursor(bench.db)).toMatchObject({ locked_by: null });
  await bench.mint(bench.usdt, 5n);
  const second = openJob({ worker: 'second' });
  second.start();
  await level(second);
  expect(await listSeen(bench.db)).toHaveLength(1);
});

test('after a stop nothing keeps the process alive', async () => {
  const script = `
    import { createWatchJob } from './src/chains/watch-job.ts';
    import { openDatabase } from './src/db/database.ts';
    import { chainsOf } from './test/support/chains.ts';
    const { url, network } = JSON.parse(process.env.BENCH);
    const db = openDatabase({ url, poolMax: 2, applicationName: 'test', onError: () => {} });
    const job = createWatchJob({
      db, networks: [{ ...network, pollMs: 600_000 }], chains: chainsOf(), matchers: [], worker: 'child', log: console.error,
      confirmationsOn: async (network) => network.confirmations, now: () => new Date(), real: () => new Date(),
    });
    job.start();
    while ((await job.lag())[0].blocks !== 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await job.stop();
    await db.destroy();
    console.log('stopped');`;
  const { stdout } = await run(process.execPath, ['--input-type=module-typescript', '--eval', script], {
    env: { ...process.env, BENCH: JSON.stringify({ url: bench.url, network: bench.network }) },
    timeout: 60_000,
  });
  expect(stdout).toContain('stopped');
});

test('while the node is away nothing moves and an incident is opened; it resumes when the node is back', async () => {
  const gate = await openGate(bench.node.url);
  const job = openJob({ networks: [{ ...bench.network, rpcUrl: gate.url } as Network], blindAfterMs: 300 });
  job.start();
  await level(job);
  gate.close();
  await bench.mint(bench.usdt, 5n);
  await vi.waitFor(async () => expect(await incidents()).toHaveLength(1), 60_000);
  expect((await incidents())[0]).toMatchObject({ kind: 'watcher.blind', subject: 'devnet', resolved_at: null });
  expect((await job.lag())[0]?.silentMs).toBeGreaterThan(300);
  expect(await listSeen(bench.db)).toEqual([]);
  gate.open();
  job.poke();
  await level(job);
  await vi.waitFor(async () => expect((await incidents())[0]?.resolved_at).not.toBeNull(), 60_000);
  expect(await listSeen(bench.db)).toHaveLength(1);
  expect(await incidents()).toHaveLength(1);
  await gate.end();
});

test('check refuses a foreign chain before anything starts, and tolerates an unreachable node', async () => {
  await expect(openJob({ networks: [{ ...bench.network, chainId: 5 }] }).check()).rejects.toThrow(
    'serves chain 31337, not 5',
  );
  await expect(
    openJob({ networks: [{ ...bench.network, rpcUrl: 'http://127.0.0.1:1' } as Network] }).check(),
  ).resolves.toBeUndefined();
  expect(await openJob().lag()).toEqual([
    { network: 'devnet', blocks: null, silentMs: null, unwatchedMs: null, blockTime: null, idle: false },
  ]);
});

/** A proxy to the node that can be closed and opened. */
async function openGate(target: string) {
  let shut = false;
  const server = createServer(async (request, response) => {
    if (shut) return void request.socket.destroy();
    const body = await new Response(request as never).text();
    const answer = await fetch(target, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    response.setHeader('content-type', 'application/json');
    response.end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      shut = true;
    },
    open: () => {
      shut = false;
    },
    end: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
