import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, type TestContext, test } from 'vitest';
import type { Client } from '../../clients/typescript/src/index.ts';
import { findFreePort } from '../../src/db/daemon.ts';
import { LANGUAGES, missingFor } from '../docs/program.ts';
import { SECRET, VECTORS } from '../docs/signing-vectors.ts';
import { type KasiProcess, startKasi } from '../support/kasi-process.ts';
import { startFakeService } from './fake-service.ts';
import { examplesOf, type Reader, readerOf, SOON, startExample } from './readme-examples.ts';

const exec = promisify(execFile);
const missing = LANGUAGES.filter(({ name }) => name === 'PHP').flatMap(missingFor);

/** The examples of the README by topic, in their order there. */
const EXAMPLES = ['shop', 'hooks', 'list', 'follow', 'once', 'errors', 'webhook', 'feed', 'session'] as const;
type Example = (typeof EXAMPLES)[number];

let kasi: KasiProcess;
let folder: string;
let merchant: Client;
let reader: Reader;

beforeAll(async () => {
  if (missing.length > 0) return console.warn(`skipped, the PHP client: this machine lacks ${missing.join(', ')}`);
  kasi = await startKasi();
  reader = await readerOf(kasi);
  merchant = reader.merchant;
  folder = await mkdtemp(join(inject('runFolder'), 'php-'));
  await cp('clients/php', join(folder, 'client'), { recursive: true });
  await mkdir(join(folder, 'vendor'));
  await writeFile(join(folder, 'vendor/autoload.php'), "<?php\nrequire __DIR__ . '/../client/autoload.php';\n");
  for (const { name, text } of await examplesOf('php', EXAMPLES, { kasi })) {
    await writeFile(join(folder, `${name}.php`), text);
  }
});
afterAll(() => kasi?.stop());

function orSkip({ skip }: Pick<TestContext, 'skip'>): void {
  if (missing.length > 0) skip(`this machine lacks ${missing.join(', ')}`);
}

/** Runs a program; returns what it prints. Every notice is an error. */
async function php(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const strict = ['-d', 'error_reporting=-1', '-d', 'display_errors=stderr', '-d', 'zend.assertions=1'];
  const options = { cwd: folder, env: { ...process.env, ...env } };
  const { stdout, stderr } = await exec('php', [...strict, ...args], options);
  expect(stderr).toBe('');
  return stdout;
}

const run = async (name: Example): Promise<string> => php([`${name}.php`], await reader.environment());

test('the PHP client passes its own tests, and signs like every vector of the guide', async (context) => {
  orSkip(context);
  expect(await php([resolve('clients/php/tests/run.php')])).toMatch(/^\d\d tests, 0 failed\n$/);
  const program = `require 'vendor/autoload.php';
    foreach (json_decode(getenv('VECTORS'), true) as $v) {
      echo Kasi\\Signature::of(getenv('SECRET'), $v['timestamp'], $v['method'], $v['target'], $v['body'], $v['key']), "\\n";
    }`;
  const printed = await php(['-r', program], { SECRET, VECTORS: JSON.stringify(VECTORS) });
  expect(printed.trim().split('\n')).toEqual(VECTORS.map(({ signature }) => signature));
});

test('every type that the PHPDoc of the client names is defined', () => {
  const types = readFileSync('clients/php/src/Generated/Types.php', 'utf8');
  const lines = [...types.matchAll(/@phpstan-type (\w+) (.+)/g)];
  const defined = new Set(lines.map(([, name]) => name));
  const named = lines.flatMap(([, , type = '']) => type.replaceAll(/'[^']*'|\w+\??:/g, '').match(/\b[A-Z]\w+/g) ?? []);
  const imported = ['surface', 'admin-surface'].flatMap((file) =>
    [...readFileSync(`clients/php/src/Generated/${file}.php`, 'utf8').matchAll(/import-type (\w+)/g)].map(
      (each) => each[1],
    ),
  );
  expect(imported.length).toBeGreaterThan(100);
  expect([...named, ...imported].filter((name) => !defined.has(name))).toEqual([]);
});

test('what curl sends is what was signed: the method, the address, the body and the headers', async (context) => {
  orSkip(context);
  const { url, sent } = await startFakeService(() => ({ body: { id: 'pay_1' } }));
  const program = `require 'vendor/autoload.php';
    $kasi = new Kasi\\Kasi(getenv('URL'), token: 'T1');
    $kasi->payments->get('a/../b ☕');
    $kasi->payments->create(['amount' => 25.5, 'currency' => 'USD', 'description' => str_repeat('x', 5000)]);
    $kasi->payments->cancel('pay_1');
    $kasi->paymentLinks->delete('plink_1');
    $kasi->merchants->update('mer_1', []);
    echo 'done';`;
  expect(await php(['-r', program], { URL: url })).toBe('done');
  expect(sent.map(({ method, url: target, body }) => [method, target, body.slice(0, 14)])).toEqual([
    ['GET', '/v1/payments/a%2F..%2Fb%20%E2%98%95', ''],
    ['POST', '/v1/payments', '{"amount":25.5'],
    ['POST', '/v1/payments/pay_1/cancel', ''],
    ['DELETE', '/v1/payment-links/plink_1', ''],
    ['PUT', '/v1/merchants/mer_1', '{}'],
  ]);
  expect(sent.map(({ headers }) => headers['content-type'])).toEqual([
    ...[undefined, 'application/json', undefined, undefined, 'application/json'],
  ]);
  expect(sent[2]?.headers['content-length']).toBe('0');
  expect(sent.filter(({ headers }) => headers.expect !== undefined)).toEqual([]);
});

test('through a service that loses, breaks off and keeps silent, a call ends well or in time', async (context) => {
  orSkip(context);
  const { url, sent } = await startFakeService((request, raw) => {
    if (request.url.endsWith('/silent')) return undefined;
    if (request.method === 'GET') return { body: 'elsewhere', status: 302, headers: { location: '/v1/elsewhere' } };
    if (sent.filter(({ method }) => method === 'POST').length === 1) raw.socket?.destroy();
    else if (sent.filter(({ method }) => method === 'POST').length === 2) {
      raw.writeHead(200, { 'content-length': '100' });
      raw.write('{"id":');
      setTimeout(() => raw.destroy(), 20);
    } else return { body: { id: 'pay_1' } };
    return undefined;
  });
  const program = `require 'vendor/autoload.php';
    $kasi = new Kasi\\Kasi(getenv('URL'), token: 'T1');
    echo $kasi->payments->create(['amount' => 5, 'currency' => 'USD'])['id'], "\\n";
    foreach (['elsewhere', 'silent'] as $id) {
      try { $kasi->payments->get($id, timeout: 0.4, maxRetries: 0); }
      catch (Kasi\\KasiError $error) { echo "$error->code $error->status\\n"; }
    }
    try { (new Kasi\\Kasi('http://127.0.0.1:9', maxRetries: 0))->sandbox->get(); }
    catch (Kasi\\KasiError $error) { echo $error->code; }`;
  expect(await php(['-r', program], { URL: url })).toBe('pay_1\nUNEXPECTED_RESPONSE 302\nTIMEOUT 0\nNETWORK_ERROR');
  const keys = sent.filter(({ method }) => method === 'POST').map(({ headers }) => headers['idempotency-key']);
  expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
});

test('the shop in PHP sells something, receives the webhook, and lists the payment', async (context) => {
  orSkip(context);
  const port = await findFreePort();
  const server = startExample(['php', '-S', `127.0.0.1:${port}`], folder, await reader.environment());
  await merchant.merchants.update(reader.merchantId, { webhookUrl: `http://127.0.0.1:${port}/hooks.php` });
  await expect.poll(async () => (await merchant.webhooks.test()).statusCode, SOON).toBe(204);
  const page = await fetch(`http://127.0.0.1:${port}/shop.php`, { redirect: 'manual' });
  expect([page.status, page.headers.get('location')]).toEqual([303, expect.stringContaining('/checkout/session/cs_')]);
  const [sessionId = ''] = /cs_\w+/.exec(page.headers.get('location') ?? '') ?? [];
  const { paymentId } = await merchant.checkout.sessions.get(sessionId);
  await merchant.sandbox.payments.pay(paymentId);
  await expect.poll(server.printed, SOON).toContain('Paid: A-1001');
  const forged = await fetch(`http://127.0.0.1:${port}/hooks.php`, { method: 'POST', body: '{}' });
  expect(forged.status).toBe(400);
  expect(await run('list')).toBe(`${paymentId} 49.99 USD\n`);
});

test('a payment is followed to its end in PHP', async (context) => {
  orSkip(context);
  await merchant.paymentLinks.create({ title: 'Workshop', amount: 25, currency: 'USD', slug: 'spring-workshop' });
  const payer = startExample(['php', 'follow.php'], folder, await reader.environment());
  await expect.poll(payer.printed, SOON).toMatch(/^<svg[\s\S]+initiated 0 of \d+\n$/);
  const { payments } = await merchant.payments.list({ status: 'initiated' });
  await merchant.sandbox.payments.pay(payments.find(({ amount }) => amount === 25)?.id ?? '');
  await payer.ended;
  expect(payer.printed()).toMatch(/paid (\d+) of \1\n$/);
});

test('the short examples in PHP print what they promise', async (context) => {
  orSkip(context);
  expect(await run('once')).toBe('bool(true)\n');
  expect(await run('errors')).toMatch(
    /^NOT_FOUND: There is no such payment\. \(status 404, POST \/v1\/payments\/\{id\}\/cancel, request \S+\)\n$/,
  );
  expect(await run('webhook')).toBe('payment.expired\nno_matching_signature\n');
  expect(await run('session')).toBe('pk_ sk_\n');
  expect(await run('session')).toBe('pk_ sk_\n');
  const stored = JSON.parse(await readFile(join(folder, 'session.json'), 'utf8'));
  expect(stored).toEqual({ token: expect.any(String), refreshToken: expect.any(String) });
});

test('the feed delivers every event once in PHP', async (context) => {
  orSkip(context);
  const { deliveries } = await merchant.webhooks.deliveries.list();
  const newest = deliveries[0]?.eventId;
  const isThere = async () => (await merchant.events.list({ limit: 100 })).data.some(({ id }) => id === newest);
  await expect.poll(isThere, SOON).toBe(true);
  expect(await run('feed')).toContain('payment.completed\n');
  const stored = JSON.parse(await readFile(join(folder, 'feed-position.json'), 'utf8'));
  expect(stored).toEqual({ position: expect.any(Number), hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  // Only the keys created for the examples are new.
  expect(await run('feed')).toMatch(/^(api_key\.created\n)*$/);
});
