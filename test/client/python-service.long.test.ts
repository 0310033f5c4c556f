import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest';
import { type Client, createClient } from '../../clients/typescript/src/index.ts';
import { findFreePort } from '../../src/db/daemon.ts';
import { blocks, readGuide } from '../docs/guide.ts';
import { type KasiProcess, startKasi } from '../support/kasi-process.ts';
import { createPythonProject, type InstalledPython, installPython, runPython } from './installed-python.ts';
import { examplesOf, outlivesStrangers, type Reader, readerOf, SOON, startExample } from './readme-examples.ts';

/** The examples of the README by topic, in their order there. */
const EXAMPLES = [
  'shop',
  'list',
  'follow',
  'amounts',
  'once',
  'errors',
  'webhook',
  'feed',
  'session',
  'signing',
] as const;
type Example = (typeof EXAMPLES)[number];

let installed: InstalledPython;
let kasi: KasiProcess | undefined;
let folder: string;
let merchant: Client;
let reader: Reader;
let shopPort: number;

/** The examples as their readers have them: in an empty folder with the installed package, beside a running service. */
beforeAll(async () => {
  installed = await installPython();
  if (installed.missing !== null) return;
  kasi = await startKasi();
  shopPort = await findFreePort();
  folder = await createPythonProject();
  reader = await readerOf(kasi);
  merchant = reader.merchant;
  const ports = { '"127.0.0.1", 4000': `"127.0.0.1", ${shopPort}` };
  for (const { name, text } of await examplesOf('python', EXAMPLES, { kasi, ports })) {
    await writeFile(join(folder, `${name}.py`), text);
  }
});
afterAll(() => kasi?.stop());

function serviceOr({ skip }: Pick<TestContext, 'skip'>): KasiProcess {
  if (kasi === undefined) return skip(installed.missing ?? '');
  return kasi;
}

const run = async (name: Example): Promise<string> =>
  runPython(installed, [`${name}.py`], { cwd: folder, env: await reader.environment() });

/** Starts an example that keeps running. */
const start = async (name: Example) =>
  startExample([installed.python, `${name}.py`], folder, await reader.environment());

test('the shop in Python sells something, receives the webhook, and lists the payment', async (context) => {
  serviceOr(context);
  await merchant.merchants.update(reader.merchantId, { webhookUrl: `http://127.0.0.1:${shopPort}` });
  const shop = await start('shop');
  // Behind it the server logs what it gets, such as the event of the new API key.
  await expect.poll(shop.printed, SOON).toMatch(/^Send the customer to http.*\/checkout\/session\/cs_\w+\n/);
  const [sessionId = ''] = /cs_\w+/.exec(shop.printed()) ?? [];
  const { paymentId } = await merchant.checkout.sessions.get(sessionId);
  await expect.poll(async () => (await merchant.webhooks.test()).statusCode, SOON).toBe(204);
  await merchant.sandbox.payments.pay(paymentId);
  await expect.poll(shop.printed, SOON).toContain('Order A-1001 is paid\n');
  await outlivesStrangers(shopPort);
  expect(await run('list')).toBe(`${paymentId} 49.99 USD\n`);
});

test('a payment is followed to its end in Python', async (context) => {
  serviceOr(context);
  const link = { title: 'Spring workshop', amount: 25, currency: 'USD', slug: 'spring-workshop' } as const;
  await merchant.paymentLinks.create(link);
  const payer = await start('follow');
  await expect.poll(payer.printed, SOON).toMatch(/^<svg[\s\S]+initiated 0 of \d+\n$/);
  const { payments } = await merchant.payments.list({ status: 'initiated' });
  await merchant.sandbox.payments.pay(payments.find(({ amount }) => amount === 25)?.id ?? '');
  await payer.ended;
  expect(payer.printed()).toMatch(/paid (\d+) of \1\n$/);
});

test('the short examples print what they promise', async (context) => {
  serviceOr(context);
  expect(await run('amounts')).toBe('131076.51 {"amount":131072.01,"shipping":4.50}\n');
  expect(await run('once')).toBe('True\n');
  expect(await run('signing')).toBe('201\n');
  expect(await run('errors')).toMatch(
    /^NOT_FOUND: There is no such payment\. \(status 404, POST \/v1\/payments\/\{id\}\/cancel, request \S+\)\nVALIDATION_ERROR 400 POST \/v1\/payments\namount .+\n$/,
  );
  expect(await run('webhook')).toBe('payment.expired pay_1\n204\n204\nno_matching_signature\n400\n');
});

test('the feed delivers every event once in Python', async (context) => {
  serviceOr(context);
  const { deliveries } = await merchant.webhooks.deliveries.list();
  const newest = deliveries[0]?.eventId;
  const isThere = async () => (await merchant.events.list({ limit: 100 })).data.some(({ id }) => id === newest);
  await expect.poll(isThere, SOON).toBe(true);
  expect(await run('feed')).toContain('payment.completed\n');
  const stored = JSON.parse(await readFile(join(folder, 'feed-position.json'), 'utf8'));
  expect(stored).toEqual([expect.any(Number), expect.stringMatching(/^[0-9a-f]{64}$/)]);
  // Only the keys created for the examples are new.
  expect(await run('feed')).toMatch(/^(api_key\.created\n)*$/);
});

test("a session is stored by the example in Python, and creates a server's API key", async (context) => {
  const { url } = serviceOr(context);
  expect(await run('session')).toBe('');
  const stored = JSON.parse(await readFile(join(folder, 'session.json'), 'utf8'));
  expect(stored).toEqual({ token: expect.any(String), refresh_token: expect.any(String) });
  const settings = await readFile(join(folder, '.env'), 'utf8');
  const [, apiKey = '', apiSecret = ''] = /^KASI_API_KEY=(pk_\S+)\nKASI_API_SECRET=(sk_\S+)\n$/.exec(settings) ?? [];
  expect((await createClient({ baseUrl: url, apiKey, apiSecret }).payments.list()).payments.length).toBeGreaterThan(0);
  expect(await run('session')).toBe('');
  expect(existsSync(join(folder, 'session.json'))).toBe(true);
});

test('the guide to getting started asks for money in Python', async (context) => {
  const { url } = serviceOr(context);
  const shop = blocks(readGuide('getting-started'), 'python').find((text) => text.includes('sessions.create')) ?? '';
  await writeFile(join(folder, 'guide.py'), shop.replace('http://localhost:3000', url));
  const printed = await runPython(installed, ['guide.py'], { cwd: folder, env: await reader.environment() });
  expect(printed).toMatch(/\/checkout\/session\/cs_\w+\n$/);
});

test('a day of a merchant: payments, lost answers, keys, pages, errors and a session', async (context) => {
  const { url, demo } = serviceOr(context);
  const scopes = ['payments:read', 'payments:write', 'webhooks:manage'] as const;
  const { apiKey, apiSecret } = await merchant.apiKeys.create({ name: 'Live', permissions: [...scopes] });
  const keys = { KASI_URL: url, KASI_API_KEY: apiKey, KASI_API_SECRET: apiSecret };
  const env = { ...keys, KASI_EMAIL: demo.email, KASI_PASSWORD: demo.password };
  await runPython(installed, ['-m', 'tests.live'], { cwd: resolve('clients/python'), env });
});
