import type { Hex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Trader } from '../support/sandbox-service.ts';
import { customerWallet, signMandate } from '../support/subscriptions.ts';
import { type ByHand, startByHand } from './by-hand-fixture.ts';
import { openSubscriber } from './renewal-fixture.ts';

let world: ByHand;
let trader: Trader;

beforeAll(async () => {
  world = await startByHand({ network: (network) => ({ ...network, confirmations: 3 }) });
  trader = await world.openTrader();
  await trader.client.sandbox.chain.mine({ blocks: 8 });
});
afterAll(() => world.close());

/** Code of a wallet that agrees to everything (ERC-1271); only with more than half a million gas; to nothing. */
const AGREES = '0x631626ba7e60e01b60005260206000f3';
const AGREES_FOR_MUCH_GAS = '0x631626ba7e60e01b5a6207a120100260005260206000f3';
const REFUSES = '0x60006000fd';

const relays = () =>
  world
    .db()
    .selectFrom('operator_transactions')
    .select(['id', 'succeeded'])
    .where('purpose', '=', 'authorize')
    .orderBy('nonce')
    .execute();

const incidents = async () =>
  (await world.db().selectFrom('incidents').select(['kind', 'subject']).where('resolved_at', 'is', null).execute()).map(
    ({ kind, subject }) => [kind, subject],
  );

/** Somebody whose wallet has code, and what the page does with their signatures, which no key gave. */
async function openWithCode() {
  const subscriber = await openSubscriber(world, trader, {}, { sign: false });
  const page = () => trader.client.public.subscriptions.get(subscriber.id);
  return {
    ...subscriber,
    page,
    become: (code: Hex) => world.node.rpc('anvil_setCode', [subscriber.account.address, code]),
    submit: async () => {
      const signature = await signMandate(await page(), customerWallet(7));
      return trader.client.public.subscriptions.submitMandate(subscriber.id, { signature });
    },
  };
}

test('a wallet that takes its word back between our look and the block costs us one transaction', async () => {
  const subscriber = await openWithCode();
  await subscriber.become(AGREES);
  await subscriber.submit();
  await world.play('relay');
  await subscriber.become(REFUSES);
  await world.play('send', 'send', 'relay', 'send', 'relay', 'send');
  const sent = await relays();
  expect(sent).toMatchObject([{ succeeded: false }]);
  expect(await incidents()).toEqual([['subscription.reverted', sent[0]?.id]]);
  await subscriber.become(AGREES);
  expect(await subscriber.page()).toMatchObject({ mandateStatus: 'pending', submittedAt: null });
  await expect(subscriber.submit()).rejects.toMatchObject({ code: 'CONFLICT' });
  await world.play('relay');
  expect(await relays()).toHaveLength(1);
});

test('a wallet that needs more gas than we send is asked again before anything is sent', async () => {
  const subscriber = await openWithCode();
  const before = await relays();
  await subscriber.become(AGREES_FOR_MUCH_GAS);
  await subscriber.submit();
  await world.play('relay');
  expect(await relays()).toEqual(before);
  expect(await subscriber.page()).toMatchObject({ submittedAt: null });
});

test('a mandate of whoever has cancelled is not brought to the chain', async () => {
  const subscriber = await openSubscriber(world, trader);
  const before = await relays();
  await trader.client.subscriptions.cancel(subscriber.id);
  await world.play('relay');
  expect(await relays()).toEqual(before);
});
