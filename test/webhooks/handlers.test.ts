import { beforeAll, describe, expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import type { Id } from '../../src/lib/ids.ts';
import { encodePublicKey } from '../../src/lib/standard-webhooks.ts';
import { createWebhookKeys } from '../../src/webhooks/keys.ts';
import { onlyPage } from '../support/pages.ts';
import { useWebhooks } from './fixture.ts';
import { makeHandlers } from './handler-fixture.ts';

const { hooks, receive } = useWebhooks();
let ask: ReturnType<typeof makeHandlers>;
beforeAll(() => {
  ask = makeHandlers(hooks);
});

const keySet = (id: Id<'merchant'>) => ask('getMerchantWebhookKeys', id, { principal: null, params: { id } });
const listKeys = async (merchantId: Id<'merchant'>) => (await ask('listWebhookKeys', merchantId)).body.data;

describe('the list of deliveries', () => {
  test("shows only the merchant's own, newest first, by page and status, with the correct total", async () => {
    const receiver = await receive((request) => (request.path.includes('fail') ? 500 : 200));
    const merchantId = await hooks.makeMerchant(receiver.url);
    const stranger = await hooks.makeMerchant(receiver.url);
    await hooks.announce(stranger);
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      hooks.moveBy(1);
      ids.unshift(...(await hooks.announce(merchantId)));
    }
    const before = await ask('listWebhookDeliveries', merchantId);
    expect(before.body.deliveries[0]).toMatchObject({
      status: 'pending',
      statusCode: null,
      failure: null,
      responseTime: 0,
      attempts: 0,
      nextAttemptAt: hooks.clock.now().toISOString(),
      url: receiver.url,
    });
    await hooks.makeWorker().deliver();
    await hooks.setUrl(merchantId, `${receiver.url}/fail`);
    hooks.moveBy(1);
    const failing = await hooks.announce(merchantId);
    await hooks.makeWorker().deliver();

    const list = async (query: { page?: number; limit?: number; status?: 'pending' | 'success' | 'failed' }) =>
      (await ask('listWebhookDeliveries', merchantId, { query })).body;
    const all = await list({});
    expect(all.deliveries.map(({ eventId }) => eventId)).toEqual([...failing, ...ids]);
    expect(all.pagination).toEqual(onlyPage(6));
    const second = await list({ page: 2, limit: 4 });
    expect(second.deliveries.map(({ eventId }) => eventId)).toEqual(ids.slice(3));
    expect(second.pagination).toEqual({
      page: 2,
      limit: 4,
      total: 6,
      totalPages: 2,
      totalIsMinimum: false,
      next: null,
      previous: expect.any(String),
    });
    expect((await list({ status: 'success' })).pagination.total).toBe(5);
    expect(await list({ status: 'pending' })).toMatchObject({
      deliveries: [
        { eventId: failing[0], statusCode: 500, failure: 'status', attempts: 1, url: `${receiver.url}/fail` },
      ],
      pagination: { total: 1 },
    });
    expect(await list({ status: 'failed' })).toMatchObject({ deliveries: [], pagination: { total: 0, totalPages: 0 } });
    expect(await list({ page: 9 })).toMatchObject({ deliveries: [], pagination: { total: 6 } });
  });
});

describe('the keys', () => {
  test('are shown to the merchant as whpk_ and publicly as a JWKS, without those that no longer sign', async () => {
    const merchantId = await hooks.makeMerchant();
    const own = await hooks.db
      .selectFrom('webhook_keys')
      .selectAll()
      .where('merchant_id', '=', merchantId)
      .executeTakeFirstOrThrow();
    expect(await listKeys(merchantId)).toEqual([
      {
        id: own.id,
        publicKey: encodePublicKey(own.public_key),
        status: 'active',
        createdAt: own.created_at.toISOString(),
        expiresAt: null,
      },
    ]);

    const jwks = await keySet(merchantId);
    expect(jwks.headers).toEqual({ 'cache-control': 'public, max-age=300' });
    expect(jwks.body).toEqual({
      keys: [
        {
          ...{ kty: 'OKP', crv: 'Ed25519', use: 'sig', alg: 'EdDSA' },
          x: own.public_key.toString('base64url'),
          kid: expect.stringMatching(/^[\w-]{43}$/),
        },
      ],
    });

    const retire = (at: Date) =>
      hooks.db.updateTable('webhook_keys').set({ retires_at: at }).where('id', '=', own.id).execute();
    const soon = new Date(Date.now() + 60_000);
    await retire(soon);
    expect(await listKeys(merchantId)).toMatchObject([{ status: 'retiring', expiresAt: soon.toISOString() }]);
    await retire(new Date(Date.now() - 1));
    expect(await listKeys(merchantId)).toEqual([]);
  });

  test('of an unknown merchant are NOT_FOUND', async () => {
    await expect(keySet('mer_unknown')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('are one active pair per merchant, enforced by the database', async () => {
    const merchantId = await hooks.makeMerchant();
    const again = inTransaction(hooks.db, (trx) => createWebhookKeys(trx, hooks.ring, merchantId, hooks.clock.now()));
    await expect(again).rejects.toMatchObject({ constraint: 'webhook_keys_active' });
  });
});
