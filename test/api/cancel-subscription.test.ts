import { expect } from 'vitest';
import { DAY_MS } from '../../src/lib/clock.ts';
import { test } from '../fixture.ts';
import type { TestMerchant, TestService } from '../harness.ts';
import { insertCharge, makePastDue, put, subscribe } from '../support/subscriptions.ts';

const cancel = (merchant: TestMerchant, id: string) => merchant.client.subscriptions.cancel(id);
const dayBefore = (time: Date) => new Date(time.getTime() - DAY_MS);
const eventsOf = async (service: TestService, id: string) => {
  const rows = service.db.selectFrom('events').select('type').where('resource_id', '=', id).orderBy('sequence');
  return (await rows.execute()).map(({ type }) => type);
};

test.for([0, 14])(
  'cancels a subscription with %i trial days at once, which lasts to the end of its period',
  async (trialDays, { service, merchant }) => {
    const before = await subscribe(merchant.client, { trialDays });
    service.clock.advance(60_000);
    const access =
      trialDays > 0 ? `Access stays until ${before.currentPeriodEnd}` : 'Nothing was paid for its first period';
    const cancelledAt = service.clock.now().toISOString();
    expect(await cancel(merchant, before.id)).toEqual({
      id: before.id,
      status: 'cancelled',
      cancelledAt,
      currentPeriodEnd: before.currentPeriodEnd,
      message: `The subscription is cancelled. ${access}, and nothing more is charged.`,
    });
    expect(await merchant.client.subscriptions.get(before.id)).toEqual({
      ...before,
      status: 'cancelled',
      cancelledAt,
      cancelReason: 'requested',
      nextChargeAt: null,
    });
    expect(await eventsOf(service, before.id)).toEqual(['subscription.created', 'subscription.cancelled']);
    const entry = service.db.selectFrom('audit_log').selectAll().where('resource_id', '=', before.id);
    expect(await entry.where('action', '=', 'subscription.cancel').execute()).toMatchObject([
      { actor_id: merchant.id, metadata: { status: 'cancelled' } },
    ]);
  },
);

test('stops retrying a failed charge', async ({ service, merchant }) => {
  const { id } = await subscribe(merchant.client);
  await makePastDue(service.db, id, service.clock.now());
  expect(await cancel(merchant, id)).toMatchObject({ status: 'cancelled' });
  expect(await merchant.client.subscriptions.get(id)).toMatchObject({ nextRetryAt: null, nextChargeAt: null });
});

/** What a charge of a subscription was paid by. */
const paid = async ({ client }: TestMerchant) => ({
  ...({ status: 'succeeded', failureCode: null } as const),
  paymentId: (await client.payments.create({ amount: 25, currency: 'USD' })).id,
});

test('says how long access stays: what was paid, and not beyond what is over', async ({ service, merchant }) => {
  const { id, currentPeriodEnd } = await subscribe(merchant.client);
  await put(service.db, id, { mandateStatus: 'active', everCharged: true });
  const periodEnd = new Date(currentPeriodEnd);
  await insertCharge(service.db, id, service.clock.now(), { ...(await paid(merchant)), periodEnd });
  expect((await cancel(merchant, id)).message).toContain(`Access stays until ${currentPeriodEnd},`);

  const { id: owing } = await subscribe(merchant.client);
  const over = service.clock.now();
  await makePastDue(service.db, owing, over, { number: 2 });
  await put(service.db, owing, { everCharged: true, currentPeriodEnd: over });
  const ended = { periodStart: dayBefore(over), periodEnd: over };
  await insertCharge(service.db, owing, over, { ...(await paid(merchant)), ...ended });
  service.clock.advance(60_000);
  const { message } = await cancel(merchant, owing);
  expect(message).toContain(`ended at ${over.toISOString()}`);
  expect(message).not.toContain('Access stays');
});

test.for([true, false])(
  'says of a period whose charge a reorg took back that it is not paid, where the one before is: %s',
  async (isPaidBefore, { service, merchant }) => {
    const { id, currentPeriodEnd } = await subscribe(merchant.client);
    const begun = service.clock.now();
    const reversed = { number: isPaidBefore ? 2 : 1, reversedAt: begun, periodEnd: new Date(currentPeriodEnd) };
    await makePastDue(service.db, id, begun, reversed);
    const { number } = reversed;
    await put(service.db, id, { everCharged: true, periodNumber: number, nextNumber: number + 1, recharge: number });
    const ended = { periodStart: dayBefore(begun), periodEnd: begun };
    if (isPaidBefore) await insertCharge(service.db, id, begun, { ...(await paid(merchant)), ...ended });
    service.clock.advance(60_000);
    const { message } = await cancel(merchant, id);
    expect(message).not.toContain('Access stays');
    expect(message).toContain(isPaidBefore ? `ended at ${begun.toISOString()}` : 'took back what was paid');
  },
);

test('voids a due charge that was not sent', async ({ service, merchant }) => {
  const { id } = await subscribe(merchant.client);
  const now = service.clock.now();
  await put(service.db, id, { mandateStatus: 'active', charge: 'due' });
  const due = { status: 'due', dueAt: now, failureCode: null, attempts: 0, lastAttemptAt: null } as const;
  await insertCharge(service.db, id, now, due);
  await cancel(merchant, id);
  const { data } = await merchant.client.subscriptions.charges.list(id);
  expect(data).toMatchObject([{ status: 'void', dueAt: null, attempts: [] }]);
});

test('cancels at once while a charge is in flight, which still counts', async ({ service, merchant }) => {
  const before = await subscribe(merchant.client);
  await put(service.db, before.id, { mandateStatus: 'active', charge: 'in_flight' });
  expect(await cancel(merchant, before.id)).toMatchObject({
    status: 'cancelled',
    message: expect.stringContaining('A charge that was sent before still counts'),
  });
  expect(await merchant.client.subscriptions.get(before.id)).toMatchObject({
    status: 'cancelled',
    cancelReason: 'requested',
    nextChargeAt: null,
  });
  expect(await eventsOf(service, before.id)).toEqual(['subscription.created']);
  await expect(cancel(merchant, before.id)).rejects.toMatchObject({ status: 409, code: 'CONFLICT' });
});

test('cancels once under concurrent requests, and refuses a subscription that has ended', async ({
  service,
  merchant,
}) => {
  const { id } = await subscribe(merchant.client);
  const answers = await Promise.allSettled(Array.from({ length: 5 }, () => cancel(merchant, id)));
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await expect(cancel(merchant, id)).rejects.toMatchObject({
    status: 409,
    code: 'CONFLICT',
    message: 'This subscription is cancelled already.',
  });
  await put(service.db, id, { status: 'expired', nextActionAt: null });
  await expect(cancel(merchant, id)).rejects.toMatchObject({ message: 'This subscription is expired already.' });
});
