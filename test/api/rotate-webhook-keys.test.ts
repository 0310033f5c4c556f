import { sql } from 'kysely';
import { describe, expect } from 'vitest';
import { verifyWebhook } from '../../clients/typescript/src/index.ts';
import { test } from '../fixture.ts';
import type { TestMerchant, TestService } from '../harness.ts';
import type { Received, Receiver } from '../support/receiver.ts';

const HOUR_SECONDS = 3600;

async function withEndpoint(service: TestService, receiver: Receiver): Promise<TestMerchant> {
  const merchant = await service.activeMerchant();
  await merchant.client.webhooks.endpoint.update({ url: receiver.url });
  return merchant;
}

const keysOf = async ({ client }: TestMerchant) => (await client.webhooks.keys.list()).data;
const activeOf = async (merchant: TestMerchant): Promise<string> => (await keysOf(merchant))[0]?.publicKey ?? '';
const jwksOf = async ({ id, client }: TestMerchant) => (await client.public.merchants.webhookKeys(id)).keys;

/** The webhook of a new payment, as it arrived. */
async function receive(service: TestService, receiver: Receiver, { client }: TestMerchant): Promise<Received> {
  await client.payments.create({ amount: 25, currency: 'USD' });
  await service.runJob('webhooks.deliver');
  const request = receiver.received.at(-1);
  if (!request) throw new Error('nothing arrived');
  return request;
}

/** Whether a receiver with these keys accepts the webhook. */
const verifies = (
  service: TestService,
  { body, headers }: Received,
  keys: string | readonly string[],
): Promise<boolean> =>
  verifyWebhook(body, headers, { keys, now: service.clock.real() }).then(
    () => true,
    () => false,
  );

const signatures = ({ headers }: Received): number => String(headers['webhook-signature']).split(' ').length;

const hoursLeft = (service: TestService, time: string | null | undefined): number =>
  (Date.parse(time ?? '') - service.clock.real().getTime()) / 1000 / HOUR_SECONDS;

test('lets receivers verify with either key during the grace period, and only with the new one after it', async ({
  service,
  receiver,
}) => {
  const merchant = await withEndpoint(service, receiver);
  const old = await activeOf(merchant);
  const created = await merchant.client.webhooks.keys.rotate();
  expect(created).toMatchObject({ id: expect.stringMatching(/^whk_/), status: 'active', expiresAt: null });
  expect(created.publicKey).not.toBe(old);
  const [active, retiring, ...others] = await keysOf(merchant);
  expect(others).toEqual([]);
  expect(active).toEqual(created);
  expect(retiring).toMatchObject({ publicKey: old, status: 'retiring' });
  expect(hoursLeft(service, retiring?.expiresAt)).toBeCloseTo(24, 1);
  expect(await jwksOf(merchant)).toHaveLength(2);

  const during = await receive(service, receiver, merchant);
  expect(signatures(during)).toBe(2);
  expect([await verifies(service, during, old), await verifies(service, during, created.publicKey)]).toEqual([
    true,
    true,
  ]);
  // The newest signs first.
  const first = String(during.headers['webhook-signature']).split(' ')[0] ?? '';
  const { body, headers } = during;
  const cut = { ...during, body, headers: { ...headers, 'webhook-signature': first } };
  expect([await verifies(service, cut, old), await verifies(service, cut, created.publicKey)]).toEqual([false, true]);

  service.clock.advanceReal(24 * HOUR_SECONDS * 1000 + 1000);
  const after = await receive(service, receiver, merchant);
  expect(signatures(after)).toBe(1);
  expect([await verifies(service, after, old), await verifies(service, after, created.publicKey)]).toEqual([
    false,
    true,
  ]);
  expect((await keysOf(merchant)).map(({ id }) => id)).toEqual([created.id]);
  expect(await jwksOf(merchant)).toHaveLength(1);
});

test('a receiver that fetches keys itself follows, also without a grace period', async ({ service, receiver }) => {
  const merchant = await withEndpoint(service, receiver);
  const source = { baseUrl: service.url, merchantId: merchant.id, fetch: service.fetch };
  const before = await receive(service, receiver, merchant);
  await verifyWebhook(before.body, before.headers, { ...source, now: service.clock.real() });
  await merchant.client.webhooks.keys.rotate({ gracePeriodSeconds: 0 });
  const after = await receive(service, receiver, merchant);
  service.clock.advanceReal(11_000); // The keys that it fetched are older than ten seconds.
  const event = await verifyWebhook(after.body, after.headers, { ...source, now: service.clock.real() });
  expect(event).toMatchObject({ type: 'payment.created' });
});

test('without a grace period, ends every old key now, also retiring ones, and signs pending deliveries with the new one', async ({
  service,
  receiver,
}) => {
  const merchant = await withEndpoint(service, receiver);
  const first = await activeOf(merchant);
  const { publicKey: second } = await merchant.client.webhooks.keys.rotate({ gracePeriodSeconds: 604_800 });
  await merchant.client.payments.create({ amount: 5, currency: 'USD' });
  const created = await merchant.client.webhooks.keys.rotate({ gracePeriodSeconds: 0 });
  expect(await keysOf(merchant)).toEqual([created]);
  expect(await jwksOf(merchant)).toHaveLength(1);
  await service.runJob('webhooks.deliver');
  const waited = receiver.received.at(-1) as Received;
  expect(signatures(waited)).toBe(1);
  expect([
    await verifies(service, waited, [first, second]),
    await verifies(service, waited, created.publicKey),
  ]).toEqual([false, true]);
  const result = await merchant.client.webhooks.test();
  expect(result.success).toBe(true);
  expect(await verifies(service, receiver.received.at(-1) as Received, created.publicKey)).toBe(true);
});

describe('a rotation', () => {
  test('keeps the expiry of retiring keys, and lists the newest first', async ({ service }) => {
    const merchant = await service.activeMerchant();
    const made = [await activeOf(merchant)];
    for (const hours of [100, 10, 1]) {
      service.clock.advance(1000);
      const { publicKey } = await merchant.client.webhooks.keys.rotate({ gracePeriodSeconds: hours * HOUR_SECONDS });
      made.unshift(publicKey);
    }
    const keys = await keysOf(merchant);
    expect(keys.map(({ publicKey }) => publicKey)).toEqual(made);
    expect(keys.map(({ status }) => status)).toEqual(['active', 'retiring', 'retiring', 'retiring']);
    expect(keys.slice(1).map(({ expiresAt }) => Math.round(hoursLeft(service, expiresAt)))).toEqual([1, 10, 100]);
  });

  test('is refused while three keys are retiring, unless it ends all of them', async ({ service, receiver }) => {
    const merchant = await withEndpoint(service, receiver);
    const { rotate } = merchant.client.webhooks.keys;
    for (const hours of [1, 10, 100]) {
      service.clock.advance(1000);
      await rotate({ gracePeriodSeconds: hours * HOUR_SECONDS });
    }
    const all = await keysOf(merchant);
    expect(signatures(await receive(service, receiver, merchant))).toBe(4);
    const soonest = all.at(-1)?.expiresAt;
    await expect(rotate()).rejects.toMatchObject({
      ...{ status: 409, code: 'CONFLICT' },
      message: `Three older keys still sign along, the most that may. The first ends at ${soonest}; send gracePeriodSeconds 0 to end all of them now.`,
    });
    expect(await keysOf(merchant)).toEqual(all);
    service.clock.advanceReal(HOUR_SECONDS * 1000 + 1000);
    await rotate();
    expect(await keysOf(merchant)).toHaveLength(4);
    await rotate({ gracePeriodSeconds: 0 });
    expect(await keysOf(merchant)).toHaveLength(1);
  });

  test('makes as many keys as there is room for under ten concurrent requests, one of them active', async ({
    service,
  }) => {
    const merchant = await service.activeMerchant();
    const { rotate } = merchant.client.webhooks.keys;
    const results = await Promise.all(Array.from({ length: 10 }, () => rotate.try({ gracePeriodSeconds: 60 })));
    expect(results.filter(({ ok }) => ok)).toHaveLength(3);
    const keys = await keysOf(merchant);
    expect(keys.map(({ status }) => status)).toEqual(['active', 'retiring', 'retiring', 'retiring']);
  });

  test('is audited, and makes a key for its merchant alone', async ({ service }) => {
    const [merchant, other] = [await service.activeMerchant(), await service.activeMerchant()];
    const before = await keysOf(other);
    const created = await merchant.client.webhooks.keys.rotate({ gracePeriodSeconds: 60 });
    expect(await keysOf(other)).toEqual(before);
    const entries = service.db.selectFrom('audit_log').selectAll().where('action', '=', 'webhook_key.rotate');
    expect(await entries.execute()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ resource_id: created.id, metadata: { gracePeriodSeconds: 60 } }),
      ]),
    );
  });
});

test.for([-1, 604_801, 1.5, '60', null])('refuses a grace period of %j', async (gracePeriodSeconds, { service }) => {
  const merchant = await service.activeMerchant();
  const { token } = merchant;
  const answer = await service.send('POST', '/v1/webhooks/keys/rotate', { token, body: { gracePeriodSeconds } });
  expect(answer).toMatchObject({ status: 400, body: { error: { fields: [{ path: 'gracePeriodSeconds' }] } } });
  expect(await keysOf(merchant)).toHaveLength(1);
});

test('answers 401 without a token', async ({ service }) => {
  expect((await service.send('POST', '/v1/webhooks/keys/rotate')).status).toBe(401);
});

test('forgets keys that ended more than a day ago, except the ten that an explanation tries', async ({ service }) => {
  const { id, client } = await service.activeMerchant();
  const count = async () =>
    (await service.db.selectFrom('webhook_keys').select('id').where('merchant_id', '=', id).execute()).length;
  for (const [first, ended] of [
    [101, '2 days'],
    [201, '1 hour'],
  ] as const) {
    await sql`
      insert into webhook_keys (id, merchant_id, public_key, sealed_seed, created_at, retires_at)
      select 'whk_' || lpad((${first} + n)::text, 26, '0'), merchant_id, public_key, sealed_seed,
             ${service.clock.real()}::timestamptz - ${ended}::interval - (100 - n) * interval '1 second',
             ${service.clock.real()}::timestamptz - ${ended}::interval
        from webhook_keys cross join generate_series(1, 30) n
       where merchant_id = ${id} and retires_at is null`.execute(service.db);
  }
  expect(await count()).toBe(61);
  await client.webhooks.keys.rotate();
  // The two that sign, and those that ended an hour ago: nine of them are among the newest ten.
  expect(await count()).toBe(32);
  await sql`update webhook_keys set retires_at = retires_at - interval '2 days' where merchant_id = ${id}`.execute(
    service.db,
  );
  await client.webhooks.keys.rotate();
  // The newest ten of before, and the new one.
  expect(await count()).toBe(11);
});
