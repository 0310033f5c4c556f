import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmbedStage, frameOf, hears, openEmbedStage, waitIn } from '../browser/embed-stage.ts';
import { blocks, readGuide, tableRows } from './guide.ts';

const guide = readGuide('embed');
let stage: EmbedStage;
beforeAll(async () => {
  stage = await openEmbedStage();
});
afterAll(() => stage.close());

test("the guide's list of websites is taken as it is", async () => {
  const [list = ''] = blocks(guide, 'json');
  const { client, id } = await stage.newMerchant();
  const { embedOrigins } = JSON.parse(list);
  expect(await client.merchants.update(id, { embedOrigins })).toMatchObject({ embedOrigins });
});

test("the guide's page takes a payment, and thanks for it", async () => {
  const [html = ''] = blocks(guide, 'html');
  const { sessionId, paymentId } = await stage.newSession();
  const here = html.replaceAll('http://localhost:3000', stage.url).replaceAll('SESSION', sessionId);
  // A policy as strict as the guide says, and the page's own script.
  const [, inline = ''] = /<script>([\s\S]*?)<\/script>/.exec(here) ?? [];
  stage.shop.show(here.replace(/<script>[\s\S]*<\/script>/, ''));
  const page = await stage.payers.open(stage.shop.origin);
  await page.evaluate(inline);
  await page.getByRole('link', { name: 'Pay' }).click();
  await waitIn(page, 'Awaiting payment');
  await frameOf(page).getByRole('button', { name: 'Pay with sandbox wallet' }).click();
  await expect.poll(() => page.title()).toBe(`Thank you for ${paymentId}`);
});

test("the client's loader defines the element once, and says when it can't", async () => {
  const { sessionId } = await stage.newSession();
  stage.shop.show('');
  const page = await stage.payers.open(stage.shop.sister);
  const source = stripTypeScriptTypes(await readFile('clients/typescript/src/embed.ts', 'utf8'));
  await page.evaluate(`(() => { ${source.replaceAll('export ', '')}; window.loadCheckout = loadCheckout; })()`);
  expect(await page.evaluate(`loadCheckout('${stage.url}/nowhere').catch(({ message }) => message)`)).toBe(
    `${stage.url}/nowhere/embed.js can't be loaded`,
  );
  await page.evaluate(`Promise.all([loadCheckout('${stage.url}/checkout'), loadCheckout('${stage.url}/checkout/')])`);
  expect(await page.evaluate(`document.head.querySelectorAll('script').length`)).toBe(1);
  await page.evaluate(`{
    const checkout = document.createElement('kasi-checkout');
    checkout.setAttribute('session', ${JSON.stringify(sessionId)});
    window.heard = [];
    checkout.addEventListener('kasi-ready', ({ type, detail }) => heard.push({ type, detail }));
    document.body.append(checkout);
    checkout.open();
  }`);
  await hears(page, 'kasi-ready');
});

test('the events of the guide are those of the types', async () => {
  const types = await readFile('clients/typescript/src/embed.ts', 'utf8');
  const documented = tableRows(guide).map(([name = '']) => name.replaceAll('`', ''));
  expect(documented).toEqual([...types.matchAll(/readonly '(kasi-\w+)'/g)].map(([, name]) => name));
});
