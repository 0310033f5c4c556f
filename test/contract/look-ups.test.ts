import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { operationMeta } from '../../generated/operations.ts';
import { operationIds } from '../support/contract.ts';
import { makeProbeWorld, type ProbeWorld } from './probe-world.ts';
import { probes } from './probes.ts';

let world: ProbeWorld;
beforeAll(async () => {
  world = await makeProbeWorld();
});
afterAll(() => world.service.close());

const lookUps = operationIds.filter((id) => operationMeta[id].transaction === 'look-up');

/** What a read of its owner sends by itself, and not as a look-up; the proof of who is asking included. */
async function statementsOf(path: string): Promise<string[]> {
  const { service, owner } = world;
  const sent = vi.spyOn(service.db.getExecutor(), 'executeQuery');
  try {
    expect((await service.send('GET', path, { token: owner.token })).status).toBe(200);
    return sent.mock.calls.map(([query]) => query.sql);
  } finally {
    sent.mockRestore();
  }
}

test.each(lookUps)('%s takes no turn, so all that it reads is looked up', async (id) => {
  const { path } = await probes[id].request(world);
  // The proof is read anew once it is a second old.
  await expect.poll(() => statementsOf(path)).toEqual([]);
});

test('a payment that was given back is looked up with its credits and its refunds', async () => {
  const { path } = await probes.getRefund.request(world);
  const { body } = await world.service.send('GET', path, { token: world.owner.token });
  const payment = `/v1/payments/${(body as { paymentId: string }).paymentId}`;
  await expect.poll(() => statementsOf(payment)).toEqual([]);
  const { body: read } = await world.service.send('GET', payment, { token: world.owner.token });
  expect(read).toMatchObject({ transactions: [{}], refunds: [{}] });
});

test('a list takes a turn, because it sends statements of its own', async () => {
  expect(operationMeta.listPayments.transaction).toBe('read');
  expect(await statementsOf('/v1/payments')).not.toEqual([]);
});
