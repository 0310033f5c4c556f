import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, createClient } from '../../clients/typescript/src/index.ts';
import { findFreePort } from '../../src/db/daemon.ts';
import { type KasiProcess, startKasi } from '../support/kasi-process.ts';
import { createProject, installClient, type Project } from './installed-client.ts';
import { examplesOf, outlivesStrangers, type Reader, readerOf, SOON, startExample } from './readme-examples.ts';

/** The examples of the README by topic, in their order there. */
const EXAMPLES = [
  'shop',
  'list',
  'follow',
  'once',
  'errors',
  'webhook',
  'routes',
  'certify',
  'feed',
  'session',
  'signing',
] as const;
type Example = (typeof EXAMPLES)[number];

let kasi: KasiProcess;
let project: Project;
let merchant: Client;
let reader: Reader;
let shopPort: number;

/** The examples as their readers have them: in an empty project with the packed client, beside a running service. */
beforeAll(async () => {
  const [installed, started, port] = await Promise.all([installClient(), startKasi(), findFreePort()]);
  [kasi, shopPort] = [started, port];
  project = await createProject(installed);
  reader = await readerOf(kasi);
  merchant = reader.merchant;
  const ports = { 'listen(4000)': `listen(${shopPort}, '127.0.0.1')` };
  for (const { name, text } of await examplesOf('typescript', EXAMPLES, { kasi, ports })) {
    await project.write(`${name}.ts`, text);
  }
  const here = { ...ports, 'http://localhost:4000': `http://127.0.0.1:${shopPort}` };
  const [first] = await examplesOf('project', ['first'], { kasi, ports: here });
  await project.write('first.ts', first?.text ?? '');
  // package.long.test.ts checks the declarations of the client and of Node; here they would only cost time.
  await project.compile({ skipLibCheck: true });
});
afterAll(() => kasi.stop());

/** Starts an example that keeps running. */
const start = async (name: Example | 'first', env: Readonly<Record<string, string>> = {}) =>
  startExample([process.execPath, `out/${name}.js`], project.folder, { ...(await reader.environment()), ...env });

const run = async (name: Example): Promise<string> => project.run(`out/${name}.js`, await reader.environment());

test('the shop sells something, receives the webhook, and lists the payment', async () => {
  await merchant.merchants.update(reader.merchantId, { webhookUrl: `http://127.0.0.1:${shopPort}` });
  const shop = await start('shop');
  await expect.poll(shop.printed, SOON).toMatch(/^Send the customer to http.*\/checkout\/session\/cs_\w+\n$/);
  const [sessionId = ''] = /cs_\w+/.exec(shop.printed()) ?? [];
  const { paymentId } = await merchant.checkout.sessions.get(sessionId);
  await expect.poll(async () => (await merchant.webhooks.test()).statusCode, SOON).toBe(204);
  await merchant.sandbox.payments.pay(paymentId);
  await expect.poll(shop.printed, SOON).toContain('Order A-1001 is paid\n');
  await outlivesStrangers(shopPort);
  expect(await run('list')).toBe(`${paymentId} 49.99 USD\n`);
});

test('a payment is followed to its end', async () => {
  await merchant.paymentLinks.create({
    title: 'Spring workshop',
    amount: 25,
    currency: 'USD',
    slug: 'spring-workshop',
  });
  const payer = await start('follow');
  await expect.poll(payer.printed, SOON).toMatch(/^<svg[\s\S]+initiated 0 of \d+\n$/);
  const { payments } = await merchant.payments.list({ status: 'initiated' });
  await merchant.sandbox.payments.pay(payments.find(({ amount }) => amount === 25)?.id ?? '');
  await payer.ended;
  expect(payer.printed()).toMatch(/paid (\d+) of \1\n$/);
});

test('a payment is created once per idempotency key, also without the client', async () => {
  expect(await run('once')).toBe('true\n');
  expect(await run('signing')).toBe('201\n');
});

test('errors are distinguished', async () => {
  expect(await run('errors')).toBe('NOT_FOUND There is no such payment.\nNOT_FOUND 404 1\n');
});

test('the routes for frameworks load', async () => {
  expect(await run('routes')).toBe('');
});

test('a fetch handler receives a webhook and refuses a forged one', async () => {
  expect(await run('webhook')).toBe('payment.expired\n204\nno_matching_signature\n');
});

test('a handler is certified', async () => {
  expect(await run('certify')).toBe('passed\n');
});

test('the feed delivers every event once', async () => {
  const isThere = async () => (await merchant.events.list({ limit: 100 })).data.some(({ id }) => id === newest);
  const { deliveries } = await merchant.webhooks.deliveries.list();
  const newest = deliveries[0]?.eventId;
  await expect.poll(isThere, SOON).toBe(true);
  expect(await run('feed')).toContain('payment.completed\n');
  const stored = JSON.parse(await readFile(join(project.folder, 'feed-position.json'), 'utf8'));
  expect(stored).toEqual({ position: expect.any(Number), hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  // Only the keys created for the examples are new.
  expect(await run('feed')).toMatch(/^(api_key\.created\n)*$/);
});

test("a session is stored, and creates a server's API key", async () => {
  expect(await run('session')).toBe('');
  const stored = JSON.parse(await readFile(join(project.folder, 'session.json'), 'utf8'));
  expect(stored).toEqual({ token: expect.any(String), refreshToken: expect.any(String) });
  const settings = await readFile(join(project.folder, '.env'), 'utf8');
  const [, apiKey = '', apiSecret = ''] = /^KASI_API_KEY=(pk_\S+)\nKASI_API_SECRET=(sk_\S+)\n$/.exec(settings) ?? [];
  const server = createClient({ baseUrl: kasi.url, apiKey, apiSecret });
  expect((await server.payments.list()).payments.length).toBeGreaterThan(0);
  expect(await server.settlements.balance.try()).toMatchObject({
    error: { code: 'FORBIDDEN', reason: 'scope_missing' },
  });
  const again = await project.run('out/session.js').catch(() => 'logged in again');
  expect(again).toBe('');
});

test("the twenty lines of the project's README sell something, and outlive strangers", async () => {
  const shop = await start('first', { KASI_PASSWORD: kasi.demo.password });
  await expect.poll(shop.printed, SOON).toMatch(/^Send the customer to http.*\/checkout\/session\/cs_\w+\n$/);
  const [sessionId = ''] = /cs_\w+/.exec(shop.printed()) ?? [];
  const { paymentId } = await merchant.checkout.sessions.get(sessionId);
  await expect.poll(async () => (await merchant.webhooks.test()).statusCode, SOON).toBe(204);
  await outlivesStrangers(shopPort);
  await merchant.sandbox.payments.pay(paymentId);
  await expect.poll(shop.printed, SOON).toContain('Order A-1001 is paid\n');
});
