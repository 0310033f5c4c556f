import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SandboxService, startSandboxService, type Trader } from '../support/sandbox-service.ts';

let sandbox: SandboxService;
let trader: Trader;

beforeAll(async () => {
  sandbox = await startSandboxService();
  trader = await sandbox.openTrader();
});
afterAll(() => sandbox.close());

test('a payer selects USDC on a link and pays: paid, counted on the link, credited, announced', async () => {
  const { client } = trader;
  const payer = sandbox.client();
  const link = await client.paymentLinks.create({ title: 'Spring tea', amount: 25, currency: 'USD' });
  const { id } = await payer.public.paymentLinks.startPayment(link.slug, { customerEmail: 'nimal@example.org' });
  const shown: string[] = [];
  const watching = (async () => {
    for await (const { status } of payer.public.payments.events(id)) {
      if (shown.at(-1) !== status) shown.push(status);
      if (status === 'paid') return;
    }
  })();
  await expect.poll(() => shown).toEqual(['initiated']);

  const chosen = await payer.public.payments.select(id, { token: 'USDC', network: 'devnet' });
  expect(chosen).toMatchObject({ status: 'pending', token: 'USDC', tokenAmountDue: '25.000000' });
  const hash = await sandbox.transfer(chosen, 'USDC', 25_000_000n);
  const paid = await trader.reaches(id, 'paid');

  expect(paid).toMatchObject({
    ...{ amountReceived: 25, amountDue: 0, exception: null, txHash: hash, customerEmail: 'nimal@example.org' },
    ...{ description: 'Spring tea', paymentLinkId: link.id },
  });
  expect(paid.transactions).toMatchObject([{ hash, token: 'USDC', amount: '25.000000' }]);
  expect(await trader.eventTypes(id, 4)).toEqual(['created', 'pending', 'confirming', 'completed']);
  await watching;
  expect(shown).toEqual(['initiated', 'pending', 'confirming', 'paid']);
  await expect.poll(() => client.paymentLinks.get(link.id)).toMatchObject({ paymentCount: 1, totalPaid: 25 });
  expect(await client.settlements.balance()).toMatchObject({
    availableBalance: 25,
    totalEarned: 25,
    pendingBalance: 0,
  });
});

test('a paid session in rupees completes, returns its metadata, and leads back to the shop with session_id', async () => {
  const { client, shop } = trader;
  const metadata = { orderId: 'A-1001', gift: true, weight: 0.5, note: 'தேநீர் ☕' };
  const { sessionId, checkoutUrl } = await client.checkout.sessions.create({
    ...{ amount: 4500, currency: 'LKR', metadata },
    ...{ successUrl: 'https://shop.example/thanks?order=7#top', cancelUrl: 'https://shop.example/cart' },
  });
  const { paymentId } = await client.checkout.sessions.get(sessionId);
  await client.sandbox.payments.pay(paymentId);

  const event = await shop.expect('checkout.session.completed', sessionId);
  expect(event).toMatchObject({ livemode: false, merchantId: trader.id, sequence: 1 });
  expect(event.data).toMatchObject({ status: 'completed', paymentId, amount: 4500, currency: 'LKR', metadata });
  expect((await shop.expect('payment.completed', paymentId)).data).toMatchObject({ metadata, sessionId });
  expect(await client.checkout.sessions.get(sessionId)).toMatchObject({ status: 'completed', metadata });
  expect(await sandbox.client().public.payments.get(paymentId)).toMatchObject({
    status: 'paid',
    successUrl: 'https://shop.example/thanks?order=7#top',
  });
  const page = await fetch(`${sandbox.url()}${new URL(checkoutUrl).pathname}`);
  expect(await page.text()).toContain(`https://shop.example/thanks?order=7&amp;session_id=${sessionId}#top`);
});

test('a merchant frozen while money is on its way receives it, and can create no more payments', async () => {
  const { id, client } = trader;
  const before = await client.settlements.balance();
  const asked = await client.payments.create({ amount: 30, currency: 'USD' });
  await sandbox.decide(id, { kind: 'freeze', reason: 'A question about the last order.' });
  await expect(client.payments.create({ amount: 1, currency: 'USD' })).rejects.toMatchObject({
    code: 'FORBIDDEN',
    reason: 'merchant_not_active',
  });
  await sandbox.transfer(asked, 'USDT', 30_000_000n);
  await trader.reaches(asked.id, 'paid');
  const { availableBalance } = await client.settlements.balance();
  expect(availableBalance).toBe(before.availableBalance + 30);
  await trader.shop.expect('payment.completed', asked.id);
  await sandbox.decide(id, { kind: 'unfreeze', reason: 'Answered.' });
  await client.payments.create({ amount: 1, currency: 'USD' });
});
