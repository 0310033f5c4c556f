import { expect, test } from 'vitest';
import { HOUR_MS } from '../../src/lib/clock.ts';
import { RELAYS_AT_ONCE } from '../../src/subscriptions/mandates/worth-relaying.ts';
import { CUSTOMER } from '../support/customers.ts';
import { customerWallet, signMandate, TEA_CLUB } from '../support/subscriptions.ts';
import { AGREES, openWallet } from './renewal-fixture.ts';
import { useStepwise } from './stepwise-fixture.ts';

const { world, trader } = useStepwise();
/** Code that burns all the gas that it gets. */
const BURNS = '0x5b600056';

const relays = async () => {
  const sent = world.db().selectFrom('operator_transactions').select('succeeded').where('purpose', '=', 'authorize');
  return (await sent.orderBy('nonce').execute()).map(({ succeeded }) => succeeded);
};

test('a wallet whose code agrees until many of its mandates are sent has few of them fail, and no other one for a day', async () => {
  const { client } = trader;
  const { account } = await openWallet(world);
  await world.node.rpc('anvil_setCode', [account.address, AGREES]);
  const ids: string[] = [];
  for (let i = 0; i < RELAYS_AT_ONCE + 3; i += 1) {
    const { id: planId } = await client.plans.create(TEA_CLUB);
    const { id } = await client.plans.subscribe(planId, { ...CUSTOMER, walletAddress: account.address });
    const page = await client.public.subscriptions.get(id);
    await client.public.subscriptions.submitMandate(id, { signature: await signMandate(page, customerWallet(7)) });
    ids.push(id);
  }
  await world.play('relay');
  await world.node.rpc('anvil_setCode', [account.address, BURNS]);
  await world.play('send', 'send');
  const failed = Array.from({ length: RELAYS_AT_ONCE }, () => false);
  expect(await relays()).toEqual(failed);

  await world.node.rpc('anvil_setCode', [account.address, AGREES]);
  await world.advance(HOUR_MS);
  await world.play('relay');
  expect(await relays(), 'within a day').toEqual(failed);
  await world.advance(24 * HOUR_MS);
  await world.play('relay', 'send', 'send', 'see', 'settle');
  expect(await relays()).toEqual([...failed, true, true, true]);
});
