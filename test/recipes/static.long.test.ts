import { once } from 'node:events';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createClient } from '../../clients/typescript/src/index.ts';
import { runShell } from '../../scripts/generators/shell.ts';
import { readSteps } from '../../scripts/recipes/guide.ts';
import { writeFiles } from '../../scripts/recipes/workshop.ts';
import { frameOf, waitIn } from '../browser/embed-stage.ts';
import { installClient } from '../client/installed-client.ts';
import { type KasiProcess, startKasi } from '../support/kasi-process.ts';
import { createPayers, type Payers } from '../support/payers.ts';
import { makeTestFolder } from '../support/run-folder.ts';

const steps = readSteps('static');
let kasi: KasiProcess;
let payers: Payers;
let folder: string;
/** Serves `index.html` as any server for files does. */
const site = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  response.end(readFileSync(join(folder, 'index.html')));
});
const siteUrl = (): string => `http://localhost:${(site.address() as AddressInfo).port}`;

/** Runs a script of the recipe as the demo merchant; what it prints. */
const run = (command: string): Promise<string> =>
  runShell(command, folder, {
    KASI_URL: kasi.url,
    SHOP_URL: siteUrl(),
    KASI_EMAIL: kasi.demo.email,
    KASI_PASSWORD: kasi.demo.password,
    PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
  });

beforeAll(async () => {
  const [{ nodeModules }, started, opened] = await Promise.all([installClient(), startKasi(), createPayers()]);
  [kasi, payers] = [started, opened];
  folder = makeTestFolder(inject('runFolder'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module","private":true}');
  cpSync(nodeModules, join(folder, 'node_modules'), { recursive: true });
  const here = ({ text }: { text: string }): string => text.replaceAll('http://localhost:3000', kasi.url);
  writeFiles({ ...steps, files: steps.files.map((file) => ({ ...file, text: here(file) })) }, folder);
  site.listen(0, 'localhost');
  await once(site, 'listening');
});
afterAll(async () => {
  site.close();
  site.closeAllConnections();
  await payers?.close();
  await kasi?.stop();
});

test('the page of the recipe takes a payment in its dialog; its owner sees it, and gives it back', async () => {
  expect(steps.prepare.split('\n').at(-1)).toBe('node link.ts');
  expect(await run('node link.ts')).toBe(`${kasi.url}/checkout/pay/ceylon-tea\n`);
  expect(await run('node paid.ts')).toBe('');

  const page = await payers.open(siteUrl());
  await page.getByRole('link', { name: 'Buy for 25 USD' }).click();
  await frameOf(page).getByLabel('Where we send it').fill('12 Temple Road, Kandy');
  await frameOf(page).getByRole('button', { name: 'Continue to payment' }).click();
  await waitIn(page, 'Awaiting payment');
  expect(await page.locator('#thanks').isVisible()).toBe(false);
  await frameOf(page).getByRole('button', { name: 'Pay with sandbox wallet' }).click();
  await expect.poll(() => page.locator('#thanks').isVisible()).toBe(true);

  const paid = await run('node paid.ts');
  expect(paid).toMatch(/^\S+Z pay_\w+ 25 USD 12 Temple Road, Kandy\n$/);
  const [paymentId = ''] = /pay_\w+/.exec(paid) ?? [];
  const [, refund = ''] = steps.refund?.split('\n') ?? [];
  expect(await run(refund.replace(/\S+…/, paymentId))).toContain(`${kasi.url}/checkout/refund/`);
  expect(await run('node paid.ts'), 'what went back is not to be sent').toBe('');
});

/** Begins a payment through the link, as its page does. */
async function begin(address: string): Promise<{ readonly id: string }> {
  const started = await fetch(`${kasi.url}/v1/public/payment-links/by-slug/ceylon-tea/payments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ customFields: { address } }),
  });
  return (await started.json()) as { id: string };
}

test('who paid too much, and got back what was too much, is still to be sent something', async () => {
  const client = createClient({ baseUrl: kasi.url, ...kasi.demo });
  const { id } = await begin('9 Lake Drive, Galle');
  await client.sandbox.payments.pay(id, { amount: '30' });
  await expect.poll(async () => (await client.payments.get(id)).status).toBe('paid');
  await client.refunds.create(id, { amount: 5, reason: 'You sent 5 too many.' });
  await expect.poll(async () => (await client.payments.get(id)).amountRefunded).toBe(5);
  expect(await run('node paid.ts')).toContain(`${id} 25 USD 9 Lake Drive, Galle`);
  await client.refunds.create(id, { amount: 1, reason: 'A discount.' });
  expect(await run('node paid.ts'), 'less than its price is left').toBe('');
});

test('what the chain took back after it was paid is held', async () => {
  const client = createClient({ baseUrl: kasi.url, ...kasi.demo });
  const { id } = await begin('3 Station Road, Jaffna');
  const { block } = await client.sandbox.payments.pay(id);
  await expect.poll(async () => (await client.payments.get(id)).status).toBe('paid');
  expect(await run('node paid.ts')).toContain(`${id} 25 USD 3 Station Road, Jaffna`);
  const { blockNumber } = await client.sandbox.chain.mine({ blocks: 1 });
  await client.sandbox.chain.reorg({ depth: blockNumber - block + 1, keepTransactions: false });
  await expect.poll(async () => (await client.payments.get(id)).amountReceived).toBe(0);
  expect((await client.payments.get(id)).status).toBe('paid');
  const list = await run('node paid.ts');
  expect(list).not.toContain('3 Station Road, Jaffna');
  expect(list).toContain(`Hold ${id}: the chain took its money back.`);
});
