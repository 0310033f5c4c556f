import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { createInjectedWallet } from '../support/injected-wallet.ts';
import { type PageServer, startPageServer } from '../support/page-server.ts';
import { PHONE, usePayers } from '../support/payers.ts';
import { publicPayment } from '../support/public-payment.ts';
import { customerWallet } from '../support/subscriptions.ts';

let server: PageServer;
beforeAll(async () => {
  server = await startPageServer();
});
afterAll(() => server.close());
afterEach(async () => {
  expect(server.errors).toEqual([]);
});
const payers = usePayers();

const PAYMENT = publicPayment();
const URL_OF = () => `${server.url}/checkout/payment/${PAYMENT.id}`;
const languageOf = (page: Page): Promise<unknown> => page.evaluate('document.documentElement.lang');
const requestsFor = (path: string): number => server.requests.filter((each) => each.includes(path)).length;

test('a payer in Colombo reads their language, their letters and their time', async () => {
  server.put(PAYMENT);
  const page = await payers.open(URL_OF(), { ...PHONE, locale: 'si-LK', timezoneId: 'Asia/Colombo' });
  expect(await languageOf(page)).toBe('si');
  await page.locator('.rate', { hasText: '2026 ජනවාරි 2, 08:34 GMT+5:30' }).waitFor();
  await page.evaluate('document.fonts.ready');
  const loaded = await page.evaluate(
    "[...document.fonts].filter(({ family, status }) => family.includes('Letters') && status === 'loaded').length",
  );
  expect(loaded).toBe(1);
  const before = requestsFor(PAYMENT.id);
  await page.reload();
  expect(await page.locator('.rate').textContent(), 'the server knows by now').toContain('08:34 GMT+5:30');
  await page.waitForTimeout(300);
  expect(requestsFor(PAYMENT.id) - before, 'the page, its image and its stream').toBe(3);
});

test('a choice of the language stays, also without scripts', async () => {
  server.put(PAYMENT);
  const page = await payers.open(URL_OF(), { ...PHONE, locale: 'si-LK', javaScriptEnabled: false });
  await page.getByRole('link', { name: 'Español' }).click();
  await page.getByRole('heading', { name: 'Esperando el pago' }).waitFor();
  await page.goto(`${server.url}/checkout/pay/spring-workshop`);
  await page.getByRole('button', { name: 'Continuar al pago' }).waitFor();
});

test('a wallet is offered, refused and explained in the language of the page', async () => {
  server.put(PAYMENT);
  const wallet = createInjectedWallet({
    ...{ rpcUrl: 'http://127.0.0.1:1', account: customerWallet(), name: 'Fox' },
  });
  wallet.refuse('eth_requestAccounts', { code: 4001, message: 'User rejected the request.' });
  const page = await payers.open(URL_OF(), { locale: 'es' }, [wallet]);
  await page.getByRole('button', { name: 'Pagar con Fox' }).click();
  await page.getByRole('alert').getByText('Lo ha rechazado en su billetera.').waitFor();
  await page.getByRole('button', { name: 'Copiar la dirección' }).click();
  await page.locator('#announcer', { hasText: 'Dirección copiada' }).waitFor({ state: 'attached' });
});
