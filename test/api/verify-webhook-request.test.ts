import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { signTestWebhook } from '../../clients/typescript/src/index.ts';
import { test } from '../fixture.ts';
import type { TestMerchant, TestService } from '../harness.ts';
import { startReceiver } from '../support/receiver.ts';
import { createKey, sendSigned } from '../support/signing.ts';

type Webhook = { readonly headers: Record<string, string>; readonly body: string };
let owner: TestMerchant;
let webhook: Webhook;

test.beforeAll(async ({ service }) => {
  owner = await service.activeMerchant();
  webhook = await receiveOne(owner);
});

/** A webhook as this merchant's receiver really gets it. */
async function receiveOne(merchant: TestMerchant): Promise<Webhook> {
  const receiver = await startReceiver();
  try {
    await merchant.client.merchants.update(merchant.id, { webhookUrl: receiver.url });
    await merchant.client.webhooks.test();
    const { headers, body } = receiver.received[0] ?? { headers: {}, body: Buffer.of() };
    return { headers: headers as Record<string, string>, body: body.toString('utf8') };
  } finally {
    await receiver.close();
  }
}

const ask = (change: Partial<Webhook> & { receivedAt?: string } = {}, merchant = owner) =>
  merchant.client.webhooks.verify({ ...webhook, ...change });

const without = (name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(webhook.headers).filter(([key]) => key !== name));
const withHeader = (name: string, value: string) => ({ headers: { ...webhook.headers, [name]: value } });

/** Which checks failed, and the reason. */
const outcomeOf = ({ valid, reason, checks }: Awaited<ReturnType<typeof ask>>) => ({
  valid,
  reason,
  checks: Object.fromEntries(checks.map(({ name, status }) => [name, status])),
});

const SIGNATURE_FAILED = { headers: 'passed', signature: 'failed', clock: 'passed' };

test('verifies a webhook as it arrived, whatever the case of its headers, and names the key', async () => {
  const [key] = (await owner.client.webhooks.keys.list()).data;
  const upper = Object.fromEntries(Object.entries(webhook.headers).map(([name, value]) => [name.toUpperCase(), value]));
  for (const headers of [webhook.headers, upper]) {
    const answer = await ask({ headers });
    expect(outcomeOf(answer)).toEqual({
      valid: true,
      reason: null,
      checks: { headers: 'passed', signature: 'passed', clock: 'passed' },
    });
    expect(answer.checks[1]?.message).toBe(`Signed with your key ${key?.id}.`);
    expect(answer.difference).toBeNull();
  }
});

describe('the headers', () => {
  test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'skips the other checks without %s',
    async (name) => {
      for (const headers of [without(name), { ...webhook.headers, [name]: ' ' }]) {
        const answer = await ask({ headers });
        expect(outcomeOf(answer)).toEqual({
          valid: false,
          reason: 'header_missing',
          checks: { headers: 'failed', signature: 'skipped', clock: 'skipped' },
        });
        expect(answer.message).toContain(`There is no ${name}.`);
      }
    },
  );

  test('recognises and explains names in CGI form', async () => {
    const headers = { HTTP_WEBHOOK_ID: 'evt_1', HTTP_WEBHOOK_TIMESTAMP: '1', HTTP_WEBHOOK_SIGNATURE: 'v1a,x' };
    expect((await ask({ headers })).message).toContain('CGI');
  });

  test.each([
    ['webhook-id', 'evt_1, evt_1'],
    ['webhook-timestamp', 'yesterday'],
    ['webhook-timestamp', '1767323502.5'],
    ['webhook-signature', 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='],
    ['webhook-signature', 'v1a,AAAA'],
  ])('names an unreadable %s: %s', async (name, value) => {
    const answer = await ask(withHeader(name, value));
    expect(outcomeOf(answer)).toMatchObject({ valid: false, reason: 'header_malformed' });
    expect(answer.message).toContain(name);
  });
});

describe('the body', () => {
  const reserialized: [string, (body: string) => string, string][] = [
    ['written with spaces', (body) => JSON.stringify(JSON.parse(body), null, 2), 'with other spaces'],
    ['with a line end after it', (body) => `${body}\n`, 'line end'],
    ['with a byte order mark', (body) => `\uFEFF${body}`, 'byte order mark'],
    ['with escaped slashes', (body) => body.replaceAll('/', '\\/'), 'escapes'],
    [
      'with its keys in another order',
      (body) => JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(body)).reverse())),
      'written it anew',
    ],
  ];

  test.each(reserialized)('%s says the same in other bytes', async (_, change, cause) => {
    const body = change(webhook.body);
    const answer = await ask({ body });
    expect(outcomeOf(answer)).toEqual({ valid: false, reason: 'body_reserialized', checks: SIGNATURE_FAILED });
    expect(answer.message).toContain(cause);
    const offset = answer.difference?.offset ?? -1;
    const [before, after] = [Buffer.from(webhook.body), Buffer.from(body)];
    expect(before.subarray(0, offset)).toEqual(after.subarray(0, offset));
    expect(before[offset]).not.toBe(after[offset]);
  });

  test('that says something else is shown from the first difference', async () => {
    const answer = await ask({ body: webhook.body.replace('"amount":25', '"amount":99') });
    expect(outcomeOf(answer)).toEqual({ valid: false, reason: 'body_changed', checks: SIGNATURE_FAILED });
    expect(answer.difference).toMatchObject({
      sent: expect.stringContaining('"amount":25'),
      received: expect.stringContaining('"amount":99'),
    });
    expect((await ask({ body: webhook.body.slice(0, -10) })).message).toContain('ends too early');
    expect(outcomeOf(await ask({ body: '' }))).toMatchObject({ reason: 'body_changed' });
  });

  test('with multi-byte characters is cut between characters', async () => {
    const answer = await ask({
      body: `${webhook.body.slice(0, 30)}සිංහල සිංහල සිංහල සිංහල ☕☕☕${webhook.body.slice(30)}`,
    });
    expect(answer.difference?.received).toContain('සිංහල');
    expect(answer.difference?.received).not.toContain('\uFFFD');
  });
});

test('of an event that is no longer kept, reserialisation is still recognised', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const receiver = await startReceiver(() => 400);
  await merchant.client.merchants.update(merchant.id, { webhookUrl: receiver.url });
  await merchant.client.webhooks.certify();
  await service.runJob('webhooks.certify');
  await receiver.close();
  const headers = receiver.received[0]?.headers as Record<string, string>;
  const body = receiver.received[0]?.body.toString('utf8') ?? '';
  expect(outcomeOf(await ask({ headers, body }, merchant))).toMatchObject({ valid: true });
  const spaced = await ask({ headers, body: JSON.stringify(JSON.parse(body), null, 1) }, merchant);
  expect(spaced).toMatchObject({ reason: 'body_reserialized', difference: { offset: 1 } });
  const changed = await ask({ headers, body: body.replace('25', '26') }, merchant);
  expect(outcomeOf(changed)).toMatchObject({ reason: 'event_unknown' });
});

describe('the key', () => {
  const foreign = (service: TestService) =>
    signTestWebhook(webhook.body, { id: webhook.headers['webhook-id'], now: new Date(service.clock.real()) });

  test('of another merchant is a wrong key, with the right body or another', async ({ service }) => {
    const { headers } = foreign(service);
    expect(outcomeOf(await ask({ headers }))).toEqual({ valid: false, reason: 'wrong_key', checks: SIGNATURE_FAILED });
    expect((await ask({ headers })).difference).toBeNull();
    const changed = await ask({ headers, body: `${webhook.body} ` });
    expect(changed).toMatchObject({ reason: 'wrong_key', difference: { offset: Buffer.byteLength(webhook.body) } });
  });

  test('fits only the id and the timestamp that it signed', async () => {
    const next = String(Number(webhook.headers['webhook-timestamp']) + 1);
    expect(outcomeOf(await ask(withHeader('webhook-timestamp', next)))).toMatchObject({ reason: 'wrong_key' });
    expect(outcomeOf(await ask(withHeader('webhook-id', 'evt_nobodys')))).toMatchObject({ reason: 'event_unknown' });
  });

  test('that has expired is distinguished from a wrong one, also for an event that is no longer kept', async ({
    service,
  }) => {
    const merchant = await service.activeMerchant();
    const own = await receiveOne(merchant);
    const retires_at = new Date(service.clock.real().getTime() - 1);
    await service.db.updateTable('webhook_keys').set({ retires_at }).where('merchant_id', '=', merchant.id).execute();
    const answer = await ask(own, merchant);
    expect(outcomeOf(answer)).toEqual({ valid: false, reason: 'key_ended', checks: SIGNATURE_FAILED });
    expect(answer.message).toContain(retires_at.toISOString());
  });
});

test("treats another merchant's webhook like an invented one, and reveals nothing of it", async ({ service }) => {
  const other = await service.activeMerchant();
  const theirs = await receiveOne(other);
  const invented = { ...theirs, headers: { ...theirs.headers, 'webhook-id': 'evt_01jggfnrx4f1zc8v5b2n7m0q3e' } };
  // The answer says how long after the signature the webhook came.
  const receivedAt = service.clock.real().toISOString();
  for (const body of [theirs.body, '{}']) {
    const [real, made] = [await ask({ ...theirs, body, receivedAt }), await ask({ ...invented, body, receivedAt })];
    const id = theirs.headers['webhook-id'] ?? '';
    expect(JSON.parse(JSON.stringify(real).replaceAll(id, 'evt_01jggfnrx4f1zc8v5b2n7m0q3e'))).toEqual(made);
    expect(outcomeOf(real)).toEqual({ valid: false, reason: 'event_unknown', checks: SIGNATURE_FAILED });
    expect(real.difference).toBeNull();
  }
  expect((await ask(theirs, other)).valid).toBe(true);
});

describe('the clock', () => {
  const receivedAt = (seconds: number) =>
    new Date((Number(webhook.headers['webhook-timestamp']) + seconds) * 1000).toISOString();

  test("allows 300 seconds on both sides of the signature, by the receiver's clock", async () => {
    for (const seconds of [-300, 0, 300]) expect((await ask({ receivedAt: receivedAt(seconds) })).valid).toBe(true);
    for (const [seconds, words] of [
      [-301, 'is slow'],
      [7200, '7200 seconds after'],
    ] as const) {
      const answer = await ask({ receivedAt: receivedAt(seconds) });
      expect(outcomeOf(answer)).toEqual({
        valid: false,
        reason: 'clock',
        checks: { headers: 'passed', signature: 'passed', clock: 'failed' },
      });
      expect(answer.message).toContain(words);
    }
  });

  test('is checked after the signature, without which no timestamp means anything', async () => {
    const answer = await ask({ receivedAt: receivedAt(9999), body: `${webhook.body} ` });
    expect(outcomeOf(answer)).toMatchObject({
      reason: 'body_reserialized',
      checks: { signature: 'failed', clock: 'failed' },
    });
  });
});

test('takes any text as a body, up to twice the largest that is ever sent', async () => {
  const noise = randomBytes(24_000).toString('base64');
  const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  for (const body of [noise, nested]) expect(outcomeOf(await ask({ body }))).toMatchObject({ reason: 'body_changed' });
  const unknown = { ...webhook.headers, 'webhook-id': 'evt_unknown' };
  expect(outcomeOf(await ask({ body: nested, headers: unknown }))).toMatchObject({ reason: 'event_unknown' });
  await expect(ask({ body: 'x'.repeat(40_001) })).rejects.toMatchObject({ status: 400 });
});

test('refuses callers without credentials and keys without the scope', async ({ service }) => {
  expect((await service.send('POST', '/v1/webhooks/verify', { body: webhook })).status).toBe(401);
  const key = await createKey(service, owner, { permissions: ['payments:read'] });
  const body = JSON.stringify({ headers: {}, body: '' });
  const answer = await sendSigned(service, key, { method: 'POST', target: '/v1/webhooks/verify', body });
  expect(answer).toMatchObject({ status: 403, body: { error: { reason: 'scope_missing' } } });
});
