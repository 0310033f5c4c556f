import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import Fastify from 'fastify';
import { Hono } from 'hono';
import { describe, expect, onTestFinished, test } from 'vitest';
import { signTestWebhook, verifyWebhook, type WebhookEvent } from '../../clients/typescript/src/index.ts';
import {
  expressWebhook,
  fastifyWebhook,
  type HandleWebhook,
  lambdaWebhook,
  webhookRoute,
} from '../../clients/typescript/src/webhook-routes.ts';

/** Not in ASCII, with blanks that a parser would drop. */
const BODY = '{ "id": "evt_1",  "type": "payment.completed", "data": { "note": "සිංහල ☕" } }';
const SIGNED = signTestWebhook(BODY);
const OPTIONS = { keys: SIGNED.publicKey };
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

/** Express logs what fails, except in tests. */
const quietExpress = () => express().set('env', 'test') as express.Express;

/** Serves requests until the test is over; the URL. */
async function listen(handle: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => void server.close(() => resolve())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
}

/** Sends the webhook to a shop, as the service does. */
async function send(url: string, body = BODY): Promise<{ status: number; text: string }> {
  const response = await fetch(url, { method: 'POST', body, headers: { ...SIGNED.headers, ...JSON_TYPE } });
  return { status: response.status, text: await response.text() };
}

/** A shop in each framework, at a URL. */
const SHOPS: Readonly<Record<string, (handle: HandleWebhook) => Promise<string>>> = {
  Express: (handle) => listen(quietExpress().post('/hooks', expressWebhook(OPTIONS, handle))),
  'Express with a raw parser': (handle) =>
    listen(
      quietExpress()
        .use(express.raw({ type: '*/*' }))
        .post('/hooks', expressWebhook(OPTIONS, handle)),
    ),
  'Express before its JSON parser': (handle) =>
    listen(quietExpress().post('/hooks', expressWebhook(OPTIONS, handle)).use(express.json())),
  Fastify: async (handle) => {
    const app = Fastify();
    app.register(fastifyWebhook('/hooks', OPTIONS, handle));
    onTestFinished(() => app.close());
    return `${await app.listen({ host: '127.0.0.1', port: 0 })}/hooks`;
  },
};

/** What a framework hands to a function, without a server of its own. */
const FUNCTIONS: Readonly<Record<string, (handle: HandleWebhook, body: string) => Promise<{ status: number }>>> = {
  Hono: async (handle, body) => {
    const route = webhookRoute(OPTIONS, handle);
    const app = new Hono().post('/hooks', (context) => route(context.req.raw));
    return app.request('/hooks', { method: 'POST', body, headers: SIGNED.headers });
  },
  'a fetch handler': (handle, body) =>
    webhookRoute(
      OPTIONS,
      handle,
    )(new Request('https://shop.example/hooks', { method: 'POST', body, headers: SIGNED.headers })),
  'Lambda, as text': async (handle, body) => {
    const { statusCode } = await lambdaWebhook(OPTIONS, handle)({ body, headers: SIGNED.headers });
    return { status: statusCode };
  },
  'Lambda, as base64': async (handle, body) => {
    const event = { body: Buffer.from(body).toString('base64'), isBase64Encoded: true, headers: SIGNED.headers };
    const { statusCode } = await lambdaWebhook(OPTIONS, handle)(event);
    return { status: statusCode };
  },
  'Lambda, behind a load balancer that keeps headers of the same name': async (handle, body) => {
    const multiValueHeaders = Object.fromEntries(
      Object.entries(SIGNED.headers).map(([name, value]) => [name, [value]]),
    );
    const { statusCode } = await lambdaWebhook(OPTIONS, handle)({ body, multiValueHeaders });
    return { status: statusCode };
  },
};

const BUSINESS_FAILED = new Error('The database is away.');

describe.each(Object.entries(SHOPS))('%s', (_name, open) => {
  test('hands over a genuine event once, and answers 204', async () => {
    const seen: WebhookEvent[] = [];
    const url = await open((event) => void seen.push(event));
    expect(await send(url)).toEqual({ status: 204, text: '' });
    expect(seen).toEqual([JSON.parse(BODY)]);
  });

  test('refuses what is not genuine, and does nothing', async () => {
    const seen: WebhookEvent[] = [];
    const url = await open((event) => void seen.push(event));
    expect(await send(url, BODY.replace('  ', ' '))).toMatchObject({ status: 400 });
    expect(seen).toEqual([]);
  });

  test('answers 500 when the shop fails, so that the event comes again', async () => {
    const url = await open(() => Promise.reject(BUSINESS_FAILED));
    expect(await send(url)).toMatchObject({ status: 500 });
  });
});

describe.each(Object.entries(FUNCTIONS))('%s', (name, call) => {
  test('hands over a genuine event, refuses another, and passes on what fails', async () => {
    const seen: WebhookEvent[] = [];
    expect(await call((event) => void seen.push(event), BODY)).toMatchObject({ status: 204 });
    expect(await call((event) => void seen.push(event), BODY.replace('  ', ' '))).toMatchObject({ status: 400 });
    expect(seen).toEqual([JSON.parse(BODY)]);
    const failed = call(() => Promise.reject(BUSINESS_FAILED), BODY);
    // Hono turns what a handler throws into its own 500.
    if (name === 'Hono') expect(await failed).toMatchObject({ status: 500 });
    else await expect(failed).rejects.toBe(BUSINESS_FAILED);
  });
});

test('behind a JSON parser Express is told where the route belongs', async () => {
  const app = quietExpress()
    .use(express.json())
    .post(
      '/hooks',
      expressWebhook(OPTIONS, () => undefined),
    );
  const faults: unknown[] = [];
  app.use(((error, _request, response, _next) => {
    faults.push(error);
    response.status(500).end();
  }) satisfies express.ErrorRequestHandler);
  expect((await send(await listen(app))).status).toBe(500);
  expect(faults).toEqual([expect.objectContaining({ message: expect.stringContaining('before express.json()') })]);
});

test('other routes of Fastify keep their parsers', async () => {
  const app = Fastify();
  app.register(fastifyWebhook('/hooks', OPTIONS, () => undefined));
  app.post('/orders', async ({ body }) => body);
  const { statusCode, body } = await app.inject({ method: 'POST', url: '/orders', payload: { tea: 2 } });
  expect([statusCode, body]).toEqual([200, '{"tea":2}']);
  await app.close();
});

/** A request whose body comes in pieces of 64 KiB and never ends; how much of it was taken. */
function endless(headers: Readonly<Record<string, string>> = {}) {
  const taken = { bytes: 0, cancelled: false };
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      taken.bytes += 65_536;
      controller.enqueue(new Uint8Array(65_536));
    },
    cancel() {
      taken.cancelled = true;
    },
  });
  const init = { method: 'POST', body, headers: { ...SIGNED.headers, ...headers }, duplex: 'half' };
  return { taken, request: new Request('https://shop.example/hooks', init as RequestInit) };
}

test('a fetch handler reads no body to its end that never ends, and none that says that it is too long', async () => {
  const route = webhookRoute(OPTIONS, () => undefined);
  const { request, taken } = endless();
  expect((await route(request)).status).toBe(413);
  expect(taken.bytes).toBeLessThan(1_300_000);
  expect(taken.cancelled).toBe(true);
  const announced = endless({ 'content-length': '1048577' });
  expect((await route(announced.request)).status).toBe(413);
  expect(announced.taken.bytes).toBeLessThanOrEqual(65_536);
});

test('verifyWebhook reads no more either, and says why', async () => {
  await expect(verifyWebhook(endless().request, OPTIONS)).rejects.toMatchObject({
    ...{ name: 'WebhookVerificationError', reason: 'malformed', message: 'No event is longer than 1048576 bytes.' },
  });
  const long = new Uint8Array(1_048_577);
  // As in runtimes that show no stream.
  const request = { headers: new Headers(SIGNED.headers), bodyUsed: false, arrayBuffer: async () => long.buffer };
  await expect(verifyWebhook(request, OPTIONS)).rejects.toMatchObject({ reason: 'malformed' });
  const full = new Request('https://shop.example', { method: 'POST', headers: SIGNED.headers, body: long.slice(1) });
  await expect(verifyWebhook(full, OPTIONS), 'the longest').rejects.toMatchObject({ reason: 'no_matching_signature' });
});

test('a body that never ends is not read to its end', async () => {
  const url = await listen(
    quietExpress().post(
      '/hooks',
      expressWebhook(OPTIONS, () => undefined),
    ),
  );
  const answer = await send(url, 'x'.repeat(1_100_000));
  expect(answer.status).toBe(413);
});
