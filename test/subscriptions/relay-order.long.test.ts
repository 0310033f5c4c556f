import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { subscribeByWallet } from '../support/customers.ts';
import { signMandate, TEA_CLUB } from '../support/subscriptions.ts';
import { openSubscriber } from './renewal-fixture.ts';
import { useStepwise } from './stepwise-fixture.ts';

const { world, trader } = useStepwise();

/** As many as one look takes. */
const MANY = 50;
/** Code that reverts whatever it is asked. */
const REVERTS = '0x60006000fd';

/** Subscribes a new wallet, which has nothing and pays nothing, on the page of a plan, and signs. */
async function signFor(planId: string): Promise<void> {
  const { client } = trader;
  const account = privateKeyToAccount(generatePrivateKey());
  const { id } = await subscribeByWallet(client, planId, account);
  const signature = await signMandate(await client.public.subscriptions.get(id), account);
  await client.public.subscriptions.submitMandate(id, { signature });
}

test('mandates about which a token gives no answer keep no other mandate waiting', async () => {
  const plan = await trader.client.plans.create({ ...TEA_CLUB, token: 'USDC' });
  for (let i = 0; i < MANY; i += 1) await signFor(plan.id);
  const other = await openSubscriber(world, trader, {}, { sign: false });
  const { contract } = world.network.tokens.find(({ symbol }) => symbol === 'USDC')!;
  const code = await world.node.rpc<Hex>('eth_getCode', [contract, 'latest']);
  await world.node.rpc('anvil_setCode', [contract, REVERTS]);
  await other.sign();
  for (let look = 0; look <= MANY / 3; look += 1) await world.play('relay');
  await world.play('send', 'see', 'settle');
  expect(await other.read()).toMatchObject({ mandateStatus: 'active' });

  // Each was tried once, and waits. They go on once the token answers again.
  const faults = world.faults.splice(0);
  expect(faults).toHaveLength(MANY);
  for (const fault of faults) expect(fault).toContain('could not be brought to the chain; it waits');
  await world.node.rpc('anvil_setCode', [contract, code]);
  await world.advance(20_000);
  await world.play('relay');
  expect(world.faults).toEqual([]);
});
