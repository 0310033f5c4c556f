import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { packagesIn, readSteps } from '../../scripts/recipes/guide.ts';
import { type Cast, castFor, newAdministrator } from '../../scripts/recipes/merchant.ts';
import { playReorg, playStory, type Shop } from '../../scripts/recipes/story.ts';
import { openShop, writeFiles } from '../../scripts/recipes/workshop.ts';
import { findFreePort } from '../../src/db/daemon.ts';
import { installClient } from '../client/installed-client.ts';
import { type KasiProcess, startKasi } from '../support/kasi-process.ts';
import { makeTestFolder } from '../support/run-folder.ts';

const run = promisify(execFile);

/** The recipes whose frameworks are packages of this project; `npm run test:recipes` tries the others, too. */
const RECIPES = ['express', 'fastify', 'hono'].map((name) => ({ name, steps: readSteps(name) }));
const PACKAGES = RECIPES.flatMap(({ steps }) => packagesIn(steps));
const administrator = newAdministrator();
let kasi: KasiProcess;
/** A folder for each recipe; above them what all of them installed. */
let folder: string;

beforeAll(async () => {
  const env = { ADMIN_EMAIL: administrator.email, ADMIN_PASSWORD: administrator.password };
  const [{ nodeModules }, started] = await Promise.all([installClient(), startKasi(env)]);
  kasi = started;
  folder = makeTestFolder(inject('runFolder'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module","private":true}');
  cpSync(nodeModules, join(folder, 'node_modules'), { recursive: true });
  for (const [name] of new Map(PACKAGES)) {
    mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true });
    symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name));
  }
  for (const { name, steps } of RECIPES) writeFiles(steps, join(folder, name));
});
afterAll(() => kasi?.stop());

type Recipe = (typeof RECIPES)[number];

async function play({ name, steps }: Recipe, as: string, story: typeof playStory): Promise<void> {
  const [cast, port] = await Promise.all([castFor(as, kasi.url, administrator), findFreePort()]);
  const shop = await openShop(steps, { kasiUrl: kasi.url, login: cast.login, folder: join(folder, name), port });
  await story(shop, cast).finally(shop.close);
}

describe.concurrent('a shop', () => {
  test.each(RECIPES)('of the recipe for $name takes a payment and gives it back', (recipe) =>
    play(recipe, recipe.name, playStory),
  );
});

test.each(RECIPES)('a customer of the shop of $name never gets a second payment of what is not over', (recipe) =>
  play(recipe, `once-${recipe.name}`, playOnce),
);

/** As a day later: the service knows none of the keys that it was asked by. */
async function forgetKeys(): Promise<void> {
  const client = new pg.Client({ connectionString: kasi.databaseUrl });
  await client.connect();
  await client.query('delete from idempotency_keys').finally(() => client.end());
}

async function playOnce(shop: Shop, { merchant }: Cast): Promise<void> {
  const url = await shop.buy();
  const { paymentId } = await merchant.checkout.sessions.get(url.split('/').at(-1) ?? '');
  const orderId = String((await merchant.payments.get(paymentId)).metadata['orderId']);
  await forgetKeys();
  expect(await shop.payAgain(orderId)).toBe(url);
  await merchant.sandbox.payments.pay(paymentId);
  await expect.poll(() => shop.look(orderId, '')).toBe('paid');

  // A refund is one however often it is asked for; what was taken back is asked for anew.
  const refund = async (): Promise<string> => String(await shop.refund?.(orderId));
  const first = await refund();
  expect(await refund()).toBe(first);
  const [made] = (await merchant.refunds.list({ paymentId })).refunds;
  await merchant.refunds.cancel(made?.id ?? '');
  await expect.poll(shop.logged).toContain('did not arrive: cancelled');
  expect(await refund()).toMatch(/\/checkout\/refund\/[\w-]+/);
  expect(await refund()).not.toBe(first);
  const { refunds } = await merchant.refunds.list({ paymentId });
  expect(refunds.map(({ status }) => status)).toEqual(['awaiting_claim', 'cancelled']);
}

// One after the other: the chain is that of all.
test.each(RECIPES)('a shop of the recipe for $name holds an order while the chain has its payment back', (recipe) =>
  play(recipe, `held-${recipe.name}`, playReorg),
);

test('the types in the recipes fit', async () => {
  const compilerOptions = {
    ...{ target: 'es2024', module: 'nodenext', types: ['node'], strict: true, skipLibCheck: true, noEmit: true },
    ...{ allowImportingTsExtensions: true, noUncheckedIndexedAccess: true, erasableSyntaxOnly: true },
    ...{ noPropertyAccessFromIndexSignature: true, exactOptionalPropertyTypes: true, verbatimModuleSyntax: true },
  };
  const include = RECIPES.map(({ name }) => name);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }));
  const tsc = [resolve('node_modules/typescript/bin/tsc'), '-p', folder];
  await run(process.execPath, tsc).catch(({ stdout }) => expect(stdout).toBe(''));
});

test('the recipes install the versions that these tests run them with', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const pinned = { ...dependencies, ...devDependencies };
  for (const [name, version] of PACKAGES) expect([name, version]).toEqual([name, pinned[name]]);
});

test('what does not depend on the framework is the same in all of them', () => {
  const shared = RECIPES.map(({ steps }) => steps.files.filter(({ name }) => name !== 'server.ts'));
  expect(shared[0]?.map(({ name }) => name)).toEqual(['connect.ts', 'kasi.ts', 'orders.ts', 'refund.ts']);
  for (const files of shared) expect(files).toEqual(shared[0]);
});
