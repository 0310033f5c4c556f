import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { beforeAll, expect, test } from 'vitest';
import { measureSizes } from '../../scripts/size.ts';
import { createProject, type InstalledClient, installClient } from './installed-client.ts';

let client: InstalledClient;

beforeAll(async () => {
  client = await installClient();
});

const CONSUMER = `
import { createClient, KasiError, type Payment, verifyWebhook, type WebhookEvent } from '@kasi/client';

const client = createClient({ baseUrl: 'http://127.0.0.1:9', token: undefined, maxRetries: 0 });

function describe(event: WebhookEvent): string {
  switch (event.type) {
    case 'payment.completed': {
      const payment: Payment = event.data;
      return payment.paidAt ?? 'never';
    }
    case 'checkout.session.completed':
      return event.data.successUrl;
    case 'payment_link.expired':
      return event.data.slug;
    case 'merchant.status_changed':
      // @ts-expect-error A merchant has no slug: \`type\` decides what \`data\` is.
      return event.data.slug;
    default:
      return event.id;
  }
}

// @ts-expect-error An amount is a number.
const wrong = () => client.payments.create({ amount: '5', currency: 'USD' });
// @ts-expect-error There is no such status.
const unknown = () => client.payments.iterate({ status: 'lost' });
// @ts-expect-error Reading takes no key.
const keyed = () => client.payments.get('pay_1', { idempotencyKey: 'order-1001' });

const event = await verifyWebhook(
  '{"test": 2432232314}',
  {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==',
  },
  { keys: 'whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=', now: new Date(1614265330000) },
);
describe(event);
const thrown = await client.payments.get('pay_1').catch((reason: unknown) => reason);
const tried = await client.payments.get.try('pay_1');
const codes = [thrown instanceof KasiError && thrown.code, tried.ok ? tried.data.id : tried.error.code];
console.log(JSON.stringify([event, ...codes, typeof wrong, typeof unknown, typeof keyed]));
`;

const COMMONJS_CONSUMER = `
import { createClient, KasiError, type Payment } from '@kasi/client';
import { createAdminClient } from '@kasi/client/admin';
import { expressWebhook } from '@kasi/client/webhooks';

const client = createClient({ baseUrl: 'http://127.0.0.1:9', token: 'T1', maxRetries: 0 });
const read = (id: string): Promise<Payment> => client.payments.get(id);
read('pay_1').catch((error: unknown) => {
  const code = error instanceof KasiError && error.code;
  console.log(JSON.stringify([code, typeof createAdminClient, typeof expressWebhook]));
});
`;

/** Of a page, so it needs the DOM. */
const SHOP_PAGE = `
import { type CheckoutFacts, type KasiCheckoutElement, loadCheckout } from '@kasi/client/embed';

const element: KasiCheckoutElement | null = document.querySelector('kasi-checkout');
element?.addEventListener('kasi-return', (event) => {
  const { url, sessionId }: CheckoutFacts & { url: string } = event.detail;
  if (sessionId !== null && url !== '') event.preventDefault();
});
// @ts-expect-error Only the way back has a URL.
element?.addEventListener('kasi-paid', (event) => event.detail.url);
// @ts-expect-error There is no such status.
element?.addEventListener('kasi-paid', (event) => event.detail.status === 'lost');
document.body.addEventListener('kasi-closed', ({ detail }) => detail.paymentId);
export const ready: Promise<void> = loadCheckout('https://pay.example/checkout');
`;

test('the package contains what runs and nothing else', () => {
  expect(client.files).toEqual(
    expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'dist/index.js', 'dist/index.d.ts']),
  );
  const others = client.files.filter((file) => !/^dist\/[\w/-]+(\.d\.ts|\.js)$/.test(file));
  const manifests = ['admin', 'dist/cjs', 'embed', 'webhooks'].map((folder) => `${folder}/package.json`);
  expect(others.sort()).toEqual(['LICENSE', 'README.md', 'package.json', ...manifests].sort());
});

test('in an empty project the tarball compiles strictly, with or without the DOM, and runs', async () => {
  const project = await createProject(client);
  await project.write('consumer.ts', CONSUMER);
  const readme = await readFile('clients/typescript/README.md', 'utf8');
  await project.write('shop-page.ts', /^```tsx\n([\s\S]*?)^```$/m.exec(readme)?.[1] ?? 'missing');
  await project.write('shop-page-types.ts', SHOP_PAGE);
  const browser = { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'], types: [] };
  await project.compile({ ...browser, noEmit: true });
  for (const page of ['shop-page.ts', 'shop-page-types.ts']) await project.write(page, '');
  await project.compile();
  expect(JSON.parse(await project.run('out/consumer.js'))).toEqual([
    { test: 2432232314 },
    ...['NETWORK_ERROR', 'NETWORK_ERROR', 'function', 'function', 'function'],
  ]);
});

test.each([
  ['CommonJS of old', { module: 'commonjs', moduleResolution: 'node10' }],
  ['CommonJS', { module: 'node16', moduleResolution: 'node16' }],
])(
  'a project in %s compiles and runs',
  async (_name, options) => {
    const project = await createProject(client, 'commonjs');
    await project.write('consumer.ts', COMMONJS_CONSUMER);
    await project.compile({ ...options, verbatimModuleSyntax: false, esModuleInterop: true });
    expect(JSON.parse(await project.run('out/consumer.js'))).toEqual(['NETWORK_ERROR', 'function', 'function']);
  },
  90_000,
);

test('the package needs nothing of Node: its files import only each other and the dependencies', async () => {
  for (const file of client.files.filter((name) => /^dist\/(?!cjs\/).*\.js$/.test(name))) {
    const text = await readFile(join(client.nodeModules, '@kasi/client', file), 'utf8');
    const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1]);
    for (const specifier of imports)
      expect(specifier).toMatch(/^(\.\.?\/[\w/-]+\.js|openapi-fetch|@noble\/(curves\/ed25519|hashes\/\w+)\.js)$/);
    expect(text).not.toMatch(/\b(process|Buffer|require|__dirname)\b[.([]/);
  }
});

test('publint finds nothing to change in the published package', async () => {
  const packed = await readFile(client.tarball);
  const tarball = packed.buffer.slice(packed.byteOffset, packed.byteOffset + packed.byteLength) as ArrayBuffer;
  const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
  expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
});

test('the types are correct for every way to resolve a module, old and new', async () => {
  const analysis = await checkPackage(createPackageFromTarballData(await readFile(client.tarball)));
  if (!analysis.types) throw new Error('the package has no types');
  expect(analysis.problems).toEqual([]);
  expect(Object.keys(analysis.entrypoints).sort()).toEqual(['.', './admin', './embed', './webhooks']);
});

test('the client adds little to a bundle: only what is imported', async () => {
  const sizes = Object.fromEntries((await measureSizes()).map(({ what, gzipped }) => [what, gzipped]));
  expect(sizes['the whole client']).toBeLessThan(33_000);
  expect(sizes['createClient']).toBeLessThan(14_000);
  expect(sizes['verifyWebhook']).toBeLessThan(17_000);
  expect(sizes['signRequest']).toBeLessThan(4_000);
  const readme = await readFile('clients/typescript/README.md', 'utf8');
  const said = (what: string): string => `${Math.round((sizes[what] ?? 0) / 1000)} kB`;
  expect(readme).toContain(`: ${said('the whole client')} altogether, minified`);
  expect(readme).toContain(`\`verifyWebhook\` alone is ${said('verifyWebhook')}, minified`);
});
