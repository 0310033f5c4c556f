import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { signTestWebhook, type WebhookEvent } from '../../clients/typescript/src/index.ts';
import { refusal, startFakeService } from './fake-service.ts';

const run = promisify(execFile);
const SECRET = 'whsk_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const KEY_X = 'A6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg';

/** An empty project of somebody else, with the packed client installed in it. */
let project: string;
let packedFiles: string[];

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'kasi-client-'));
  const pack = ['pack', '--json', '--pack-destination', project];
  const { stdout } = await run('npm', pack, { cwd: 'clients/typescript' });
  // prepack tells what it does on the same output, before the JSON.
  const [packed] = JSON.parse(stdout.slice(stdout.search(/^\[$/m)));
  packedFiles = packed.files.map((file: { path: string }) => file.path);
  await writeFile(join(project, 'package.json'), '{"type":"module","private":true}');
  const install = ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', packed.filename];
  await run('npm', install, { cwd: project });
}, 60_000);

afterAll(() => rm(project, { recursive: true, force: true }));

/** Compiles the files in the folder `src` to `out` as a strict project would. */
async function compile(options: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2022'],
    types: ['node'],
    typeRoots: [resolve('node_modules/@types')],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: true,
    verbatimModuleSyntax: true,
    rootDir: 'src',
    outDir: 'out',
    ...options,
  };
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
  await run(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', project]).catch((error) => {
    throw new Error(error.stdout);
  });
}

async function writeSource(name: string, text: string): Promise<void> {
  await mkdir(join(project, 'src'), { recursive: true });
  await writeFile(join(project, 'src', name), text);
}

const CONSUMER = `
import { createClient, KasiError, type Payment, verifyWebhook, type WebhookEvent } from '@kasi/client';

const client = createClient({ baseUrl: 'http://127.0.0.1:9', token: undefined });

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
const error = await client.payments.get('pay_1').catch((reason: unknown) => reason);
console.log(JSON.stringify([event, error instanceof KasiError && error.code, typeof wrong, typeof unknown]));
`;

test('the package holds what runs and nothing else', () => {
  expect(packedFiles).toEqual(
    expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'dist/index.js', 'dist/index.d.ts']),
  );
  const others = packedFiles.filter((file) => !/^dist\/[\w/-]+(\.d\.ts|\.js)$/.test(file));
  expect(others.sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
});

test('in an empty project the tarball compiles strictly, with or without the DOM, and runs', async () => {
  await writeSource('consumer.ts', CONSUMER);
  const browser = { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'], types: [] };
  await compile({ ...browser, noEmit: true });
  await compile();
  const { stdout } = await run(process.execPath, ['out/consumer.js'], { cwd: project });
  expect(JSON.parse(stdout)).toEqual([{ test: 2432232314 }, 'NETWORK_ERROR', 'function', 'function']);
});

test('the package asks Node for nothing: its files import only each other and the dependencies', async () => {
  for (const file of packedFiles.filter((name) => name.endsWith('.js'))) {
    const text = await readFile(join(project, 'node_modules/@kasi/client', file), 'utf8');
    const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1]);
    for (const specifier of imports)
      expect(specifier).toMatch(/^(\.\.?\/[\w/-]+\.js|openapi-fetch|@noble\/(curves\/ed25519|hashes\/\w+)\.js)$/);
    expect(text).not.toMatch(/\b(process|Buffer|require|__dirname)\b[.([]/);
  }
});

test('the examples of the README compile as they stand and do what they say', async () => {
  const readme = await readFile('clients/typescript/README.md', 'utf8');
  const examples = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? '');
  expect(examples).toHaveLength(5);
  const service = await startMerchantService();
  const port = await freePort();
  for (const [index, text] of examples.entries()) {
    const here = text
      .replaceAll('http://localhost:3000', service.url)
      .replace('listen(4000)', `listen(${port}, '127.0.0.1')`);
    await writeSource(`example-${index}.ts`, here);
  }
  await compile();
  await shopWorks(port);
  const outputs = await Promise.all(
    [1, 2, 3, 4].map((index) => run(process.execPath, [`out/example-${index}.js`], { cwd: project })),
  );
  expect(outputs.map(({ stdout }) => stdout)).toEqual([
    'pay_1 25 USD\nToo late to cancel.\n',
    '<svg/>\nconfirming 1 of 2\n',
    '12.5\n',
    'payment.expired\n',
  ]);
  expect(JSON.parse(await readFile(join(project, 'session.json'), 'utf8'))).toEqual({
    token: 'T1',
    refreshToken: 'R1',
  });
});

/** Runs the first example as its reader would, and delivers a webhook to it. */
async function shopWorks(port: number): Promise<void> {
  const env = {
    ...process.env,
    KASI_EMAIL: 'owner@teahouse.example',
    KASI_PASSWORD: 'Str0ng-enough',
    KASI_MERCHANT_ID: 'mer_1',
  };
  const shop = spawn(process.execPath, ['out/example-0.js'], {
    cwd: project,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void shop.kill());
  let output = '';
  shop.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const paid = {
    id: 'evt_1',
    type: 'payment.completed',
    data: { metadata: { orderId: 'A-1001' } },
  } as unknown as WebhookEvent;
  const { body, headers } = signTestWebhook(paid, { secret: SECRET });
  const deliver = async (sent: string): Promise<number> =>
    (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body: sent })).status;
  await expect.poll(() => deliver(body).catch(() => 0), { timeout: 10_000 }).toBe(204);
  expect(await deliver(`${body} `)).toBe(400);
  await expect
    .poll(() => output)
    .toBe('Send the customer to https://kasi.example/checkout/session/cs_1\nOrder A-1001 is paid\n');
}

/** As much of the service as the examples of the README touch. */
async function startMerchantService(): Promise<{ url: string }> {
  const answers: Readonly<Record<string, unknown>> = {
    'POST /v1/auth/login': { token: 'T1', refreshToken: 'R1', expiresIn: 900, merchant: { id: 'mer_1' } },
    'POST /v1/checkout/sessions': { sessionId: 'cs_1', checkoutUrl: 'https://kasi.example/checkout/session/cs_1' },
    'GET /v1/public/merchants/mer_1/webhook-keys': { keys: [{ kty: 'OKP', crv: 'Ed25519', x: KEY_X }] },
    'GET /v1/payments': { payments: [{ id: 'pay_1', amount: 25, currency: 'USD' }], pagination: { totalPages: 1 } },
    'POST /v1/public/payment-links/by-slug/spring-workshop/payments': { id: 'pay_1' },
    'GET /v1/settlements/balance': { availableBalance: 12.5 },
  };
  return startFakeService(({ method, url }, raw) => {
    const path = url.split('?')[0] ?? '';
    if (path.endsWith('/cancel')) return refusal(409, 'CONFLICT');
    if (path.endsWith('/qr.svg')) return { body: '<svg/>', headers: { 'content-type': 'image/svg+xml' } };
    if (path.endsWith('/events')) {
      raw.writeHead(200, { 'content-type': 'text/event-stream' });
      raw.end('event: payment\ndata: {"status":"confirming","confirmations":{"seen":1,"required":2}}\n\n');
      return undefined;
    }
    const body = answers[`${method} ${path}`];
    return body === undefined ? refusal(404, 'NOT_FOUND') : { body };
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
