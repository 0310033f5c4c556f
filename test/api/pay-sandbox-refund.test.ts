import { sql } from 'kysely';
import { expect } from 'vitest';
import { sandboxTest } from '../sandbox-fixture.ts';
import { createTestAdmin } from '../support/admins.ts';
import { expectKeysKept, sendUnderKey } from '../support/idempotency.ts';
import { DESTINATION, secretOf } from '../support/refunds.ts';
import type { SandboxService, Trader } from '../support/sandbox-service.ts';

const test = sandboxTest({ bitcoin: true });
const IN_BITCOINS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';

const adminOf = (sandbox: SandboxService) => {
  const { db, clock } = sandbox.service().platform;
  return createTestAdmin({ db, clock, url: sandbox.url(), fetch });
};

/** A refund of five dollars of a payment of twenty in this token, whose payer has named an address. */
async function claimed(sandbox: SandboxService, { client, reaches }: Trader, token: 'USDT' | 'USDC' | 'ETH' | 'BTC') {
  const { id } = await client.payments.create({ amount: 20, currency: 'USD', acceptedTokens: [token] });
  await client.sandbox.payments.pay(id, { token });
  await reaches(id, 'paid');
  const made = await client.refunds.create(id, { amount: 5, reason: 'Sold out.' });
  const destinationAddress = token === 'BTC' ? IN_BITCOINS : DESTINATION;
  await sandbox.client().public.refunds.claim(secretOf(made), { destinationAddress });
  return made;
}

test.for(['USDT', 'USDC', 'ETH', 'BTC'] as const)(
  'pays a refund in %s, and the chain shows it',
  async (token, { sandbox, trader }) => {
    const made = await claimed(sandbox, trader, token);
    const sent = await trader.client.sandbox.refunds.pay(made.id);
    expect(sent).toMatchObject({ refundId: made.id, token, amount: made.tokenAmount, network: made.network });
    const admin = await adminOf(sandbox);
    expect(await admin.client.refunds.complete(made.id, { txHash: sent.txHash })).toMatchObject({
      ...{ status: 'completed', txVerified: true, txHash: sent.txHash },
    });
  },
);

test('pays a refund that was begun in another contract than the one that is listed in that', async ({
  sandbox,
  trader,
}) => {
  const { db, networks } = sandbox.service().platform;
  const usdc = networks.flatMap(({ tokens }) => tokens).find(({ symbol }) => symbol === 'USDC')!;
  const { id } = await claimed(sandbox, trader, 'USDT');
  // As if USDT had been listed with that contract when it was begun.
  await db
    .updateTable('refunds')
    .set({
      status: 'processing',
      processed_by: 'adm_1',
      processing_at: sql`destined_at`,
      begun_contract: usdc.contract,
    })
    .set({ begun_decimals: usdc.decimals })
    .where('id', '=', id)
    .execute();
  const { txHash } = await trader.client.sandbox.refunds.pay(id);
  const admin = await adminOf(sandbox);
  expect(await admin.client.refunds.complete(id, { txHash })).toMatchObject({ status: 'completed', txVerified: true });
});

test('what is too little, unconfirmed, or for somebody else pays no refund', async ({ sandbox, trader }) => {
  const admin = await adminOf(sandbox);
  const complete = (id: string, txHash: string) => admin.client.refunds.complete(id, { txHash });
  for (const token of ['USDC', 'ETH'] as const) {
    const [made, other] = [await claimed(sandbox, trader, token), await claimed(sandbox, trader, 'USDT')];
    const short = await trader.client.sandbox.refunds.pay(made.id, { amount: '0.0001' });
    await expect(complete(made.id, short.txHash)).rejects.toMatchObject({ status: 409, reason: 'payout_too_small' });
    const elsewhere = await trader.client.sandbox.refunds.pay(other.id);
    await expect(complete(made.id, elsewhere.txHash)).rejects.toMatchObject({
      reason: expect.stringMatching(/^payout_wrong/),
    });
    const shallow = await trader.client.sandbox.refunds.pay(made.id, { confirm: false });
    await expect(complete(made.id, shallow.txHash)).rejects.toMatchObject({ reason: 'payout_not_confirmed' });
    expect(await trader.client.refunds.get(made.id)).toMatchObject({ status: 'pending' });
  }
});

test('pays once per idempotency key', async ({ sandbox, trader }) => {
  const { id } = await claimed(sandbox, trader, 'USDT');
  await expectKeysKept({
    operationId: 'paySandboxRefund',
    merchantId: trader.id,
    db: sandbox.service().platform.db,
    path: `/v1/sandbox/refunds/${id}/pay`,
    send: sendUnderKey(sandbox.url(), trader.client.tokens()?.token, '{"amount":"5"}'),
  });
});

test('pays nothing that is unclaimed or over', async ({ sandbox, trader }) => {
  const { id } = await trader.client.payments.create({ amount: 20, currency: 'USD' });
  await trader.client.sandbox.payments.pay(id);
  await trader.reaches(id, 'paid');
  const made = await trader.client.refunds.create(id, { amount: 5, reason: 'Sold out.' });
  const refused = (message: string) => ({ status: 409, message: expect.stringContaining(message) });
  const pay = () => trader.client.sandbox.refunds.pay(made.id);
  await expect(pay()).rejects.toMatchObject(refused('This refund is awaiting_claim'));
  await trader.client.refunds.cancel(made.id);
  await expect(pay()).rejects.toMatchObject(refused('This refund is cancelled'));
  const stranger = await sandbox.openTrader();
  await expect(stranger.client.sandbox.refunds.pay(made.id)).rejects.toMatchObject({ status: 404 });
});
