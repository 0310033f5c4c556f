import { expect } from 'vitest';
import { after, DAY_MS } from '../../src/lib/clock.ts';
import { firstIdAt } from '../../src/lib/ids.ts';
import { deleteOldDeliveries } from '../../src/webhooks/retention.ts';
import { serviceTest } from '../fixture.ts';
import type { TestMerchant, TestService } from '../harness.ts';
import type { Respond } from '../support/receiver.ts';

const test = serviceTest({ settings: { webhookRetentionDays: 30 } }).extend(
  'respond',
  { scope: 'file' },
  (): Respond => () => 200,
);

async function sellTo(service: TestService, merchant: TestMerchant): Promise<string> {
  await merchant.client.payments.create({ amount: 25, currency: 'USD' });
  await service.runJob('webhooks.deliver');
  const { deliveries } = await merchant.client.webhooks.deliveries.list({ limit: 1 });
  return deliveries[0]?.id ?? '';
}

const kept = async ({ client }: TestMerchant): Promise<string[]> =>
  (await client.webhooks.deliveries.list()).deliveries.map(({ id }) => id);

test('deletes deliveries with their attempts after the retention time, but not pending ones', async ({
  service,
  receiver,
}) => {
  const merchant = await service.activeMerchant();
  await merchant.client.webhooks.endpoint.update({ url: receiver.url });
  const old = await sellTo(service, merchant);
  await merchant.client.payments.create({ amount: 26, currency: 'USD' });
  const [waiting = ''] = await kept(merchant);
  service.clock.advance(29 * DAY_MS);
  await service.runJob('webhooks.prune');
  expect(await kept(merchant)).toEqual([waiting, old]);

  service.clock.advance(2 * DAY_MS);
  const fresh = await sellTo(service, merchant);
  // That run also sent the pending one, which is as old as the other.
  expect((await merchant.client.webhooks.deliveries.get(waiting)).status).toBe('success');
  await service.runJob('webhooks.prune');
  expect(await kept(merchant)).toEqual([fresh]);
  const attempts = await service.db.selectFrom('webhook_attempts').select('delivery_id').execute();
  expect(attempts.map((row) => row.delivery_id)).toEqual([fresh]);
});

test('keeps a delivery as long as one that repeats it', async ({ service, receiver }) => {
  const merchant = await service.activeMerchant();
  await merchant.client.webhooks.endpoint.update({ url: receiver.url });
  const old = await sellTo(service, merchant);
  service.clock.advance(31 * DAY_MS);
  const again = await merchant.client.webhooks.deliveries.redeliver(old);
  await service.runJob('webhooks.deliver');
  await service.runJob('webhooks.prune');
  expect(await kept(merchant)).toEqual([again.id, old]);
  service.clock.advance(31 * DAY_MS);
  await service.runJob('webhooks.prune');
  expect(await kept(merchant)).toEqual([]);
});

test('deletes one that was repeated again and again with all that repeat it, once the last is old', async ({
  service,
  receiver,
}) => {
  const merchant = await service.activeMerchant();
  await merchant.client.webhooks.endpoint.update({ url: receiver.url });
  const made = [await sellTo(service, merchant)];
  for (let times = 0; times < 5; times += 1) {
    made.push((await merchant.client.webhooks.deliveries.redeliver(made.at(-1) ?? '')).id);
    await service.runJob('webhooks.deliver');
  }
  const young = await merchant.client.webhooks.deliveries.redeliver(await sellTo(service, merchant));
  const before = after(service.clock.now(), 1);
  service.clock.advance(31 * DAY_MS);
  const again = await merchant.client.webhooks.deliveries.redeliver(young.id);
  await service.runJob('webhooks.deliver');
  const all = await kept(merchant);
  // Two at a time, from the newest on: each is looked at once.
  const looks: (string | null)[] = [];
  for (let below: string | null = firstIdAt('delivery', before); below !== null; looks.push(below))
    below = await deleteOldDeliveries(service.db, below, 2);
  expect(looks).toHaveLength(5);
  expect(await kept(merchant)).toEqual(all.filter((id) => !made.includes(id)));
  expect(await kept(merchant)).toContain(again.id);
});

test('does not resend deliveries whose records were deleted', async ({ service, receiver }) => {
  const merchant = await service.activeMerchant();
  await merchant.client.webhooks.endpoint.update({ url: receiver.url });
  const since = service.clock.now().toISOString();
  await sellTo(service, merchant);
  service.clock.advance(31 * DAY_MS);
  await service.runJob('webhooks.prune');
  expect(await merchant.client.webhooks.recover({ since })).toEqual({ recovered: 0, more: false, next: null });
});
