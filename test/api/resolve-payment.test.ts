import { describe, expect } from 'vitest';
import { test } from '../fixture.ts';
import type { TestMerchant, TestService } from '../harness.ts';
import { createKey, sendSigned } from '../support/signing.ts';

/** A merchant of its own for each test, whose balance is that of its one payment. */
async function paying(service: TestService, amount: string) {
  const merchant = await service.activeMerchant();
  const payment = await merchant.client.payments.create({ amount: 25, currency: 'USD' });
  await service.chain.transfer(payment, { amount });
  await service.runPaymentJobs();
  return { merchant, payment };
}

const accept = ({ client }: TestMerchant, id: string) => client.payments.resolve(id, { action: 'accept' });
const available = async ({ client }: TestMerchant) => (await client.settlements.balance()).availableBalance;
const conflict = (message: RegExp) => ({ status: 409, code: 'CONFLICT', message: expect.stringMatching(message) });

test('makes an accepted surplus available, and leaves nothing to decide', async ({ service }) => {
  const { merchant, payment } = await paying(service, '30');
  expect(await available(merchant)).toBe(25);
  expect(await merchant.client.payments.get(payment.id)).toMatchObject({ status: 'paid', exception: 'overpaid' });

  expect(await accept(merchant, payment.id)).toMatchObject({ status: 'paid', exception: null, amountReceived: 30 });
  expect(await available(merchant)).toBe(30);
  await expect(accept(merchant, payment.id)).rejects.toMatchObject(conflict(/No money .* waits/));
  expect(await available(merchant)).toBe(30);
});

test('accepts what arrived of an expired payment without making it paid', async ({ service }) => {
  const { merchant, payment } = await paying(service, '10');
  await merchant.client.payments.cancel(payment.id);
  expect(await available(merchant)).toBe(0);
  expect(await accept(merchant, payment.id)).toMatchObject({
    status: 'expired',
    reason: 'cancelled',
    exception: null,
    amountReceived: 10,
    paidAt: null,
  });
  expect(await available(merchant)).toBe(10);
});

test('accepts a token that was not asked for at its value', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const payment = await merchant.client.payments.create({ amount: 25, currency: 'USD', acceptedTokens: ['USDT'] });
  await service.chain.transfer(payment, { amount: '7', token: 'USDC' });
  await merchant.client.payments.cancel(payment.id);
  await service.runPaymentJobs();
  expect(await accept(merchant, payment.id)).toMatchObject({ status: 'expired', exception: null });
  expect(await available(merchant)).toBe(7);
});

test('needs another decision for money that arrives after one', async ({ service }) => {
  const { merchant, payment } = await paying(service, '30');
  await accept(merchant, payment.id);
  await service.chain.transfer(payment, { amount: '3' });
  await service.runPaymentJobs();
  expect(await merchant.client.payments.get(payment.id)).toMatchObject({ exception: 'overpaid', amountReceived: 33 });
  expect(await available(merchant)).toBe(30);
  await accept(merchant, payment.id);
  expect(await available(merchant)).toBe(33);
});

test('audits the decision', async ({ service }) => {
  const { merchant, payment } = await paying(service, '30');
  await accept(merchant, payment.id);
  const entries = await service.db
    .selectFrom('audit_log')
    .selectAll()
    .where('resource_id', '=', payment.id)
    .where('action', '=', 'payment.resolve')
    .execute();
  expect(entries).toMatchObject([{ actor_id: merchant.id, metadata: { status: 'paid' } }]);
});

test('refuses a transfer that is not confirmed', async ({ service }) => {
  const { merchant, payment } = await paying(service, '25');
  await service.chain.transfer(payment, { amount: '5', confirmed: false });
  await service.runPaymentJobs();
  await expect(accept(merchant, payment.id)).rejects.toMatchObject(conflict(/not confirmed yet/));
  await service.chain.mine(1);
  await service.runPaymentJobs();
  await accept(merchant, payment.id);
  expect(await available(merchant)).toBe(30);
});

test('refuses a payment that still waits for its payer', async ({ service }) => {
  const { merchant, payment } = await paying(service, '10');
  await expect(accept(merchant, payment.id)).rejects.toMatchObject(conflict(/This payment is pending/));
  await service.chain.transfer(payment, { amount: '15', confirmed: false });
  await service.runPaymentJobs();
  await expect(accept(merchant, payment.id)).rejects.toMatchObject(conflict(/This payment is confirming/));
});

test('refuses a payment that was paid exactly', async ({ service }) => {
  const { merchant, payment } = await paying(service, '25');
  await expect(accept(merchant, payment.id)).rejects.toMatchObject(conflict(/No money/));
});

test('takes no other decision than the two', async ({ service }) => {
  const { merchant, payment } = await paying(service, '30');
  const keep = { action: 'keep' as 'accept' };
  await expect(merchant.client.payments.resolve(payment.id, keep)).rejects.toMatchObject({
    status: 400,
    code: 'VALIDATION_ERROR',
    fields: [{ path: 'action', message: 'must be one of: accept, refund' }],
  });
});

test("answers 404 for an unknown payment and another merchant's, and 401 without a token", async ({ service }) => {
  const { payment } = await paying(service, '30');
  const other = await service.activeMerchant();
  await expect(accept(other, payment.id)).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  await expect(accept(other, 'pay_unknown')).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  const path = `/v1/payments/${payment.id}/resolve`;
  expect((await service.send('POST', path, { body: { action: 'accept' } })).status).toBe(401);
});

describe('refund', () => {
  const giveBack = ({ client }: TestMerchant, id: string, change = {}) =>
    client.payments.resolve(id, { action: 'refund', reason: 'Sold out.', ...change });

  test('gives back all that waits, and leaves what was credited', async ({ service }) => {
    const { merchant, payment } = await paying(service, '30');
    const resolved = await giveBack(merchant, payment.id);
    expect(resolved).toMatchObject({ status: 'paid', exception: null, amountReceived: 30, amountRefunded: 5 });
    expect(resolved.refundsMade).toMatchObject([
      { status: 'awaiting_claim', amount: 5, reason: 'Sold out.', offered: false, claimUrl: expect.any(String) },
    ]);
    expect(await available(merchant)).toBe(25);
    await expect(giveBack(merchant, payment.id)).rejects.toMatchObject(conflict(/No money waits/));
  });

  test('makes one refund for each token, together', async ({ service }) => {
    const merchant = await service.activeMerchant();
    const payment = await merchant.client.payments.create({ amount: 25, currency: 'USD', acceptedTokens: ['USDT'] });
    await service.chain.transfer(payment, { amount: '7', token: 'USDC' });
    await service.chain.transfer(payment, { amount: '4' });
    await merchant.client.payments.cancel(payment.id);
    await service.runPaymentJobs();
    const { refundsMade, exception } = await giveBack(merchant, payment.id);
    expect(refundsMade.map(({ token, amount }) => [token, amount])).toEqual([
      ['USDC', 7],
      ['USDT', 4],
    ]);
    expect(exception).toBeNull();
    expect(await merchant.client.settlements.balance()).toMatchObject({ suspense: 0, availableBalance: 0 });
  });

  test('gives back all of it or nothing where a payment may have one more refund', async ({ service }) => {
    const merchant = await service.activeMerchant();
    const payment = await merchant.client.payments.create({ amount: 25, currency: 'USD', acceptedTokens: ['USDT'] });
    await service.chain.transfer(payment, { amount: '7', token: 'USDC' });
    await service.chain.transfer(payment, { amount: '4' });
    await merchant.client.payments.cancel(payment.id);
    await service.runPaymentJobs();
    const make = () => merchant.client.refunds.create(payment.id, { amount: 0.01, reason: 'Sold out.', token: 'USDC' });
    for (let made = 0; made < 99; made += 1) await make();
    const { suspense } = await merchant.client.settlements.balance();
    await expect(giveBack(merchant, payment.id)).rejects.toMatchObject(conflict(/has had 100 refunds/));
    expect(await merchant.client.settlements.balance()).toMatchObject({ suspense });
    await make();
    await expect(giveBack(merchant, payment.id)).rejects.toMatchObject(conflict(/has had 100 refunds/));
  });

  test('needs a reason, and says so of the field', async ({ service }) => {
    const { merchant, payment } = await paying(service, '30');
    for (const reason of [undefined, ' ']) {
      await expect(giveBack(merchant, payment.id, { reason })).rejects.toMatchObject({
        ...{ status: 400, fields: [expect.objectContaining({ path: 'reason' })] },
      });
    }
    expect(await merchant.client.refunds.list()).toMatchObject({ refunds: [] });
  });

  test('by a key needs the scope of refunds, which accepting does not', async ({ service }) => {
    const { merchant, payment } = await paying(service, '30');
    const send = async (permissions: readonly string[], action: string) => {
      const key = await createKey(service, merchant, { permissions: permissions as never });
      const body = JSON.stringify({ action, reason: 'Sold out.' });
      return sendSigned(service, key, { method: 'POST', target: `/v1/payments/${payment.id}/resolve`, body });
    };
    const refused = await send(['payments:write'], 'refund');
    expect([refused.status, refused.body]).toMatchObject([403, { error: { reason: 'scope_missing' } }]);
    expect((await send(['payments:write', 'settlements:write'], 'refund')).status).toBe(200);
  });

  test('shows its claim links to no key without that scope, also when the request comes again', async ({ service }) => {
    const { merchant, payment } = await paying(service, '30');
    const both = await createKey(service, merchant, { permissions: ['payments:write', 'settlements:write'] });
    const sales = await createKey(service, merchant, { permissions: ['payments:write'] });
    const body = JSON.stringify({ action: 'refund', reason: 'Sold out.' });
    const target = `/v1/payments/${payment.id}/resolve`;
    const again = { method: 'POST', target, body, idempotencyKey: 'refund-A-1001' };
    const made = await sendSigned(service, both, again);
    expect(made.body).toMatchObject({ refundsMade: [{ claimUrl: expect.stringContaining('/refund/') }] });
    const refused = await sendSigned(service, sales, again);
    expect([refused.status, refused.body]).toMatchObject([403, { error: { reason: 'scope_missing' } }]);
    expect((await sendSigned(service, both, again)).body).toEqual(made.body);
  });

  test('by a merchant who may not withdraw is refused', async ({ service, admin }) => {
    const { merchant, payment } = await paying(service, '30');
    await admin.client.merchants.freeze(merchant.id, { reason: 'We look into something.' });
    await expect(giveBack(merchant, payment.id)).rejects.toMatchObject({ status: 403, reason: 'merchant_not_active' });
  });
});
