import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { expect, onTestFinished } from 'vitest';
import { shownIn } from '../../scripts/generators/guide.ts';
import { LANGUAGES } from '../../scripts/generators/languages.ts';
import { test } from '../fixture.ts';
import { readGuide } from './guide.ts';

const run = promisify(execFile);
const DOCUMENT = 'kasi-api.json';
const TSCONFIG = {
  compilerOptions: {
    target: 'esnext',
    module: 'preserve',
    moduleResolution: 'bundler',
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: ['node'],
  },
  files: ['shop.ts', 'orval.ts', 'check.ts'],
};

/** Compiles only if the types are as useful as the contract: amounts are numbers, and what may grow is text. */
const CHECK = `
import type { CreateCheckoutSessionRequest, PaymentDetail } from './kasi/types.gen';
import type { PaymentDetail as OrvalPayment } from './orval';

declare const [one, other]: [PaymentDetail, OrvalPayment];
export const total: number = one.amount + other.amount;
export const status: string = one.status + other.status;
export const reason: string | null = one.reason;
export const later: unknown = one['addedLater'];
// @ts-expect-error What is sent is closed.
export const sent: CreateCheckoutSessionRequest['anything'] = 1;
`;

/** A folder in which the installed packages are found. */
async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kasi-generated-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  await copyFile('generated/openapi.client.json', join(folder, DOCUMENT));
  return folder;
}

/** Runs the program of an installed package by this Node.js, with the arguments that the guide shows after \`npx\`. */
async function runShown(folder: string, name: string, text: string, change = (arg: string) => arg): Promise<void> {
  const file = resolve('node_modules', name, 'package.json');
  const { version, bin } = JSON.parse(await readFile(file, 'utf8')) as { version: string; bin: string | object };
  const [, shown] = new RegExp(`npx ${name}@${version} ([^\`]+?)(?:\`|\\n*$)`).exec(text) ?? [];
  if (shown === undefined) throw new Error(`The guide does not show npx ${name}@${version}.`);
  const program = typeof bin === 'string' ? bin : String(Object.values(bin)[0]);
  const args = shown.trim().split(/\s+/).map(change);
  await run(process.execPath, [resolve('node_modules', name, program), ...args], { cwd: folder });
}

test('two generators for TypeScript write clients that compile, and the program of the guide asks for money', async ({
  service,
  merchant,
}) => {
  const folder = await makeFolder();
  const { commands, program } = shownIn('TypeScript', 'ts');
  await runShown(folder, '@hey-api/openapi-ts', commands);
  await runShown(folder, 'orval', readGuide('generate-a-client'), (arg) => (arg === 'kasi.ts' ? 'orval.ts' : arg));
  await writeFile(join(folder, 'shop.ts'), program);
  await writeFile(join(folder, 'check.ts'), CHECK);
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  await run(process.execPath, [tsc, '-p', folder]).catch((error: { stdout: string }) => expect(error.stdout).toBe(''));

  const bundle = await rolldown({ input: join(folder, 'shop.ts'), platform: 'node' });
  await bundle.write({ file: join(folder, 'shop.mjs'), format: 'esm' });
  const key = await merchant.client.apiKeys.create({ name: 'Generated', permissions: ['payments:write'] });
  const env = { ...process.env, KASI_URL: service.url, KASI_API_KEY: key.apiKey, KASI_API_SECRET: key.apiSecret };
  const { stdout } = await run(process.execPath, [join(folder, 'shop.mjs')], { env });
  expect(stdout).toMatch(/^http\S+\/checkout\/session\/cs_\w+\n$/);
});

test('the guide shows commands and a program for every language that is tried', () => {
  for (const { name, fence } of LANGUAGES) {
    const { commands, program } = shownIn(name, fence);
    expect(commands).toMatch(/@v?\d+\.\d+\.\d+|==\d+\.\d+\.\d+|:\d+\.\d+\.\d+/);
    expect(program).toContain('X-Signature');
  }
});
