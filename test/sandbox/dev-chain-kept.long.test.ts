import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { findProcess } from '../../src/db/daemon.ts';
import { createRpc, readHead } from '../../src/sandbox/anvil.ts';
import { endAbandonedDevChain } from '../../src/sandbox/dev-chain.ts';
import { balanceOf, noon, pay, payee, pidOf, receiptOf, useDevChain } from './dev-chain-fixture.ts';

const fiveDaysLater = new Date('2026-03-06T12:00:00.000Z');
const chains = useDevChain();
const { start, dieAfter } = chains;

// Another program may take the port between the stop and the start, and then the address differs.
test('a stop stores everything and leaves no process, and the next start has the same chain at the same address', {
  retry: 2,
}, async () => {
  const first = await start();
  const { transactionHash, blockHash } = await pay(first.rpc);
  await first.mine(3);
  const [genesis, head] = [await readHead(first.rpc, 0), await readHead(first.rpc)];
  const pid = pidOf(chains.dataDir);
  await chains.running.pop()?.stop();
  expect(findProcess(pid)).toBeUndefined();
  expect(existsSync(join(chains.dataDir, 'chain/anvil.pid'))).toBe(false);
  const second = await start({ now: fiveDaysLater });
  expect(second.rpcUrl).toBe(first.rpcUrl);
  expect(await readHead(second.rpc, 0)).toEqual(genesis);
  expect(await readHead(second.rpc)).toEqual(head);
  expect((await receiptOf(second.rpc, transactionHash))?.blockHash).toBe(blockHash);
  expect(await balanceOf(second.rpc)).toBe(1);
});

test('many restarts at different times leave one genesis block in the snapshots', async () => {
  for (let restart = 0; restart < 5; restart += 1) {
    await start({ now: new Date(noon.getTime() + restart * 60_000) });
    await chains.running.pop()?.stop();
  }
  const { mine } = await start({ now: fiveDaysLater });
  await mine(1);
  await chains.running.pop()?.stop();
  const state = JSON.parse(readFileSync(join(chains.dataDir, 'chain/state.json'), 'utf8')) as {
    blocks: { header: { number: string } }[];
  };
  expect(state.blocks.map(({ header }) => Number(header.number)).sort()).toEqual([0, 1]);
});

test('SIGKILL of service and node restores the last snapshot, with its hashes and balances', async () => {
  const kept = (await dieAfter(`
    const [from] = await rpc('eth_accounts');
    await rpc('eth_sendTransaction', [{ from, to: '${payee}', value: '0x1' }]);
    await chain.mine(2);
    await chain.snapshot();
    report([await readHead(rpc, 0), await readHead(rpc)]);
    await chain.mine(4);
    process.kill(Number((await import('node:fs')).readFileSync('${chains.dataDir}/chain/anvil.pid', 'utf8')), 'SIGKILL');`)) as unknown[];
  const { rpc } = await start();
  expect([await readHead(rpc, 0), await readHead(rpc)]).toEqual(kept);
  expect(await balanceOf(rpc)).toBe(1);
});

test('a snapshot is written after activity, and not again while nothing changes', async () => {
  const { mine, snapshot } = await start({ snapshotEveryMs: 50 });
  const path = join(chains.dataDir, 'chain/state.json');
  const heightIn = () => (JSON.parse(readFileSync(path, 'utf8')) as { best_block_number: number }).best_block_number;
  await mine(3);
  await expect.poll(heightIn).toBe(3);
  expect(await snapshot()).toBe(false);
  rmSync(path);
  await sleep(300);
  expect(existsSync(path)).toBe(false);
  await mine(1);
  // Written on schedule or by this call, whichever comes first.
  await snapshot();
  await expect.poll(heightIn).toBe(4);
});

test('SIGKILL at any moment of writing a snapshot never leaves a file that the node cannot load', async () => {
  const path = join(chains.dataDir, 'chain/state.json');
  let height = 0;
  for (let round = 0; round < 10; round += 1) {
    await dieAfter(`
      await chain.mine(100);
      const begun = performance.now();
      await chain.snapshot();
      // Within the next two, however long they take on this machine.
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), (performance.now() - begun) * ${round / 5});
      for (;;) { await chain.mine(1); await chain.snapshot(); }`);
    const state = JSON.parse(readFileSync(path, 'utf8')) as { best_block_number: number };
    expect(state.best_block_number).toBeGreaterThanOrEqual(height);
    height = state.best_block_number;
    await endAbandonedDevChain(chains.dataDir);
  }
  expect(height).toBeGreaterThan(0);
  const { rpc } = await start();
  expect((await readHead(rpc)).height).toBe(height);
});

test('after SIGKILL of the service the node keeps running, and the next start adopts it with its unsaved blocks', async () => {
  const head = await dieAfter('await chain.mine(7); report(await readHead(rpc));');
  const pid = pidOf(chains.dataDir);
  const lines: string[] = [];
  const { rpc, reorg } = await start({ now: fiveDaysLater, log: (line) => lines.push(line) });
  expect(lines).toEqual([expect.stringContaining(`(process ${pid}): taken over.`)]);
  expect(pidOf(chains.dataDir)).toBe(pid);
  expect(await readHead(rpc)).toEqual(head);
  await pay(rpc);
  expect((await readHead(rpc)).timestamp).toBeGreaterThanOrEqual(fiveDaysLater.getTime() / 1000);
  await reorg(8, true);
});

test('a node left running but hanging is killed, and the last snapshot is used', async () => {
  const code = 'await chain.mine(2); await chain.snapshot(); report([chain.rpcUrl, await readHead(rpc)]);';
  const [rpcUrl, head] = (await dieAfter(code)) as [string, unknown];
  const pid = pidOf(chains.dataDir);
  process.kill(pid, 'SIGSTOP');
  // The signal takes effect when the process next runs; on a busy machine it responds once more before.
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
  expect(pidOf(chains.dataDir)).not.toBe(pid);
  expect(findProcess(pid)).toBeUndefined();
  expect(await readHead(rpc)).toEqual(head);
});
