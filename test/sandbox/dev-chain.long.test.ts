import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, test } from 'vitest';
import { readHead, toHex } from '../../src/sandbox/anvil.ts';
import { makeTestFolder } from '../support/run-folder.ts';
import { balanceOf, noon, pay, payee, pidOf, receiptOf, useDevChain } from './dev-chain-fixture.ts';

const fiveDaysLater = new Date('2026-03-06T12:00:00.000Z');
const chains = useDevChain();
const { start } = chains;

test('a transaction is mined at once, and no empty blocks are mined', async () => {
  const { rpc, chainId } = await start();
  expect(await rpc('eth_chainId')).toBe(toHex(chainId));
  const { blockNumber } = await pay(rpc);
  expect(Number(blockNumber)).toBe(1);
  expect(await balanceOf(rpc)).toBe(1);
  await sleep(300);
  expect((await readHead(rpc)).height).toBe(1);
});

test('mining many blocks is split into calls that the node survives, to the exact number', async () => {
  const { rpc, mine } = await start();
  await mine(250);
  expect((await readHead(rpc)).height).toBe(250);
});

test('the finalised block is two behind the head', async () => {
  const { rpc, mine } = await start();
  await mine(5);
  const { number } = await rpc<{ number: string }>('eth_getBlockByNumber', ['finalized', false]);
  expect(Number(number)).toBe(3);
});

test("the chain's clock follows the service's forward, and never falls behind the head", async () => {
  const { rpc, setTime } = await start();
  expect(await setTime(fiveDaysLater)).toEqual(fiveDaysLater);
  await pay(rpc);
  const head = await readHead(rpc);
  expect(head.timestamp).toBeGreaterThanOrEqual(fiveDaysLater.getTime() / 1000);
  const back = await setTime(noon);
  expect(back.getTime() / 1000).toBeGreaterThanOrEqual(head.timestamp);
  expect(back.getTime() / 1000).toBeLessThan(head.timestamp + 5);
});

test("after a restart with the clock ahead, new blocks have the service's time", async () => {
  const first = await start();
  await first.setTime(fiveDaysLater);
  await chains.running.pop()?.stop();
  const { rpc } = await start({ now: fiveDaysLater });
  await pay(rpc);
  expect((await readHead(rpc)).timestamp).toBeGreaterThanOrEqual(fiveDaysLater.getTime() / 1000);
});

test('after a restart with a clock moved back, no block is older than its parent', async () => {
  const first = await start({ now: fiveDaysLater });
  await first.mine(1);
  await chains.running.pop()?.stop();
  const { rpc } = await start({ now: noon });
  const { timestamp } = await readHead(rpc);
  await pay(rpc);
  expect((await readHead(rpc)).timestamp).toBeGreaterThanOrEqual(timestamp);
});

test('a reorg changes the hashes, keeps the height, and re-mines the transactions at their heights', async () => {
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

test('a reorg without the transactions drops the payments, also in later snapshots', async () => {
  const { rpc, mine, reorg } = await start();
  await mine(1);
  const { transactionHash } = await pay(rpc);
  await reorg(1, false);
  expect(await receiptOf(rpc, transactionHash)).toBeNull();
  const head = await readHead(rpc);
  await chains.running.pop()?.stop();
  const again = await start();
  expect(await readHead(again.rpc)).toEqual(head);
  expect(await balanceOf(again.rpc)).toBe(0);
});

test('a reorg below the first block since the start is refused, and changes nothing', async () => {
  const first = await start();
  await first.mine(5);
  await chains.running.pop()?.stop();
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

test('a long chain can be reorganised repeatedly, and nothing is written outside the data folder', async () => {
  const { HOME } = process.env;
  const home = makeTestFolder(inject('runFolder'));
  process.env['HOME'] = home;
  try {
    const { rpc, mine, reorg } = await start();
    await mine(600);
    const { transactionHash } = await pay(rpc);
    for (const keepTransactions of [true, true, false]) await reorg(64, keepTransactions);
    expect((await readHead(rpc)).height).toBe(601);
    expect(await receiptOf(rpc, transactionHash)).toBeNull();
    await expect(rpc('eth_getBalance', [payee, toHex(1)])).rejects.toThrow('OutOfRange');
    expect(readdirSync(home)).toEqual([]);
  } finally {
    process.env['HOME'] = HOME;
  }
});

test('a folder whose chain was lost is refused with a remedy', async () => {
  await start();
  await chains.running.pop()?.stop();
  rmSync(join(chains.dataDir, 'chain/state.json'));
  await expect(start({ now: fiveDaysLater })).rejects.toThrow(
    /is not the one that the database knows\. Delete the data folder/,
  );
  expect(existsSync(join(chains.dataDir, 'chain/anvil.pid'))).toBe(false);
});

test('a second start on a folder in use is refused; another folder gets its own chain and port', async () => {
  const first = await start();
  await expect(start()).rejects.toThrow(`is in use by process ${process.pid}`);
  const second = await start({ dataDir: makeTestFolder(inject('runFolder')) });
  await second.mine(3);
  expect(second.rpcUrl).not.toBe(first.rpcUrl);
  expect((await readHead(first.rpc)).height).toBe(0);
});

test("another sandbox's node on the port that ours once had is left alone", async () => {
  const otherDir = makeTestFolder(inject('runFolder'));
  const other = await start({ dataDir: otherDir, now: fiveDaysLater });
  await start();
  await chains.running.pop()?.stop();
  // As if ours had been killed, and the system had given its port and process id to the other one.
  const path = join(chains.dataDir, 'chain/chain.json');
  const record = JSON.parse(readFileSync(path, 'utf8')) as object;
  writeFileSync(path, JSON.stringify({ ...record, port: Number(new URL(other.rpcUrl).port) }));
  writeFileSync(join(chains.dataDir, 'chain/anvil.pid'), String(pidOf(otherDir)));
  const { rpcUrl, rpc } = await start();
  expect(rpcUrl).not.toBe(other.rpcUrl);
  expect((await readHead(rpc)).height).toBe(0);
  expect((await readHead(other.rpc)).height).toBe(0);
});

test('a node that died meanwhile does not fail the stop', async () => {
  const lines: string[] = [];
  await start({ log: (line) => lines.push(line) });
  process.kill(pidOf(chains.dataDir), 'SIGKILL');
  await chains.running.pop()?.stop();
  expect(lines.at(-1)).toContain('could not be kept');
});
