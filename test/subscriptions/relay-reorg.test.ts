import { expect, test } from 'vitest';
import { CUSTOMER } from '../support/customers.ts';
import { customerWallet, signMandate, TEA_CLUB } from '../support/subscriptions.ts';
import { AGREES, openWallet } from './renewal-fixture.ts';
import { useStepwise } from './stepwise-fixture.ts';

const { world, trader } = useStepwise();
/** Code that burns all the gas that it gets. */
const BURNS = '0x5b600056';

const transaction = () => world.db().selectFrom('operator_transactions').selectAll().executeTakeFirstOrThrow();

test('a customer is told to agree by a transaction once a reorg makes their mandate revert, also where it is applied later', async () => {
  const { client } = trader;
  const { account } = await openWallet(world);
  await world.node.rpc('anvil_setCode', [account.address, AGREES]);
  const { id: planId } = await client.plans.create(TEA_CLUB);
  const { id } = await client.plans.subscribe(planId, { ...CUSTOMER, walletAddress: account.address });
  const read = () => client.public.subscriptions.get(id);
  await client.public.subscriptions.submitMandate(id, {
    signature: await signMandate(await read(), customerWallet(7)),
  });
  await world.authorize();
  expect(await read()).toMatchObject({ mandateStatus: 'active' });

  const { block_number: at } = await transaction();
  const head = Number(await world.node.rpc('eth_blockNumber', []));
  await world.drop(head - Number(at) + 1);
  await world.node.rpc('anvil_setCode', [account.address, BURNS]);
  // The events that the reorg removed are applied late, as where a process that applies them was killed.
  await world.play('mine', 'mine', 'mine', 'see', 'send', 'send');
  expect(await transaction()).toMatchObject({ succeeded: false });
  await world.play('see', 'settle');
  expect(await read()).toMatchObject({ mandateStatus: 'pending', agreeBy: 'transaction', submittedAt: null });
});
