import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OperatorTransaction } from '../../src/chains/operator/queries.ts';
import { type Desk, NOW, openDesk, operator, REFUSER, TARGET } from './operator-fixture.ts';

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk();
});
afterEach(() => desk.close());

test('what is enqueued is sent in the order of its nonces, mined, and confirmed once it lies deep enough', async () => {
  const told: string[] = [];
  const listeners = [
    async (_: unknown, moved: readonly OperatorTransaction[]) =>
      void told.push(...moved.map(({ nonce, status }) => `${nonce} ${status}`)),
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
  await desk.mine(1);
  await desk.scan();
  await desk.send({ listeners });
  expect(await desk.statuses(ids)).toEqual(['confirmed', 'confirmed', 'confirmed']);
  expect((await desk.read(ids))[0]?.finishedAt).toEqual(NOW);
  expect(told.toSorted()).toEqual(['0 confirmed', '0 mined', '1 confirmed', '1 mined', '2 confirmed', '2 mined']);
  expect(desk.faults).toEqual([]);
});

test('a call that reverts is mined and confirmed as one that did not succeed', async () => {
  const ids = await desk.enqueue(1, { to: REFUSER });
  await desk.sendUntilMined(ids);
  expect(await desk.read(ids)).toMatchObject([{ status: 'mined', succeeded: false }]);
});
