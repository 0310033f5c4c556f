import { expect, test } from 'vitest';
import { after, MINUTE_MS } from '../../src/lib/clock.ts';
import { openSubscriber } from './renewal-fixture.ts';
import { useStepwise } from './stepwise-fixture.ts';

const { world, trader } = useStepwise();
const relaysOf = async (id: string) => {
  const rows = world
    .db()
    .selectFrom('mandates')
    .innerJoin('operator_transactions', 'operator_transactions.subject', 'mandates.id')
    .select('operator_transactions.id')
    .where('mandates.subscription_id', '=', id);
  return (await rows.execute()).length;
};
const shown = (id: string) => world.client().public.subscriptions.get(id);
/** Makes every mandate of a subscription so much older. */
const age = async (id: string, ms: number) => {
  const createdAt = after(world.service().platform.clock.now(), -ms);
  await world.db().updateTable('mandates').set({ created_at: createdAt }).where('subscription_id', '=', id).execute();
};

test('what was signed before its merchant was frozen is not relayed until the merchant is active again', async () => {
  const subscriber = await openSubscriber(world, trader);
  await world.decide(trader.id, { kind: 'freeze', reason: 'odd payments' });
  await world.play('relay', 'send');
  expect(await relaysOf(subscriber.id)).toBe(0);
  await world.decide(trader.id, { kind: 'unfreeze', reason: null });
  await world.advance(15 * MINUTE_MS);
  await world.authorize();
  expect(await subscriber.read()).toMatchObject({ mandateStatus: 'active' });
  expect(await relaysOf(subscriber.id)).toBe(1);
});

test('of a token that is listed again with another contract the text to sign names the one that is collected', async () => {
  const other = await world.openTrader();
  const unsigned = await openSubscriber(world, other, {}, { sign: false });
  const signed = await openSubscriber(world, other);
  // Each has terms of its own: the second may have begun a second later.
  const asked = [];
  for (const { id } of [unsigned, signed]) asked.push({ id, ...(await shown(id)).terms });
  const { network } = world;
  const { contract } = network.tokens.find(({ symbol }) => symbol === 'USDC')!;
  await world.stop();
  await world.start({ ...network, tokens: [{ symbol: 'USDT', contract, decimals: 6 }] });

  // Another process's list may count: for some minutes the page asks for no signature.
  await expect(shown(unsigned.id)).rejects.toMatchObject({ status: 503 });
  await world.play('relay', 'send');
  expect(await relaysOf(signed.id)).toBe(0);

  for (const { id, from, ...terms } of asked) {
    await age(id, 3 * MINUTE_MS);
    const page = await shown(id);
    expect(page.tokenContract.toLowerCase()).toBe(contract);
    expect(page.typedData?.message).toMatchObject({ token: contract });
    expect(page).toMatchObject({ submittedAt: null, mandateStatus: 'pending', terms });
    expect(new Date(page.terms.from).getTime()).toBeLessThan(new Date(from).getTime());
    expect((await shown(id)).mandate).toEqual(page.mandate);
  }
  await signed.sign();
  await world.play('relay', 'send', 'see', 'settle');
  expect(await signed.read()).toMatchObject({ mandateStatus: 'active' });
  expect(await relaysOf(signed.id)).toBe(1);
});
