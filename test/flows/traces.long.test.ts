import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Client, createClient } from '../../clients/typescript/src/index.ts';
import { type KasiProcess, startKasi } from '../support/kasi-process.ts';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '../support/otlp-receiver.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';

/** What no span may hold, wherever a caller, a payer or an operator has put it. */
const CANARY = 'canary7f3a';
const WITHIN = { timeout: 60_000, interval: 50 };

let collector: OtlpReceiver;
let kasi: KasiProcess;
let shop: Receiver;
let client: Client;
beforeAll(async () => {
  [collector, shop] = await Promise.all([startOtlpReceiver(), startReceiver()]);
  kasi = await startKasi({
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-collector',
    OTEL_RESOURCE_ATTRIBUTES: 'team=payments',
    OTEL_BSP_SCHEDULE_DELAY: '100',
    ...{ LOG_LEVEL: 'info', LOG_FORMAT: 'json' },
  });
  client = createClient({ baseUrl: kasi.url, ...kasi.demo });
  const { merchant } = await client.auth.login(kasi.demo);
  await client.merchants.update(merchant.id, { webhookUrl: `${shop.url}?key=${CANARY}` });
});
afterAll(async () => {
  await kasi?.stop();
  collector?.close();
  await shop?.close();
});

const arrived = (isIt: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan> =>
  vi.waitUntil(() => collector.spans.find(isIt), WITHIN);
const below = ({ traceId, spanId }: ReceivedSpan): ReceivedSpan[] =>
  collector.spans.filter((span) => span.traceId === traceId && span.parentId === spanId);

const TRACEPARENT = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`;

/** Makes a session as a shop does, with a secret wherever one may stand. */
async function makeSession(): Promise<{
  readonly requestId: string;
  readonly sessionId: string;
  readonly token: string;
}> {
  const { token } = await client.auth.login(kasi.demo);
  const answer = await fetch(`${kasi.url}/v1/checkout/sessions`, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', authorization: `Bearer ${token}`, traceparent: TRACEPARENT },
      ...{
        'idempotency-key': `${CANARY}-${crypto.randomUUID()}`,
        'user-agent': CANARY,
        tracestate: `shop=${CANARY}`,
        baggage: `a=${CANARY}`,
      },
    },
    body: JSON.stringify({
      ...{ amount: 25, currency: 'USD', customerEmail: `${CANARY}@example.org`, metadata: { orderId: CANARY } },
      ...{ successUrl: `https://shop.example/ok?token=${CANARY}`, cancelUrl: 'https://shop.example/no' },
    }),
  });
  const { sessionId } = (await answer.json()) as { sessionId: string };
  expect(answer.status).toBe(200);
  return { requestId: answer.headers.get('x-request-id') ?? '', sessionId, token };
}

describe('with a collector', () => {
  test('a new session is a trace with its transaction and statements, and its log line names it', async () => {
    const { requestId } = await makeSession();
    const root = await arrived(({ attributes }) => attributes['kasi.request_id'] === requestId);
    expect(root).toMatchObject({
      ...{ name: 'createCheckoutSession', kind: 2, parentId: '', isError: false },
      attributes: {
        ...{ 'http.request.method': 'POST', 'http.route': '/v1/checkout/sessions', 'http.response.status_code': 200 },
        ...{ 'kasi.principal': 'merchant', 'url.scheme': 'http' },
      },
    });
    const [transaction] = below(root).filter(({ name }) => name === 'transaction');
    const statements = below(transaction as ReceivedSpan);
    expect(statements.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['insert payments', 'insert checkout_sessions', 'commit']),
    );
    expect(statements.find(({ name }) => name === 'insert checkout_sessions')).toMatchObject({
      kind: 3,
      attributes: { 'db.system.name': 'postgresql', 'db.collection.name': 'checkout_sessions' },
    });
    const line = kasi
      .printed()
      .split('\n')
      .find((each) => each.includes(requestId) && each.includes('"request"'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ trace_id: root.traceId, span_id: root.spanId });
  });

  test('the trace of a caller is linked, and neither continued nor sampled for it', async () => {
    const { requestId } = await makeSession();
    const root = await arrived(({ attributes }) => attributes['kasi.request_id'] === requestId);
    expect(root.traceId).not.toBe('ab'.repeat(16));
    expect(root.links).toEqual([{ traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8) }]);
  });

  test('a webhook is an attempt in the run of its job, and tells the endpoint nothing of the trace', async () => {
    const before = shop.received.length;
    await makeSession();
    const event = await vi.waitUntil(() => shop.received[before], WITHIN);
    const call = await arrived(({ attributes }) => attributes['kasi.webhook_id'] === event.headers['webhook-id']);
    expect(call).toMatchObject({
      ...{ name: 'POST', kind: 3, isError: false },
      attributes: { 'server.address': `127.0.0.1:${shop.port}`, 'http.response.status_code': 200 },
    });
    const run = await arrived(({ spanId, traceId }) => spanId === call.parentId && traceId === call.traceId);
    expect(run).toMatchObject({ name: 'job webhooks.deliver', parentId: '', kind: 1 });
    expect(Object.keys(event.headers).filter((name) => /trace|baggage/.test(name))).toEqual([]);
  });

  test('reading the chain is a trace where something was found, and a run that did nothing is none', async () => {
    const payment = await client.payments.create({ amount: 25, currency: 'USD' });
    await client.sandbox.payments.pay(payment.id);
    const look = await arrived(({ name }) => name.startsWith('job watch devnet'));
    const calls = collector.spans.filter(
      (span) => span.traceId === look.traceId && span.attributes['rpc.system.name'] === 'jsonrpc',
    );
    expect(calls.map(({ name }) => name)).toEqual(expect.arrayContaining([expect.stringMatching(/^POST eth_/)]));
    const runs = collector.spans.filter(({ name }) => name.startsWith('job '));
    expect(runs.filter((run) => below(run).length === 0)).toEqual([]);
  });

  test('a refusal is no error, and a path that there is not has no name of its own', async () => {
    const answer = await fetch(`${kasi.url}/v1/${CANARY}?token=${CANARY}`);
    const id = answer.headers.get('x-request-id');
    const root = await arrived(({ attributes }) => attributes['kasi.request_id'] === id);
    expect(root).toMatchObject({ name: 'GET', isError: false, attributes: { 'http.response.status_code': 404 } });
    expect(collector.spans.filter(({ name }) => /healthz|readyz/.test(name))).toEqual([]);
  });

  test('no span holds what was said, and the collector gets its own header', async () => {
    const { sessionId, token } = await makeSession();
    await fetch(`${kasi.url}/checkout/sessions/${sessionId}?x=${CANARY}`);
    const { length } = collector.spans;
    await vi.waitUntil(() => collector.spans.length > length, WITHIN);
    expect(collector.raw().includes(CANARY)).toBe(false);
    for (const secret of [kasi.demo.password, kasi.demo.email, token])
      expect(collector.raw().includes(secret)).toBe(false);
    expect(collector.raw()).toContain('Bearer of-the-collector');
    expect(kasi.printed()).not.toContain('of-the-collector');
    expect(collector.resources[0]).toMatchObject({
      ...{ 'service.name': 'kasi', team: 'payments', 'deployment.environment.name': 'sandbox' },
      'service.version': expect.stringMatching(/^\d/),
    });
  });
});
