import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type BitcoinWorld, openBitcoinWorld } from './bitcoin-fixture.ts';

let world: BitcoinWorld;
beforeAll(async () => {
  world = await openBitcoinWorld();
});
afterAll(async () => {
  await world.reconcile();
  await world.close();
});
beforeEach(async () => {
  await price('60000');
  await world.mine();
});

const price = (dollars: string): Promise<void> => world.service.set({ manualRates: { 'BTC/USD': dollars } });

/** Time passes: quotes are renewed, and what is due happens. */
async function pass(minutes: number): Promise<void> {
  await world.pass(minutes);
  await world.service.runJob('payments.requote');
  await world.look();
}

test('paid in the last second of a quote it is worth what was shown, whenever its block comes', async () => {
  const payment = await world.ask();
  await world.pass(15 - 1 / 60);
  await world.wallet.pay([await payment.due()]);
  await world.look();
  expect(await payment.state()).toBe('confirming 100');
  await price('30000');
  await pass(40);
  await world.mine();
  expect(await payment.state()).toBe('paid 100');
  expect(await payment.events()).toBe('created confirming completed');
});

test('the quote before counts for two minutes after a renewal, and not for three', async () => {
  const [soon, later] = [await world.ask(), await world.ask()];
  const [shownSoon, shownLater] = [await soon.due(), await later.due()];
  await price('50000');
  await pass(15);
  const [renewed] = (await soon.read()).options;
  expect([shownSoon.units, renewed?.amount]).toEqual([166_667n, '0.00200000']);
  await world.pass(1);
  await world.wallet.pay([shownSoon]);
  await world.look();
  await world.pass(2);
  await world.wallet.pay([shownLater]);
  await world.mine();
  expect([await soon.state(), await later.state()]).toEqual(['paid 100', 'pending 83.33']);
});

test('a replacement in the next quote keeps the quote of what it replaces; one that pays more does not', async () => {
  const [same, more] = [await world.ask(), await world.ask()];
  const first = await world.wallet.pay([await same.due()]);
  const shown = await more.due();
  const second = await world.wallet.pay([{ ...shown, units: 1_000n }]);
  await world.look();
  await price('30000');
  await pass(16);
  await world.pass(4);
  await world.wallet.replace(first.txid);
  await world.wallet.replace(second.txid, { from: more.address, to: world.wallet.sink });
  await world.wallet.pay([shown]);
  await world.mine();
  expect(await same.state()).toBe('paid 100');
  expect(await more.state()).toBe('pending 50');
});

test('what waits at the deadline is in time, and what comes in the late window is worth what the market says', async () => {
  const [waiting, late] = [await world.ask(), await world.ask()];
  const shown = await late.due();
  const left = (Date.parse((await waiting.read()).expiresAt) - world.now().getTime()) / 60_000;
  await pass(left - 1);
  await world.wallet.pay([await waiting.due()]);
  await world.look();
  await world.node.mineOnly([]);
  await pass(31);
  await world.node.mineOnly([]);
  await world.look();
  expect([await waiting.state(), await late.state()]).toEqual(['confirming 100', 'expired 0']);
  await price('120000');
  await pass(18);
  await world.wallet.pay([shown]);
  await world.look();
  expect(await late.state()).toBe('confirming late 199.99');
  await world.mine();
  expect([await waiting.state(), await late.state()]).toEqual(['paid 100', 'paid overpaid 199.99']);
  expect(await waiting.events()).toBe('created confirming completed');
});

test('larger amounts wait for more blocks', async () => {
  const payments = [await world.ask(999), await world.ask(1_500), await world.ask(20_000)];
  await world.wallet.pay(await Promise.all(payments.map((each) => each.due())));
  const states = () => Promise.all(payments.map(async (each) => (await each.read()).status));
  await world.mine();
  expect(await states()).toEqual(['paid', 'confirming', 'confirming']);
  await world.mine();
  expect(await states()).toEqual(['paid', 'paid', 'confirming']);
  await world.mine(3);
  expect(await states()).toEqual(['paid', 'paid', 'confirming']);
  await world.mine();
  expect(await states()).toEqual(['paid', 'paid', 'paid']);
  expect((await payments[2]?.read())?.confirmations).toMatchObject({ required: 6 });
});

test('unconfirmed for a day it fails, and its money waits for the merchant when it is mined at last', async () => {
  const payment = await world.ask();
  const { txid } = await world.wallet.pay([await payment.due()]);
  await world.look();
  const [waiting] = await world.node.listPool();
  for (let hours = 0; hours < 25; hours += 2.5) {
    await world.pass(150);
    await world.node.mineOnly([]);
    await world.look();
  }
  expect(await payment.state()).toBe('failed 100');
  await world.node.mineOnly([waiting?.hex ?? '']);
  await world.look();
  expect((await payment.read()).transactions).toMatchObject([{ hash: txid, confirmations: 1 }]);
  const before = await world.available();
  await world.merchant.client.payments.resolve(payment.id, { action: 'accept' });
  expect([await payment.state(), await world.available()]).toEqual(['failed 100', before + 100]);
  expect(await payment.events()).toBe('created confirming failed');
});
