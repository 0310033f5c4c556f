import { afterEach, beforeEach, expect, test } from 'vitest';
import { createOperatorNode } from '../../src/chains/evm/operator-node.ts';
import type { OperatorTransaction } from '../../src/chains/operator/queries.ts';
import { operatorWaits } from '../../src/chains/operator/queries.ts';
import { markSent } from '../../src/chains/operator/transitions.ts';
import { isWaited } from '../support/chains.ts';
import { type Desk, HASTY, NOW, openDesk, operator, quoted, REFUSER, TARGET } from './operator-fixture.ts';

const GWEI = 1_000_000_000n;

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk();
});
afterEach(() => desk.close());

test('enqueued calls are sent in nonce order, mined, and confirmed at the required depth', async () => {
  const moves: string[] = [];
  const listeners = [
    async (_: unknown, moved: readonly OperatorTransaction[]) =>
      void moves.push(...moved.map(({ nonce, status }) => `${nonce} ${status}`)),
  ];
  const ids = await desk.enqueue(3, { subject: 'batch-7' });
  expect(await desk.statuses(ids)).toEqual(['signed', 'signed', 'signed']);
  await desk.sendUntilMined(ids, { listeners });
  const mined = await desk.read(ids);
  expect(mined.map(({ nonce }) => nonce)).toEqual([0, 1, 2]);
  expect(mined[0]).toMatchObject({ purpose: 'test', subject: 'batch-7', succeeded: true, address: operator.address });
  for (const { hash, block, nonce } of mined) {
    const found = await desk.node.rpc('eth_getTransactionByHash', [hash]);
    expect(found).toMatchObject({
      to: TARGET,
      input: '0x01',
      nonce: `0x${nonce.toString(16)}`,
      blockHash: block?.hash,
    });
  }
  expect(await isWaited(desk.db, operatorWaits, desk.network, NOW)).toBe(true);
  await desk.mine(1);
  await desk.scan();
  await desk.send({ listeners });
  expect(await isWaited(desk.db, operatorWaits, desk.network, NOW)).toBe(false);
  expect(await desk.statuses(ids)).toEqual(['confirmed', 'confirmed', 'confirmed']);
  expect((await desk.read(ids))[0]?.finishedAt).toEqual(NOW);
  expect(moves.toSorted()).toEqual(['0 confirmed', '0 mined', '1 confirmed', '1 mined', '2 confirmed', '2 mined']);
  expect(desk.faults).toEqual([]);
});

test('a reverting call is mined as unsuccessful', async () => {
  const ids = await desk.enqueue(1, { to: REFUSER });
  await desk.sendUntilMined(ids);
  expect(await desk.read(ids)).toMatchObject([{ status: 'mined', succeeded: false }]);
});

test('a process killed before or after the node has the bytes has them mined once', async () => {
  await desk.node.rpc('evm_setAutomine', [false]);
  const ids = await desk.enqueue(3);
  const node = createOperatorNode(desk.network);
  const raws = await desk.raws();
  // Killed after handing over the first and before recording it; after recording the second; before handing over the
  // third.
  await node.take(raws[0]!.raw, raws[0]!.hash);
  await node.take(raws[1]!.raw, raws[1]!.hash);
  await markSent(desk.db, [{ id: ids[1]!, attempt: 1 }]);
  await desk.send({ patience: { ...HASTY, stuckMs: 3_600_000 } });
  expect(await desk.statuses(ids)).toEqual(['sent', 'sent', 'sent']);
  await desk.mine(1);
  // Killed while recording which are mined: nothing of that is stored.
  const killed = async () => Promise.reject(new Error('killed'));
  await desk.send({ listeners: [killed] });
  expect(await desk.statuses(ids)).toEqual(['sent', 'sent', 'sent']);
  await desk.send();
  expect(await desk.statuses(ids)).toEqual(['mined', 'mined', 'mined']);
  expect(await desk.nonceOnChain()).toBe(3);

  // Mined before the process could record that it was sent.
  const late = await desk.enqueue(1);
  await node.take((await desk.raws()).at(-1)!.raw, (await desk.raws()).at(-1)!.hash);
  await desk.mine(1);
  await desk.send();
  expect(await desk.statuses(late)).toEqual(['mined']);
  expect(await desk.nonceOnChain()).toBe(4);
  expect(desk.faults).toEqual(['Error: killed']);
});

test('many concurrent processes get all of 200 transactions mined, without a gap or a duplicate', async () => {
  const ids = (await Promise.all(Array.from({ length: 10 }, () => desk.enqueue(20)))).flat();
  const nonces = (await desk.read(ids)).map(({ nonce }) => nonce);
  expect(nonces).toEqual(Array.from({ length: 200 }, (_, i) => i));
  // Distinct worker names and two equal ones, so that leases separate only some of them.
  const workers = ['one', 'one', 'two', 'three'];
  while ((await desk.statuses(ids)).includes('sent') || (await desk.statuses(ids)).includes('signed')) {
    await Promise.all(workers.map((worker) => desk.send({ worker })));
  }
  const mined = await desk.read(ids);
  expect(mined.every(({ status, succeeded }) => status === 'mined' && succeeded)).toBe(true);
  expect(await desk.nonceOnChain()).toBe(200);
  expect(desk.faults).toEqual([]);
});

test('gas above the price limit is not bought', async () => {
  await desk.setBaseFee(10n * GWEI);
  await desk.mine(1);
  const tight = { ...desk.network, gasPriceMaxGwei: 2 };
  expect(await desk.prepare(tight)).toMatchObject({ kind: 'too_expensive', limitWei: 2n * GWEI });
  const fees = await quoted(desk.prepare({ ...desk.network, gasPriceMaxGwei: 15 }));
  expect(fees.maxFee).toBe(15n * GWEI);
});
