import { expect } from 'vitest';
import { test } from '../fixture.ts';

let id: string;

test.beforeAll(async ({ service, merchant }) => {
  const { id: linkId } = await merchant.client.paymentLinks.create({ title: 'Workshop', amount: 25 });
  const events = service.db.selectFrom('events').select('id').where('resource_id', '=', linkId);
  id = (await events.executeTakeFirstOrThrow()).id;
});

test('shows an event at once, with position and hashes as soon as it is in the feed', async ({ service, merchant }) => {
  const waiting = await merchant.client.events.get(id);
  expect(waiting).toMatchObject({ id, type: 'payment_link.created', position: null, previousHash: null, hash: null });
  expect(JSON.parse(waiting.body)).toMatchObject({ id, data: { title: 'Workshop' } });
  await service.runJob('events.seal');
  const sealed = await merchant.client.events.get(id);
  const [, listed] = (await merchant.client.events.list()).data;
  expect(sealed).toEqual(listed);
  expect(sealed).toMatchObject({ ...waiting, position: 2, previousHash: expect.any(String), hash: expect.any(String) });
});

test("answers 404 for an unknown id and another merchant's", async ({ service, merchant }) => {
  const other = await service.activeMerchant();
  for (const [token, wrong] of [
    [merchant.token, 'evt_00000000000000000000000000'],
    [merchant.token, merchant.id],
    [other.token, id],
  ]) {
    expect(await service.send('GET', `/v1/events/${wrong}`, { token: token ?? '' })).toMatchObject({
      status: 404,
      body: { error: { code: 'NOT_FOUND' } },
    });
  }
});

test('answers 401 without a token', async ({ service }) => {
  expect((await service.send('GET', `/v1/events/${id}`)).status).toBe(401);
});
