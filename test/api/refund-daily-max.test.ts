import { sql } from 'kysely';
import { expect } from 'vitest';
import { serviceTest } from '../fixture.ts';
import type { TestMerchant, TestService } from '../harness.ts';
import { connectOwner, urlsOf } from '../support/database.ts';
import { arrived, arrivedInParts, DESTINATION, offered, PAYER, secretOf } from '../support/refunds.ts';
import { createKey, sendSigned } from '../support/signing.ts';
import { countBlocked } from '../support/waiting.ts';

const test = serviceTest({ settings: { refundDailyMax: '30.00' } });
const REASON = { reason: 'Sold out.' };
const DAY_MS = 86_400_000;
const refused = (left: string) => ({
  ...{ status: 409, code: 'CONFLICT', reason: 'limit_exceeded' },
  message: expect.stringContaining(`may come to 30.00 USD; ${left} USD are left now`),
});

/** A merchant to which two payers paid 25 dollars each. */
async function withTwo(service: TestService) {
  const merchant = await service.activeMerchant();
  return { merchant, one: await arrived(service, merchant), two: await arrived(service, merchant) };
}

/** Proves by the wallet that paid where a refund goes. */
async function prove(service: TestService, made: { readonly claimUrl: string | null }) {
  const payer = service.client().public.refunds;
  const { wallet } = await payer.get(secretOf(made));
  if (wallet === null) throw new Error('no wallet is known to have paid');
  const signature = await PAYER.signMessage({ message: wallet.message });
  await payer.claim(secretOf(made), { destinationAddress: wallet.address, signature });
}

/** What a merchant gave back to an address that had not paid. */
const giveAway = ({ client }: TestMerchant, id: string, amount: number) =>
  client.refunds.create(id, { amount, ...REASON, destinationAddress: DESTINATION });

test('a stolen key gives no more to an address of its own than the most of a day, in whatever parts', async ({
  service,
}) => {
  const { merchant, one, two } = await withTwo(service);
  const key = await createKey(service, merchant, { permissions: ['settlements:write'] });
  const steal = async (id: string, body: object) =>
    sendSigned(service, key, {
      ...{ method: 'POST', target: `/v1/payments/${id}/refunds` },
      body: JSON.stringify({ ...REASON, ...body }),
    });
  const to = { destinationAddress: DESTINATION };
  expect(await steal(one.id, { amount: 'all', ...to })).toMatchObject({ status: 201 });
  const limit = { status: 409, body: { error: { code: 'CONFLICT', reason: 'limit_exceeded' } } };
  expect(await steal(two.id, { amount: 'all', ...to })).toMatchObject(limit);
  // A link is as good: the thief reads it, and claims by it.
  expect(await steal(two.id, { amount: 5.01 })).toMatchObject(limit);
  expect(await steal(two.id, { amount: 5 })).toMatchObject({ status: 201 });
  expect(await steal(two.id, { amount: 0.01, ...to })).toMatchObject(limit);
});

test('two at once come to no more than the most of a day', async ({ service }) => {
  const { merchant, one, two } = await withTwo(service);
  const asked = await Promise.allSettled([giveAway(merchant, one.id, 20), giveAway(merchant, two.id, 20)]);
  expect(asked.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('what was cancelled counts no more, and what was given back counts for 24 hours, whatever midnight lies between', async ({
  service,
}) => {
  const { merchant, one, two } = await withTwo(service);
  const { id } = await giveAway(merchant, one.id, 25);
  await expect(giveAway(merchant, two.id, 25)).rejects.toMatchObject(refused('5.00'));
  await merchant.client.refunds.cancel(id);
  await giveAway(merchant, two.id, 25);
  await expect(giveAway(merchant, one.id, 25)).rejects.toMatchObject(refused('5.00'));
  service.clock.advance(DAY_MS - 1);
  await expect(giveAway(merchant, one.id, 25)).rejects.toMatchObject(refused('5.00'));
  service.clock.advance(1);
  await giveAway(merchant, one.id, 25);
});

test('what goes to the one wallet that paid has no limit: named by the merchant, or proven by it', async ({
  service,
}) => {
  const { merchant, one, two } = await withTwo(service);
  const own = { ...REASON, destinationAddress: PAYER.address };
  await merchant.client.refunds.create(one.id, { amount: 'all', ...own });
  const made = await merchant.client.refunds.create(two.id, { amount: 'all', ...REASON });
  await prove(service, made);
  const three = await arrived(service, merchant);
  await giveAway(merchant, three.id, 25);
});

test('who sends more to a payment than its payer does not make a wallet of theirs the one that paid', async ({
  service,
}) => {
  const { merchant, one } = await withTwo(service);
  await service.chain.transfer(one, { amount: '26', from: DESTINATION });
  await service.runPaymentJobs();
  await expect(merchant.client.refunds.create(one.id, { amount: 'all', ...REASON })).rejects.toMatchObject(
    refused('30.00'),
  );
  await expect(giveAway(merchant, one.id, 31)).rejects.toMatchObject(refused('30.00'));
});

test('what a wallet has sent in units of a token with other decimals makes nothing else its own', async ({
  service,
}) => {
  const { merchant, one, two } = await withTwo(service);
  await giveAway(merchant, two.id, 25);
  await service.chain.transfer(one, { amount: '1', from: DESTINATION });
  await service.runPaymentJobs();
  // It came while the token was listed with another contract, whose dollar has a million million times as many units.
  const owner = await connectOwner(await urlsOf(service.db));
  try {
    await owner.query(
      `update credits set decimals = 18, amount_units = amount_units * 1e12
        where payment_id = $1 and lower(sender) = lower($2)`,
      [one.id, DESTINATION],
    );
  } finally {
    await owner.end();
  }
  await expect(giveAway(merchant, one.id, 25)).rejects.toMatchObject(refused('5.00'));
  // Nor does it make the one that paid another wallet.
  await prove(service, await merchant.client.refunds.create(one.id, { amount: 5, ...REASON }));
});

test('what a wallet has sent that is not deep enough to be given away makes nothing else its own', async ({
  service,
}) => {
  const merchant = await service.activeMerchant();
  const { id, ordinary } = await arrivedInParts(service, merchant, [DESTINATION, PAYER.address]);
  const giveBack = () =>
    merchant.client.refunds.create(id, { amount: 35, ...REASON, destinationAddress: PAYER.address });
  await expect(giveBack()).rejects.toMatchObject(refused('30.00'));
  await service.chain.mine(4);
  expect(await giveBack()).toMatchObject({ amount: 35 });
  await ordinary();
});

test('of two that bring one wallet more than it has sent one counts, though the other is claimed meanwhile', async ({
  service,
}) => {
  const { merchant, one } = await withTwo(service);
  await service.chain.transfer(one, { amount: '25', from: DESTINATION });
  await service.runPaymentJobs();
  const made = await merchant.client.refunds.create(one.id, { amount: 20, ...REASON });
  const owner = await connectOwner(await urlsOf(service.db));
  try {
    // Each has looked at the other before either is committed.
    await owner.query('begin; lock table events in share mode');
    const own = { amount: 20, ...REASON, destinationAddress: PAYER.address };
    const both = Promise.allSettled([prove(service, made), merchant.client.refunds.create(one.id, own)]);
    await expect.poll(() => countBlocked(service.db)).toBe(2);
    await owner.query('rollback');
    await both;
  } finally {
    await owner.end();
  }
  const { rows } = await sql<{ count: bigint }>`
    select count(*) as count from refunds where payment_id = ${one.id} and limited_at is not null`.execute(service.db);
  expect(rows[0]?.count).toBe(1n);
});

test('a new link for a refund of an earlier day counts today', async ({ service }) => {
  const { merchant, one, two } = await withTwo(service);
  const made = await merchant.client.refunds.create(one.id, { amount: 25, ...REASON });
  // Within its day it counts once.
  await merchant.client.refunds.renewClaim(made.id);
  service.clock.advance(DAY_MS);
  await giveAway(merchant, two.id, 10);
  await expect(merchant.client.refunds.renewClaim(made.id)).rejects.toMatchObject(refused('20.00'));
  service.clock.advance(DAY_MS);
  await merchant.client.refunds.renewClaim(made.id);
  await expect(giveAway(merchant, two.id, 10)).rejects.toMatchObject(refused('5.00'));
});

test('all that waits goes back within the most of a day, or nothing of it', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const { id } = await arrived(service, merchant, '56');
  await expect(merchant.client.payments.resolve(id, { action: 'refund', ...REASON })).rejects.toMatchObject(
    refused('30.00'),
  );
  expect(await merchant.client.payments.get(id)).toMatchObject({ amountRefunded: 0, exception: 'overpaid' });
});

test('what payers take from the page of their payment does not count, until the merchant makes a link for it', async ({
  service,
}) => {
  const merchant = await service.activeMerchant();
  const id = await offered(service, merchant);
  const { claimUrl } = await service.client().public.payments.takeRefund(id);
  expect(claimUrl).toContain('/refund/');
  const three = await arrived(service, merchant);
  await giveAway(merchant, three.id, 25);
  const four = await arrived(service, merchant);
  await giveAway(merchant, four.id, 4);
  const [made] = (await merchant.client.refunds.list({ paymentId: id })).refunds;
  await expect(merchant.client.refunds.renewClaim(made?.id ?? '')).rejects.toMatchObject(refused('1.00'));
});
