import { afterAll, describe, expect, onTestFinished } from 'vitest';
import type { components } from '../../generated/api.ts';
import { test } from '../fixture.ts';
import type { TestMerchant, TestService } from '../harness.ts';
import { createKey, sendSigned } from '../support/signing.ts';
import { EXPECTED, type ExampleHandler, type Fault, gradesOf, startHandler } from '../support/webhook-handlers.ts';

type Certification = components['schemas']['WebhookCertification'];
type Tried = { readonly handler: ExampleHandler; readonly merchant: TestMerchant; readonly result: Certification };

const FAULTS = Object.keys(EXPECTED) as ('none' | Fault)[];
const PATH = '/v1/webhooks/certify';
const tried = new Map<'none' | Fault, Tried>();

/** All at once, each of another merchant, since each waits five seconds for the slow body. */
test.beforeAll(async ({ service }) => {
  const begun: [fault: 'none' | Fault, handler: ExampleHandler, merchant: TestMerchant, id: string][] = [];
  for (const fault of FAULTS) {
    const { handler, merchant } = await withHandler(service, fault);
    begun.push([fault, handler, merchant, (await merchant.client.webhooks.certify()).id]);
  }
  await service.runJob('webhooks.certify');
  for (const [fault, handler, merchant, id] of begun) {
    tried.set(fault, { handler, merchant, result: await merchant.client.webhooks.certifications.get(id) });
  }
});
afterAll(async () => {
  for (const { handler } of tried.values()) await handler.close();
});

/** A merchant whose endpoint is a handler that knows its real keys. */
async function withHandler(
  service: TestService,
  fault: 'none' | Fault,
): Promise<{ handler: ExampleHandler; merchant: TestMerchant }> {
  const merchant = await service.activeMerchant();
  const { data } = await merchant.client.webhooks.keys.list();
  const keys = data.map(({ publicKey }) => publicKey);
  const handler = await startHandler(async () => keys, fault === 'none' ? undefined : fault);
  await merchant.client.merchants.update(merchant.id, { webhookUrl: handler.url });
  return { handler, merchant };
}

const gradesIn = ({ checks }: Certification) => Object.fromEntries(checks.map(({ name, status }) => [name, status]));

describe.each(FAULTS)('a handler with the fault: %s', (fault) => {
  test('gets the grades that are visible from outside', () => {
    const { result } = tried.get(fault) as Tried;
    const expected = gradesOf(
      fault,
      result.checks.map(({ name }) => name),
      false,
    );
    expect(result.checks).toHaveLength(9);
    expect(gradesIn(result)).toEqual(expected);
    const isGood = Object.values(expected).every((grade) => grade === 'passed' || grade === 'warning');
    expect(result).toMatchObject({ status: 'completed', verdict: isGood ? 'passed' : 'failed' });
    expect(result.finishedAt).not.toBeNull();
  });
});

test('sends a good handler ten requests, the first event twice', () => {
  expect(tried.get('none')?.handler.requests()).toBe(10);
});

test('reports what it observed and what cannot be seen from outside', () => {
  const { result } = tried.get('none') as Tried;
  const observed = Object.fromEntries(result.checks.map((check) => [check.name, check.observed]));
  expect(observed['good_event']).toMatch(/^Answered with 204 after \d+ ms\.$/);
  expect(observed['duplicate']).toContain('can not be seen from outside');
  expect(observed['slow_body']).toMatch(/after (5|6|7|8|9)\d{3} ms/);
});

test('leaves an audit entry, but no event, delivery or payment, and the endpoint unchanged', async ({ service }) => {
  const { merchant, handler } = tried.get('verifies nothing') as Tried;
  const rows = (table: 'events' | 'webhook_deliveries' | 'audit_log') =>
    service.db.selectFrom(table).selectAll().where('merchant_id', '=', merchant.id).execute();
  const entries = (await rows('audit_log')).filter((row) => 'action' in row && row.action === 'webhook.certify');
  expect(entries).toMatchObject(
    [{ resource_id: /^crt_/, metadata: { url: handler.url } }].map((entry) => ({
      ...entry,
      resource_id: expect.stringMatching(entry.resource_id),
    })),
  );
  expect(await rows('webhook_deliveries')).toEqual([]);
  expect((await rows('events')).filter((row) => 'type' in row && row.type.startsWith('payment'))).toEqual([]);
  expect((await merchant.client.payments.list({})).pagination.total).toBe(0);
});

test('starts with all checks pending, one certification at a time, and answers a repeated request with the running one', async ({
  service,
}) => {
  const { merchant, handler } = await withHandler(service, 'redirects');
  onTestFinished(() => handler.close());
  const begun = await merchant.client.webhooks.certify({ idempotencyKey: 'certify-1' });
  expect(begun).toMatchObject({
    id: expect.stringMatching(/^crt_/),
    url: handler.url,
    status: 'running',
    verdict: null,
    createdAt: service.clock.now().toISOString(),
    finishedAt: null,
  });
  expect(new Set(begun.checks.map(({ status }) => status))).toEqual(new Set(['pending']));
  expect(await merchant.client.webhooks.certifications.get(begun.id)).toEqual(begun);
  expect(await merchant.client.webhooks.certify({ idempotencyKey: 'certify-1' })).toEqual(begun);
  await expect(merchant.client.webhooks.certify()).rejects.toMatchObject({
    status: 409,
    code: 'CONFLICT',
    message: expect.stringContaining(begun.id),
  });
  await service.runJob('webhooks.certify');
  const ended = await merchant.client.webhooks.certifications.get(begun.id);
  expect(ended).toMatchObject({ status: 'completed', verdict: 'failed' });
  expect(ended.checks[0]).toMatchObject({ status: 'failed', advice: expect.stringContaining('not followed') });
  expect((await merchant.client.webhooks.certify()).id).not.toBe(begun.id);
  await service.runJob('webhooks.certify');
});

test('starts one certification for twenty concurrent requests', async ({ service }) => {
  const { merchant, handler } = await withHandler(service, 'redirects');
  onTestFinished(() => handler.close());
  const all = await Promise.allSettled(Array.from({ length: 20 }, () => merchant.client.webhooks.certify()));
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await service.runJob('webhooks.certify');
  expect(handler.requests()).toBe(1);
});

test('refuses an Idempotency-Key that was used for another request', async ({ service }) => {
  const { merchant, handler } = await withHandler(service, 'redirects');
  onTestFinished(() => handler.close());
  const headers = { 'idempotency-key': 'certify-2' };
  const sent = { token: merchant.token, headers };
  expect((await service.send('POST', PATH, sent)).status).toBe(202);
  expect((await service.send('POST', PATH, { ...sent, raw: '{"other":1}' })).status).toBe(422);
});

test('refuses a merchant without a URL, and says how to set one', async ({ service }) => {
  const { client } = await service.activeMerchant();
  await expect(client.webhooks.certify()).rejects.toMatchObject({
    status: 400,
    reason: 'webhook_url_missing',
    message: expect.stringContaining('PUT /v1/merchants/{id}'),
  });
});

test('refuses callers without credentials and keys without the scope', async ({ service }) => {
  expect((await service.send('POST', PATH)).status).toBe(401);
  const key = await createKey(service, await service.activeMerchant(), { permissions: ['payments:write'] });
  const answer = await sendSigned(service, key, { method: 'POST', target: PATH });
  expect(answer).toMatchObject({ status: 403, body: { error: { reason: 'scope_missing' } } });
});
