import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { withBareNode } from '../support/bare-node.ts';
import { proveWallet, subscribeByWallet } from '../support/customers.ts';
import { customerWallet, subscribe, TEA_CLUB } from '../support/subscriptions.ts';

test('ends a subscription as its merchant could, and says who did', async ({ service, merchant }) => {
  const { id, currentPeriodEnd } = await subscribe(merchant.client);
  const proof = await proveWallet(service.client(), { purpose: 'cancel', subscriptionId: id });
  expect(await service.client().public.subscriptions.cancel(id, proof)).toMatchObject({
    ...{ id, status: 'cancelled', currentPeriodEnd },
  });
  expect(await merchant.client.subscriptions.get(id)).toMatchObject({
    ...{ status: 'cancelled', cancelReason: 'customer_requested' },
  });
  const events = service.db.selectFrom('events').select('type').where('resource_id', '=', id).orderBy('sequence');
  expect((await events.execute()).at(-1)).toEqual({ type: 'subscription.cancelled' });
});

test('leaves no free days to a customer who took them and had not agreed, and says so', async ({
  service,
  merchant,
}) => {
  const { id: planId } = await merchant.client.plans.create({ ...TEA_CLUB, trialDays: 14 });
  const { id } = await subscribeByWallet(service.client(), planId);
  const proof = await proveWallet(service.client(), { purpose: 'cancel', subscriptionId: id });
  const { currentPeriodEnd, cancelledAt, message } = await service.client().public.subscriptions.cancel(id, proof);
  expect(currentPeriodEnd).toBe(cancelledAt);
  expect(message).toContain('free days are for customers who agree');
  expect(await merchant.client.subscriptions.get(id)).toMatchObject({ currentPeriodEnd, cancelledAt });
});

test('takes no signature of another wallet, none about another subscription, and none twice', async ({
  service,
  merchant,
}) => {
  const client = service.client();
  const [mine, other] = [await subscribe(merchant.client), await subscribe(merchant.client)];
  const thief = customerWallet(9);
  const asked = { purpose: 'cancel', subscriptionId: mine.id } as const;
  const stolen = await proveWallet(client, asked, customerWallet(), thief);
  await withBareNode(service, () =>
    expect(client.public.subscriptions.cancel(mine.id, stolen)).rejects.toMatchObject({
      ...{ status: 400, fields: [{ path: 'signature' }] },
    }),
  );
  const ofOther = await proveWallet(client, { purpose: 'cancel', subscriptionId: other.id });
  await expect(client.public.subscriptions.cancel(mine.id, ofOther)).rejects.toMatchObject({
    ...{ status: 400, fields: [{ path: 'challengeId' }] },
  });
  expect(await merchant.client.subscriptions.get(mine.id)).toMatchObject({ status: 'active' });
  const proof = await proveWallet(client, asked);
  await client.public.subscriptions.cancel(mine.id, proof);
  await expect(client.public.subscriptions.cancel(mine.id, proof)).rejects.toMatchObject({
    ...{ status: 409, reason: 'challenge_over' },
  });
});

test('refuses one that is over, and does not use the text up for it', async ({ service, merchant }) => {
  const { id } = await subscribe(merchant.client);
  const proof = await proveWallet(service.client(), { purpose: 'cancel', subscriptionId: id });
  await merchant.client.subscriptions.cancel(id);
  for (let time = 0; time < 2; time += 1) {
    await expect(service.client().public.subscriptions.cancel(id, proof)).rejects.toMatchObject({
      ...{ status: 409, message: expect.stringContaining('cancelled already') },
    });
  }
});

test('answers 404 for an unknown subscription', async ({ service }) => {
  const proof = { challengeId: 'wch_unknown', signature: '0x12' };
  await expect(service.client().public.subscriptions.cancel('sub_unknown', proof)).rejects.toMatchObject({
    status: 404,
  });
});
