import { afterAll, beforeAll, expect, test } from 'vitest';
import { controlChain } from '../../src/sandbox/chain-control.ts';
import type { Trader } from '../support/sandbox-service.ts';
import { type ByHand, startByHand } from './by-hand-fixture.ts';
import { openSubscriber } from './renewal-fixture.ts';

let world: ByHand;
let trader: Trader;

beforeAll(async () => {
  world = await startByHand({ network: (network) => ({ ...network, confirmations: 5 }) });
  trader = await world.openTrader();
  await trader.client.sandbox.chain.mine({ blocks: 8 });
});
afterAll(() => world.close());

async function openAuthorized(of: Trader) {
  const subscriber = await openSubscriber(world, of);
  await world.authorize();
  return { ...subscriber, charge: async () => (await subscriber.charges())[0]! };
}

test('a try that failed and comes again in another block says nothing of the next try, which is on its way', async () => {
  const subscriber = await openAuthorized(trader);
  await world.play('sweep', 'tick', 'collect');
  await subscriber.empty();
  await world.play('send', 'see', 'settle');
  expect(await subscriber.charge()).toMatchObject({ status: 'failed', failureCode: 'insufficient_balance' });
  await subscriber.refill(100_000_000n);
  await world.play('see', 'settle', 'sweep', 'tick', 'collect');
  expect(await subscriber.charge()).toMatchObject({ status: 'sending' });
  await controlChain(world.node.url).reorg(3, true);
  await world.play('see', 'settle');
  expect(await subscriber.charge()).toMatchObject({ status: 'sending' });
  await world.play('send', 'see', 'settle', 'mine', 'mine');
  await world.confirm();
  expect(await subscriber.charge()).toMatchObject({ status: 'succeeded' });
  expect(await subscriber.told()).toEqual(['created', 'charge_failed', 'past_due', 'activated']);
});
