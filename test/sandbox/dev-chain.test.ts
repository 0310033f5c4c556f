import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { findProcess } from '../../src/db/daemon.ts';
import { createRpc, type Rpc, readHead, toHex } from '../../src/sandbox/anvil.ts';
import {
  type DevChain,
  type DevChainOptions,
  endAbandonedDevChain,
  startDevChain,
} from '../../src/sandbox/dev-chain.ts';
import { runAndDie } from '../support/orphans.ts';
import { makeTestFolder } from '../support/run-folder.ts';

const project = new URL('../..', import.meta.url).pathname;
const noon = new Date('2026-03-01T12:00:00.000Z');
const fiveDaysLater = new Date('2026-03-06T12:00:00.000Z');
const payee = '0x00000000000000000000000000000000000000aa';

let dataDir: string;
const running: DevChain[] = [];

beforeEach(() => {
  dataDir = makeTestFolder(inject('runFolder'));
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((chain) => chain.stop()));
});

async function start(options: Partial<DevChainOptions> = {}): Promise<DevChain & { rpc: Rpc }> {
  const chain = await startDevChain({ dataDir, now: noon, log: () => undefined, ...options });
  running.push(chain);
  return { ...chain, rpc: createRpc(chain.rpcUrl) };
}

type Receipt = { transactionHash: string; blockHash: string; blockNumber: string };

const receiptOf = (rpc: Rpc, hash: string) => rpc<Receipt | null>('eth_getTransactionReceipt', [hash]);

/** Sends one wei and returns the receipt once it is mined. */
async function pay(rpc: Rpc): Promise<Receipt> {
  const [from] = await rpc<string[]>('eth_accounts');
  const hash = await rpc<string>('eth_sendTransaction', [{ from, to: payee, value: '0x1' }]);
  await expect.poll(() => receiptOf(rpc, hash), { interval: 10 }).not.toBeNull();
  return (await receiptOf(rpc, hash)) as Receipt;
}

const balanceOf = async (rpc: Rpc) => Number(await rpc<string>('eth_getBalance', [payee, 'latest']));
const pidOf = (folder: string) => Number(readFileSync(join(folder, 'chain/anvil.pid'), 'utf8'));

/** A service that starts the chain, does this, and is killed before it can keep or stop anything. */
const dieAfter = (code: string) =>
  runAndDie(`
    const { startDevChain } = await import('${project}/src/sandbox/dev-chain.ts');
    const { createRpc, readHead } = await import('${project}/src/sandbox/anvil.ts');
    const chain = await startDevChain({ dataDir: '${dataDir}', now: new Date(${noon.getTime()}), log: () => {}, snapshotEveryMs: 1e6 });
    const rpc = createRpc(chain.rpcUrl);
    ${code}`);

test('a transaction is mined at once, and nothing is mined when nothing happens', async () => {
  const { rpc, chainId } = await start();
  expect(await rpc('eth_chainId')).toBe(toHex(chainId));
  const { blockNumber } = await pay(rpc);
  expect(Number(blockNumber)).toBe(1);
  expect(await balanceOf(rpc)).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect((await readHead(rpc)).height).toBe(1);
});

test('many blocks are mined in calls that the node survives, to the exact number', async () => {
  const { rpc, mine } = await start();
  await mine(250);
  expect((await readHead(rpc)).height).toBe(250);
});

test('the final block is two behind the head', async () => {
  const { rpc, mine } = await start();
  await mine(5);
  const { number } = await rpc<{ number: string }>('eth_getBlockByNumber', ['finalized', false]);
  expect(Number(number)).toBe(3);
});

test('the clock of the chain follows the service forward, and never goes behind the head', async () => {
  const { rpc, setTime } = await start();
  expect(await setTime(fiveDaysLater)).toEqual(fiveDaysLater);
  await pay(rpc);
  const head = await readHead(rpc);
  expect(head.timestamp).toBeGreaterThanOrEqual(fiveDaysLater.getTime() / 1000);
  const back = await setTime(noon);
  expect(back.getTime() / 1000).toBeGreaterThanOrEqual(head.timestamp);
  expect(back.getTime() / 1000).toBeLessThan(head.timestamp + 5);
});

test('after a restart with the clock ahead, new blocks carry the time of the service', async () => {
  const first = await start();
  await first.setTime(fiveDaysLater);
  await running.pop()?.stop();
  const { rpc } = await start({ now: fiveDaysLater });
  await pay(rpc);
  expect((await readHead(rpc)).timestamp).toBeGreaterThanOrEqual(fiveDaysLater.getTime() / 1000);
});

test('after a restart with a clock that went back, no block is older than its parent', async () => {
  const first = await start({ now: fiveDaysLater });
  await first.mine(1);
  await running.pop()?.stop();
  const { rpc } = await start({ now: noon });
  const { timestamp } = await readHead(rpc);
  await pay(rpc);
  expect((await readHead(rpc)).timestamp).toBeGreaterThanOrEqual(timestamp);
});

test('a stop keeps everything, leaves no process, and the next start has the same chain at the same address', async () => {
  const first = await start();
  const { transactionHash, blockHash } = await pay(first.rpc);
  await first.mine(3);
  const [genesis, head] = [await readHead(first.rpc, 0), await readHead(first.rpc)];
  const pid = pidOf(dataDir);
  await running.pop()?.stop();
  expect(findProcess(pid)).toBeUndefined();
  expect(existsSync(join(dataDir, 'chain/anvil.pid'))).toBe(false);
  const second = await start({ now: fiveDaysLater });
  expect(second.rpcUrl).toBe(first.rpcUrl);
  expect(await readHead(second.rpc, 0)).toEqual(genesis);
  expect(await readHead(second.rpc)).toEqual(head);
  expect((await receiptOf(second.rpc, transactionHash))?.blockHash).toBe(blockHash);
  expect(await balanceOf(second.rpc)).toBe(1);
});

test('many restarts at many times leave one block 0 in the snapshots', async () => {
  for (let restart = 0; restart < 5; restart += 1) {
    await start({ now: new Date(noon.getTime() + restart * 60_000) });
    await running.pop()?.stop();
  }
  const { mine } = await start({ now: fiveDaysLater });
  await mine(1);
  await running.pop()?.stop();
  const state = JSON.parse(readFileSync(join(dataDir, 'chain/state.json'), 'utf8')) as {
    blocks: { header: { number: string } }[];
  };
  expect(state.blocks.map(({ header }) => Number(header.number)).sort()).toEqual([0, 1]);
});

test('SIGKILL of service and node goes back to the last snapshot, with its hashes and balances', async () => {
  const kept = (await dieAfter(`
    const [from] = await rpc('eth_accounts');
    await rpc('eth_sendTransaction', [{ from, to: '${payee}', value: '0x1' }]);
    await chain.mine(2);
    await chain.snapshot();
    report([await readHead(rpc, 0), await readHead(rpc)]);
    await chain.mine(4);
    process.kill(Number((await import('node:fs')).readFileSync('${dataDir}/chain/anvil.pid', 'utf8')), 'SIGKILL');`)) as unknown[];
  const { rpc } = await start();
  expect([await readHead(rpc, 0), await readHead(rpc)]).toEqual(kept);
  expect(await balanceOf(rpc)).toBe(1);
});

test('a snapshot is written after activity, and not again while nothing changes', async () => {
  const { mine, snapshot } = await start({ snapshotEveryMs: 50 });
  const path = join(dataDir, 'chain/state.json');
  const heightIn = () => (JSON.parse(readFileSync(path, 'utf8')) as { best_block_number: number }).best_block_number;
  await mine(3);
  await expect.poll(heightIn, { timeout: 5_000 }).toBe(3);
  expect(await snapshot()).toBe(false);
  rmSync(path);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(existsSync(path)).toBe(false);
  await mine(1);
  expect(await snapshot()).toBe(true);
  expect(heightIn()).toBe(4);
});

test('SIGKILL at any moment of writing snapshots never leaves a file that the node can not load', {
  timeout: 60_000,
}, async () => {
  const path = join(dataDir, 'chain/state.json');
  let height = 0;
  for (let round = 0; round < 10; round += 1) {
    await dieAfter(`
      await chain.mine(100);
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${round * 9});
      for (;;) { await chain.mine(1); await chain.snapshot(); }`);
    const state = JSON.parse(readFileSync(path, 'utf8')) as { best_block_number: number };
    expect(state.best_block_number).toBeGreaterThanOrEqual(height);
    height = state.best_block_number;
    await endAbandonedDevChain(dataDir);
  }
  expect(height).toBeGreaterThan(0);
  const { rpc } = await start();
  expect((await readHead(rpc)).height).toBe(height);
});

test('after SIGKILL of the service the node lives on, and the next start takes it over with what was never kept', async () => {
  const head = await dieAfter('await chain.mine(7); report(await readHead(rpc));');
  const pid = pidOf(dataDir);
  const lines: string[] = [];
  const { rpc, reorg } = await start({ now: fiveDaysLater, log: (line) => lines.push(line) });
  expect(lines).toEqual([expect.stringContaining(`(process ${pid}): taken over.`)]);
  expect(pidOf(dataDir)).toBe(pid);
  expect(await readHead(rpc)).toEqual(head);
  await pay(rpc);
  expect((await readHead(rpc)).timestamp).toBeGreaterThanOrEqual(fiveDaysLater.getTime() / 1000);
  await reorg(8, true);
});

test('a node that was left running but hangs is ended, and the last snapshot goes on', {
  timeout: 60_000,
}, async () => {
  const code = 'await chain.mine(2); await chain.snapshot(); report([chain.rpcUrl, await readHead(rpc)]);';
  const [rpcUrl, head] = (await dieAfter(code)) as [string, unknown];
  const pid = pidOf(dataDir);
  process.kill(pid, 'SIGSTOP');
  // The signal counts from when the process next runs; on a busy machine it answers once more before.
  const isSilent = () =>
    createRpc(
      rpcUrl,
      200,
    )('eth_chainId').then(
      () => false,
      () => true,
    );
  await expect.poll(isSilent).toBe(true);
  const { rpc } = await start();
  expect(pidOf(dataDir)).not.toBe(pid);
  expect(findProcess(pid)).toBeUndefined();
  expect(await readHead(rpc)).toEqual(head);
});

test('a reorganisation changes the hashes, keeps the height, and mines the transactions again at their heights', async () => {
  const { rpc, mine, reorg } = await start();
  await mine(2);
  const early = await pay(rpc);
  await mine(1);
  const late = await pay(rpc);
  const before = await readHead(rpc);
  await reorg(3, true);
  const after = await readHead(rpc);
  expect(after.height).toBe(before.height);
  expect(after.hash).not.toBe(before.hash);
  for (const paid of [early, late]) {
    const receipt = await receiptOf(rpc, paid.transactionHash);
    expect(receipt?.blockNumber).toBe(paid.blockNumber);
    expect(receipt?.blockHash).not.toBe(paid.blockHash);
  }
  expect(await balanceOf(rpc)).toBe(2);
});

test('a reorganisation that keeps nothing takes the payments away, and snapshots keep it so', async () => {
  const { rpc, mine, reorg } = await start();
  await mine(1);
  const { transactionHash } = await pay(rpc);
  await reorg(1, false);
  expect(await receiptOf(rpc, transactionHash)).toBeNull();
  const head = await readHead(rpc);
  await running.pop()?.stop();
  const again = await start();
  expect(await readHead(again.rpc)).toEqual(head);
  expect(await balanceOf(again.rpc)).toBe(0);
});

test('a reorganisation below what was mined since the start is refused, and changes nothing', async () => {
  const first = await start();
  await first.mine(5);
  await running.pop()?.stop();
  const { rpc, mine, reorg } = await start();
  await mine(2);
  const head = await readHead(rpc);
  await expect(reorg(3, true)).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('at most 2'),
  });
  expect(await readHead(rpc)).toEqual(head);
  await reorg(2, true);
  expect((await readHead(rpc)).height).toBe(7);
  expect((await readHead(rpc)).hash).not.toBe(head.hash);
});

test('a folder whose chain was lost is refused with the cure', async () => {
  await start();
  await running.pop()?.stop();
  rmSync(join(dataDir, 'chain/state.json'));
  await expect(start({ now: fiveDaysLater })).rejects.toThrow(
    /is not the one that the database knows\. Delete the data folder/,
  );
  expect(existsSync(join(dataDir, 'chain/anvil.pid'))).toBe(false);
});

test('a second start on a folder in use is refused; another folder has a chain and a port of its own', async () => {
  const first = await start();
  await expect(start()).rejects.toThrow(`is in use by process ${process.pid}`);
  const second = await start({ dataDir: makeTestFolder(inject('runFolder')) });
  await second.mine(3);
  expect(second.rpcUrl).not.toBe(first.rpcUrl);
  expect((await readHead(first.rpc)).height).toBe(0);
});

test("another sandbox's node on the port that ours had once is left alone", async () => {
  const otherDir = makeTestFolder(inject('runFolder'));
  const other = await start({ dataDir: otherDir, now: fiveDaysLater });
  await start();
  await running.pop()?.stop();
  // As if ours had been killed, and the system had given its port and then its number to the other one.
  const path = join(dataDir, 'chain/chain.json');
  const record = JSON.parse(readFileSync(path, 'utf8')) as object;
  writeFileSync(path, JSON.stringify({ ...record, port: Number(new URL(other.rpcUrl).port) }));
  writeFileSync(join(dataDir, 'chain/anvil.pid'), String(pidOf(otherDir)));
  const { rpcUrl, rpc } = await start();
  expect(rpcUrl).not.toBe(other.rpcUrl);
  expect((await readHead(rpc)).height).toBe(0);
  expect((await readHead(other.rpc)).height).toBe(0);
});

test('a node that died meanwhile does not fail the stop', async () => {
  const lines: string[] = [];
  await start({ log: (line) => lines.push(line) });
  process.kill(pidOf(dataDir), 'SIGKILL');
  await running.pop()?.stop();
  expect(lines.at(-1)).toContain('could not be kept');
});
