import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operationMeta } from '../../generated/operations.ts';
import { DAY_MS } from '../../src/lib/clock.ts';
import { makeProbeWorld, type ProbeWorld } from '../contract/probe-world.ts';
import { probes } from '../contract/probes.ts';
import type { Answer, Sent, TestMerchant } from '../harness.ts';
import { operationIds } from '../support/contract.ts';
import { effectsOf, expectKeysKept, newKey, ONCE } from '../support/idempotency.ts';
import {
  createKey,
  type Signing,
  sendSigned,
  signatureHeaders,
  type TestKey,
  takesAdmin,
  takesToken,
  withCredentials,
} from '../support/signing.ts';

let world: ProbeWorld;
let owner: TestMerchant;
let apiKey: TestKey;

beforeAll(async () => {
  world = await makeProbeWorld();
  owner = world.owner;
  apiKey = await createKey(world.service, owner);
});
afterAll(() => world.service.close());

const PAYMENT = { amount: 25, currency: 'USD' };
const CROWD = 40;

const post = (path: string, key: string, sent: Sent = {}, as: Pick<TestMerchant, 'token'> = owner): Promise<Answer> =>
  world.service.send('POST', path, { token: as.token, ...sent, headers: { 'idempotency-key': key } });
const pay = (key: string, order: string = key): Promise<Answer> =>
  post('/v1/payments', key, { body: { ...PAYMENT, metadata: { order } } });
const idOf = ({ body }: Answer): string => (body as { id: string }).id;
const outcome = ({ status, body }: Answer) => ({ status, ...(body as { error?: object }).error });
const isReplay = ({ headers }: Answer): boolean => headers.get('idempotent-replayed') === 'true';

const effects = (order: string) => effectsOf(world.service.db, order);
const unixSeconds = (): string => String(Math.floor(Date.now() / 1000));

async function countKept(): Promise<number> {
  const kept = await world.service.db.selectFrom('idempotency_keys').select('id').execute();
  return kept.length;
}

describe('every operation that takes a key', () => {
  const keyed = operationIds.filter((id) => operationMeta[id].idempotent && !operationMeta[id].sandbox);

  test.each(keyed)('%s answers 400 to an invalid key and names the header', async (operationId) => {
    const { path, body } = await probes[operationId].request(world);
    for (const idempotencyKey of ['a key', 'k'.repeat(256), 'schlüssel']) {
      const sent = { ...(body && { body }), headers: { 'idempotency-key': idempotencyKey } };
      const credentials = { token: owner.token, adminToken: world.admin.token, key: apiKey };
      const answer = await world.service.send('POST', path, withCredentials(operationId, path, sent, credentials));
      expect(answer).toMatchObject({ status: 400, body: { error: { fields: [{ path: 'idempotency-key' }] } } });
    }
  });

  test.each(keyed)('%s works once per key and repeats its answer', async (operationId) => {
    const { path, body } = await probes[operationId].request(world);
    const raw = body && JSON.stringify(body);
    const as = takesAdmin(operationId) ? world.admin : owner;
    await expectKeysKept({
      ...{ operationId, path, merchantId: as.id, db: world.service.db },
      send: (key, target) =>
        takesToken(operationId) || takesAdmin(operationId)
          ? post(target, key, { ...(body && { body }) }, as)
          : sendSigned(world.service, apiKey, {
              method: 'POST',
              target,
              idempotencyKey: key,
              ...(raw && { body: raw }),
            }),
    });
  });
});

test('forty concurrent requests under one key have one effect; the others get its answer or are asked to retry', async () => {
  const key = newKey();
  const answers = await Promise.all(Array.from({ length: CROWD }, () => pay(key)));
  const told = answers.filter(({ status }) => status === 201);
  const waiting = answers.filter(({ status }) => status !== 201);
  expect(new Set(told.map(({ text }) => text)).size).toBe(1);
  expect(told.filter((answer) => !isReplay(answer))).toHaveLength(1);
  for (const answer of waiting) expect(outcome(answer)).toMatchObject({ status: 409, code: 'IDEMPOTENCY_IN_PROGRESS' });
  expect(await effects(key)).toEqual(ONCE);
  expect((await pay(key)).text).toBe(told[0]?.text);
});

test('forty concurrent requests under forty keys have forty effects', async () => {
  const order = newKey();
  const answers = await Promise.all(Array.from({ length: CROWD }, () => pay(newKey(), order)));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: CROWD }, () => 201));
  expect(await effects(order)).toEqual({ payments: CROWD, events: CROWD, entries: CROWD });
});

test('scopes a key to operation and merchant, but refuses another request under it', async () => {
  const [key, order] = [newKey(), newKey()];
  const [one, two] = [idOf(await pay(newKey())), idOf(await pay(newKey()))];
  const body = { ...PAYMENT, metadata: { order } };
  const first = await post('/v1/payments', key, { body });
  expect(idOf(await post('/v1/payments', key, { body }, world.other))).not.toBe(idOf(first));
  expect((await post(`/v1/payments/${one}/cancel`, key)).status).toBe(200);

  const reused = { status: 422, code: 'IDEMPOTENCY_KEY_REUSED' };
  expect(outcome(await post(`/v1/payments/${two}/cancel`, key))).toMatchObject(reused);
  expect(outcome(await post('/v1/payments', key, { body: { ...body, amount: 26 } }))).toMatchObject(reused);
  // Bytes are compared, not their meaning.
  expect(outcome(await post('/v1/payments', key, { raw: ` ${JSON.stringify(body)}` }))).toMatchObject(reused);
  expect((await post('/v1/payments', key, { body })).text).toBe(first.text);
});

test('repeats a refusal by a business rule, even when the rule would now allow it', async () => {
  const [unknown, conflict] = [newKey(), newKey()];
  const missing = await post('/v1/payments/pay_unknown/cancel', unknown);
  expect(outcome(missing)).toMatchObject({ status: 404, code: 'NOT_FOUND' });

  const link = { title: 'Tea', amount: 5, slug: 'tea' };
  const taken = idOf(await post('/v1/payment-links', newKey(), { body: link }));
  const refused = await post('/v1/payment-links', conflict, { body: link });
  expect(outcome(refused)).toMatchObject({ status: 409, code: 'CONFLICT' });
  await owner.client.paymentLinks.delete(taken);

  for (const [first, again] of [
    [missing, await post('/v1/payments/pay_unknown/cancel', unknown)],
    [refused, await post('/v1/payment-links', conflict, { body: link })],
  ] as const) {
    expect(isReplay(again)).toBe(true);
    expect([again.status, again.text]).toEqual([first.status, first.text]);
  }
  expect((await post('/v1/payment-links', newKey(), { body: link })).status).toBe(201);
});

test('leaves the key free after a temporary refusal: invalid input, or not allowed yet', async () => {
  const [key, merchant] = [newKey(), await world.service.registerMerchant()];
  const link = (body: object) => post('/v1/payment-links', key, { body }, merchant);
  expect(outcome(await link({ title: 'Tea' }))).toMatchObject({ status: 400 });
  await world.service.decide(merchant.id, { kind: 'reject', reason: 'no papers' });
  expect(outcome(await link({ title: 'Tea', amount: 5 }))).toMatchObject({ status: 403 });
  await world.service.decide(merchant.id, { kind: 'update_profile' });
  const made = await link({ title: 'Tea', amount: 5 });
  expect([made.status, isReplay(made)]).toEqual([201, false]);
});

test('repeats an answer only to callers with the permission', async () => {
  const [key, merchant] = [newKey(), await world.service.activeMerchant()];
  expect((await post('/v1/payments', key, { body: PAYMENT }, merchant)).status).toBe(201);
  await merchant.client.auth.logout();
  expect(outcome(await post('/v1/payments', key, { body: PAYMENT }, merchant))).toMatchObject({ status: 401 });
});

test('a signed request without a key has one effect, however often it is sent', async () => {
  const order = newKey();
  const body = JSON.stringify({ ...PAYMENT, metadata: { order } });
  const signed: Signing = { method: 'POST', target: '/v1/payments', body, timestamp: unixSeconds() };
  const first = await sendSigned(world.service, apiKey, signed);
  expect([first.status, isReplay(first)]).toEqual([201, false]);
  const again = await sendSigned(world.service, apiKey, signed);
  expect([again.status, again.text, isReplay(again)]).toEqual([201, first.text, true]);
  expect(await effects(order)).toEqual(ONCE);
  // A key that equals the signature is a different one.
  const signature = signatureHeaders(apiKey, signed)['x-signature'] ?? '';
  expect(isReplay(await post('/v1/payments', signature, { raw: body }))).toBe(false);
  // A key takes precedence over the signature, and is the same for all kinds of credentials.
  const key = newKey();
  const named = await sendSigned(world.service, apiKey, { ...signed, idempotencyKey: key });
  expect(isReplay(named)).toBe(false);
  const byToken = await post('/v1/payments', key, { raw: body });
  expect([byToken.text, isReplay(byToken)]).toEqual([named.text, true]);
});

test('without a key every request has an effect, and nothing is stored', async () => {
  const [order, before] = [newKey(), await countKept()];
  const send = () =>
    world.service.send('POST', '/v1/payments', { token: owner.token, body: { ...PAYMENT, metadata: { order } } });
  expect(idOf(await send())).not.toBe(idOf(await send()));
  expect(await countKept()).toBe(before);
});

test('refuses invalid keys', async () => {
  for (const key of ['two words', 'k'.repeat(256), 'schlüssel']) {
    expect(outcome(await post('/v1/payments', key, { body: PAYMENT }))).toMatchObject({ status: 400 });
  }
  expect((await post('/v1/payments', 'k'.repeat(255), { body: PAYMENT })).status).toBe(201);
});

test('encrypts stored answers that show a secret', async () => {
  const key = newKey();
  const made = (await post('/v1/api-keys', key, { body: { name: 'Web shop' } })).body as TestKey;
  const again = await post('/v1/api-keys', key, { body: { name: 'Web shop' } });
  expect((again.body as TestKey).apiSecret).toBe(made.apiSecret);
  const rows = await world.service.db.selectFrom('idempotency_keys').select('body').execute();
  expect(rows.filter(({ body }) => body?.includes('"apiSecret"') || body?.includes(made.apiSecret))).toEqual([]);
});

test("keeps a key for a day of the database's clock, whatever that of the process says", async () => {
  const key = newKey();
  const first = await pay(key);
  world.service.clock.advance(DAY_MS);
  // Such as that of a second machine, whose clock is wrong.
  world.service.clock.advanceReal(DAY_MS + 1000);
  await world.service.runJob('idempotency.sweep');
  const repeated = await pay(key);
  expect([repeated.text, isReplay(repeated)]).toEqual([first.text, true]);
  expect(await effects(key)).toEqual(ONCE);
  const { db } = world.service;
  await sql`update idempotency_keys set expires_at = expires_at - interval '24 hours'`.execute(db);
  const second = await pay(key);
  expect([second.status, isReplay(second)]).toEqual([201, false]);
  await world.service.runJob('idempotency.sweep');
  expect(await countKept()).toBe(1);
});
