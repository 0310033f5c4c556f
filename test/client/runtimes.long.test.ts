import { execFile } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { copyFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { EdgeVM } from '@edge-runtime/vm';
import { rolldown } from 'rolldown';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { type Reply, refusal, type SentRequest, startFakeService } from './fake-service.ts';
import { createProject, installClient, type Project } from './installed-client.ts';

const run = promisify(execFile);
const SECRET = 'sk_sandbox_4f9c2b7e8a1d0356c9e4b2f7a8d1e03b';
const KEY_X = 'A6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg';
const NOTE = { note: 'සිංහල ☕' };

/** The result of runtime-check.mjs in every runtime. */
const EXPECTED = {
  signed: NOTE,
  repeated: NOTE,
  listed: ['pay_5', 'pay_4', 'pay_3', 'pay_2', 'pay_1'],
  refused: 'NOT_FOUND',
  timedOut: 'TIMEOUT',
  aborted: 'enough',
  renewed: NOTE,
  followed: ['pending', 'paid'],
  bytes: [137, 80, 255],
  genuine: 'payment.completed',
  forged: 'no_matching_signature',
  request: 'payment.completed',
};

let project: Project;

beforeAll(async () => {
  project = await createProject(await installClient());
  await copyFile('test/client/runtime-check.mjs', join(project.folder, 'runtime-check.mjs'));
});

/** A service per runtime: it accepts an access token once, and refuses a payment once. */
async function startService(): Promise<string> {
  let isBusy = true;
  const { url } = await startFakeService((request, raw) => {
    const [path = ''] = request.url.split('?');
    if (path === '/') return { body: '<title>Shop</title>', headers: { 'content-type': 'text/html' } };
    if (path === '/v1/auth/refresh') return { body: { token: 'T2', refreshToken: 'R2', expiresIn: 900 } };
    if (path.startsWith('/v1/public/')) return answerPublic(path, raw);
    if (!isProved(request)) return refusal(401, 'UNAUTHORIZED', { reason: 'token_expired' });
    if (path.endsWith('/silent')) return undefined;
    if (path.endsWith('/unknown')) return refusal(404, 'NOT_FOUND');
    if (request.method === 'GET') return pageOf(new URL(request.url, url).searchParams);
    const payment = JSON.parse(request.body);
    if (payment.description !== 'busy' || !isBusy) return { status: 201, body: { id: 'pay_1', ...payment } };
    isBusy = false;
    return refusal(503, 'SERVICE_UNAVAILABLE');
  });
  return url;
}

/** An independent check of the signature, written from the documentation with the cryptography of Node.js. */
function isProved({ method, url, headers, body }: SentRequest): boolean {
  if (headers.authorization !== undefined) return headers.authorization === 'Bearer T2';
  const hash = createHash('sha256').update(body).digest('hex');
  const lines = [headers['x-timestamp'], method, url, hash, headers['idempotency-key'] ?? ''];
  const signature = createHmac('sha256', SECRET).update(lines.join('\n')).digest('hex');
  return headers['x-api-key'] === 'pk_sandbox_1' && headers['x-signature'] === signature;
}

function pageOf(query: URLSearchParams): Reply {
  const [start, limit] = [Number(query.get('after') ?? 0), Number(query.get('limit'))];
  const end = start + limit;
  const payments = EXPECTED.listed.slice(start, end).map((id) => ({ id }));
  return { body: { payments, pagination: { next: end < EXPECTED.listed.length ? String(end) : null } } };
}

function answerPublic(path: string, raw: Parameters<Parameters<typeof startFakeService>[0]>[1]): Reply | undefined {
  if (path.endsWith('/webhook-keys')) return { body: { keys: [{ kty: 'OKP', crv: 'Ed25519', x: KEY_X }] } };
  const isStream = path.endsWith('/events');
  raw.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'image/png' });
  raw.end(
    isStream
      ? 'event: payment\ndata: {"status":"pending"}\n\nevent: payment\ndata: {"status":"paid"}\n\n'
      : Buffer.from(EXPECTED.bytes),
  );
  return undefined;
}

/** The result of the check, run by a program that takes a file name. */
async function outcomeIn(program: string, ...args: readonly string[]): Promise<unknown> {
  const name = `main-${crypto.randomUUID()}.mjs`;
  const main = `import { checkRuntime } from './runtime-check.mjs';
console.log(JSON.stringify(await checkRuntime(${JSON.stringify(await startService())})));
`;
  await writeFile(join(project.folder, name), main);
  const { stdout } = await run(program, [...args, name], { cwd: project.folder, env: { HOME: project.folder } });
  return JSON.parse(stdout);
}

/** The binary that a package contains for this machine, beside the wrapper that would choose it. */
function binaryOf(wrapper: string, file: string): string {
  const require = createRequire(import.meta.url);
  const found = createRequire(require.resolve(`${wrapper}/package.json`));
  const { optionalDependencies } = found('./package.json') as { optionalDependencies: Record<string, string> };
  for (const name of Object.keys(optionalDependencies)) {
    try {
      return found.resolve(`${name}/${file}`);
    } catch {
      // Built for another machine.
    }
  }
  throw new Error(`${wrapper} has no program for ${process.platform} on ${process.arch}; install the packages again`);
}

test('the client works completely in Deno', async () => {
  const flags = ['run', '--quiet', '--no-prompt', '--allow-net=127.0.0.1', '--no-remote', '--node-modules-dir=manual'];
  expect(await outcomeIn(binaryOf('deno', 'deno'), ...flags)).toEqual(EXPECTED);
});

test('the client works completely in Bun', async () => {
  expect(await outcomeIn(binaryOf('bun', 'bin/bun'), 'run')).toEqual(EXPECTED);
});

/** Whether the package's `engines` includes this version. */
function isSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.slice(1).split('.').map(Number);
  return major > 20 || (major === 20 && minor >= 19);
}

test('the client works completely in every Node.js on this machine', async () => {
  const programs = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'node'));
  const versions = new Map<string, string>();
  for (const program of [process.execPath, ...programs]) {
    const said = await run(program, ['--version']).catch(() => undefined);
    if (said && isSupported(said.stdout)) versions.set(said.stdout, program);
  }
  expect(versions.size).toBeGreaterThan(0);
  for (const node of versions.values()) expect(await outcomeIn(node)).toEqual(EXPECTED);
});

/** The check as one script, for runtimes without packages. */
async function bundle(): Promise<string> {
  const input = join(project.folder, 'runtime-check.mjs');
  const build = await rolldown({ input, cwd: project.folder, platform: 'browser' });
  const { output } = await build.generate({ format: 'iife', name: 'kasi' });
  return output[0].code;
}

test('the client works completely in an edge runtime, bundled as for a deployment', async () => {
  const runtime = new EdgeVM({ initialCode: await bundle() });
  expect(runtime.evaluate('[typeof process, typeof Buffer, typeof require].join()')).toBe(
    'undefined,undefined,undefined',
  );
  const outcome = await runtime.evaluate<Promise<unknown>>(
    `kasi.checkRuntime(${JSON.stringify(await startService())}).then((outcome) => JSON.stringify(outcome))`,
  );
  expect(JSON.parse(String(outcome))).toEqual(EXPECTED);
});

test('the client works completely in a browser', async () => {
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(await startService());
  await page.addScriptTag({ content: await bundle() });
  expect(await page.evaluate('kasi.checkRuntime(location.origin)')).toEqual(EXPECTED);
});
