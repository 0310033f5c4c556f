import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { missingBlock, staleFinality } from '../../scripts/liars/lies.ts';
import { type LiarProxy, type Outage, startLiar } from '../../scripts/liars/proxy.ts';
import type { EvmNetwork } from '../../src/chains/evm/network.ts';
import { createEvmWitness } from '../../src/chains/evm/witness.ts';
import { createWatchJob, type WatchJob } from '../../src/chains/watch-job.ts';
import { startAnvil } from '../support/anvil.ts';
import { chainsOf } from '../support/chains.ts';
import { type Bench, depsOf, listSeen, listTruth, openBench, openWatcher } from './watch-fixture.ts';

let bench: Bench;
let [first, second]: LiarProxy[] = [];
let job: WatchJob | undefined;
beforeEach(async () => {
  bench = await openBench();
  [first, second] = [await startLiar(bench.node.url), await startLiar(bench.node.url)];
});
afterEach(async () => {
  await job?.stop();
  job = undefined;
  await Promise.all([first?.close(), second?.close()]);
  await bench.close();
});

/** The bench's network with two endpoints. */
const network = (): EvmNetwork => ({ ...bench.network, rpcUrl: first!.url, otherRpcUrls: [second!.url] });
const hostOf = (liar: LiarProxy): string => new URL(liar.url).host;

function startJob(on = network()): WatchJob {
  const { db, matchers, confirmationsOn } = depsOf(bench);
  const clock = { now: () => new Date(), real: () => new Date() };
  const parts = { db, matchers, confirmationsOn, ...clock, networks: [on], chains: chainsOf() };
  job = createWatchJob({ ...parts, worker: 'job', log: () => undefined });
  job.start();
  return job;
}

const seesAll = () =>
  vi.waitFor(async () => {
    expect(await listSeen(bench.db)).toEqual(await listTruth(bench));
    expect(await listSeen(bench.db)).not.toEqual([]);
  }, 60_000);

const messages = async () => (await told()).map(({ message }) => message).join();
const told = () => bench.db.selectFrom('incidents').selectAll().where('kind', '=', 'chain.endpoint').execute();

test.each<[string, Outage, string]>([
  ['counts calls', { status: 429, retryAfter: '60' }, '429 Too Many Requests'],
  ['fails', { status: 503 }, 'HTTP 503'],
  ['answers nonsense', { status: 200, body: 'we are down' }, 'no JSON'],
])('while one endpoint %s the other is asked, and an incident names the host', async (_, outage, words) => {
  startJob();
  await vi.waitFor(() => expect(first!.calls()).toContain('eth_getLogs'), 60_000);
  first!.fail(() => outage);
  await bench.mint(bench.usdt, 5n);
  await seesAll();
  await vi.waitFor(async () => {
    const [incident] = await told();
    expect(incident).toMatchObject({ subject: `devnet ${hostOf(first!)}`, network: 'devnet', resolved_at: null });
    expect(incident?.message).toContain(words);
  }, 60_000);
});

test('an endpoint that shows heads and refuses logs is left for the other one, though that rested when it began', async () => {
  const started = startJob();
  await vi.waitFor(() => expect(first!.calls()).toContain('eth_getLogs'), 60_000);
  second!.fail(() => ({ status: 429, retryAfter: '2' }));
  await started.check();
  second!.honest();
  first!.fail((calls) => (calls.some(({ method }) => method === 'eth_getLogs') ? { status: 503 } : undefined));
  await bench.mint(bench.usdt, 5n);
  await seesAll();
});

test('an endpoint of another chain is named and never believed, whichever is listed first', async () => {
  const other = await startAnvil({ chainId: 5 });
  first!.turnTo(other.url);
  const started = startJob();
  await started.check();
  await bench.mint(bench.usdt, 5n);
  await seesAll();
  expect(await messages()).toContain('serves chain 5, not 31337');
  await other.stop();
});

test('an endpoint that lags fifty blocks is left alone while another one does not, and is named', async () => {
  await bench.mine(60);
  await openWatcher(bench, { network: network() }).catchUp();
  const lag = async (): Promise<void> => {
    const head = Number(await bench.node.rpc('eth_blockNumber'));
    first!.lie(({ method, params }) =>
      method === 'eth_getBlockByNumber' && params[0] === 'latest'
        ? { ask: { method, params: [`0x${(head - 50).toString(16)}`, false] } }
        : undefined,
    );
  };
  await lag();
  startJob();
  await bench.mint(bench.usdt, 5n);
  await seesAll();
  expect(second!.calls()).toContain('eth_getLogs');
  const words = new RegExp(`${hostOf(first!)} is \\d+ blocks behind the scan of devnet`);
  await expect.poll(messages).toMatch(words);
});

test('an endpoint that shows a head and lacks the blocks below it is left for the other one, and named', async () => {
  startJob();
  await vi.waitFor(() => expect(first!.calls()).toContain('eth_getLogs'), 60_000);
  first!.lie(missingBlock);
  await bench.mine(2);
  await bench.mint(bench.usdt, 5n);
  await seesAll();
  await vi.waitFor(async () => {
    const [incident] = await told();
    expect(incident).toMatchObject({ subject: `devnet ${hostOf(first!)}`, resolved_at: null });
    expect(incident?.message).toMatch(/shows block \d+ and has no block \d+/);
  }, 60_000);
});

test('an endpoint whose final block is much older than that of another one is named, because it holds up every final look', async () => {
  const shared = network();
  startJob(shared);
  await vi.waitFor(() => expect(first!.calls()).toContain('eth_getLogs'), 60_000);
  await bench.node.rpc('evm_increaseTime', [3600]);
  await bench.mine(8);
  const witness = createEvmWitness(shared);
  const finalHeight = await witness.findFinalHeight();
  expect(finalHeight).toBeGreaterThan(4);
  second!.lie(staleFinality);
  expect(await witness.findFinalHeight()).toBe(1);
  const words = new RegExp(`${hostOf(second!)} calls block 1 final.*older.*${hostOf(first!)}`);
  await expect.poll(messages).toMatch(words);
});
