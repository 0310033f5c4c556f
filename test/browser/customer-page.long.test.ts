import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deriveAccounts, MNEMONIC } from '../../src/chains/evm/dev-accounts.ts';
import { openSubscriber, openWallet, until } from '../subscriptions/renewal-fixture.ts';
import { createInjectedWallet } from '../support/injected-wallet.ts';
import { DESK, PHONE, usePayers, violations, waitForHeading } from '../support/payers.ts';
import { type SandboxService, startSandboxService, type Trader } from '../support/sandbox-service.ts';
import { TEA_CLUB } from '../support/subscriptions.ts';

const ACCOUNTS = deriveAccounts(MNEMONIC);
const REJECTED = { code: 4001, message: 'User rejected the request.' };

const payers = usePayers();
let sandbox: SandboxService;
let trader: Trader;

beforeAll(async () => {
  sandbox = await startSandboxService();
  trader = await sandbox.openTrader();
});
afterAll(() => sandbox.close());

const planPage = (id: string): string => `${sandbox.url()}/checkout/plan/${id}`;
const customerPage = (): string => `${sandbox.url()}/checkout/customer`;
const warned = (page: Page, words: string): Promise<void> => page.getByRole('alert').getByText(words).waitFor();
const press = (page: Page, label: string): Promise<void> => page.locator('#act', { hasText: label }).click();
const subscribeWith = (page: Page) => page.getByRole('button', { name: 'Subscribe with Test Wallet' });
const shot = async (page: Page, name: string): Promise<void> => {
  const folder = process.env['SHOTS'];
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
};

/** Another wallet announces itself, as a slow extension does. */
const announceLate = (page: Page) =>
  page.evaluate(`dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: {
    info: { rdns: 'late.example', name: 'Late Wallet' }, provider: { request: () => new Promise(() => {}) } } }))`);
const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent');

async function fillIn(page: Page): Promise<void> {
  await page.getByLabel('Name').fill('Nimal Perera');
  await page.getByLabel('E-mail').fill('nimal@example.org');
}

test('a customer subscribes on the page of a plan, agrees on the next, and the first charge is collected', async () => {
  const { id } = await trader.client.plans.create({ ...TEA_CLUB, description: 'A parcel of tea.' });
  const { account } = await openWallet(sandbox);
  // On another network: the signature that subscribes needs none, the agreement leads to the right one.
  const wallet = createInjectedWallet({ rpcUrl: sandbox.network.rpcUrl, account, chainId: 1 });
  const page = await payers.open(planPage(id), PHONE, [wallet]);
  await subscribeWith(page).focus();
  await announceLate(page);
  await page.getByRole('button', { name: 'Subscribe with Late Wallet' }).waitFor();
  expect(await focused(page), 'a wallet that comes late takes no focus').toBe('Subscribe with Test Wallet');
  await subscribeWith(page).click();
  expect(wallet.asked, 'nothing is asked before the fields are filled').toEqual([]);
  await fillIn(page);
  expect(await violations(page)).toEqual([]);
  await shot(page, 'plan-with-wallet');
  wallet.refuse('eth_requestAccounts', REJECTED);
  await subscribeWith(page).click();
  await warned(page, 'You declined that in your wallet');
  wallet.refuse('personal_sign', REJECTED);
  await subscribeWith(page).focus();
  await page.keyboard.press('Enter');
  await warned(page, 'You declined that in your wallet');
  expect((await trader.client.subscriptions.list({ planId: id })).subscriptions).toEqual([]);
  await subscribeWith(page).click();
  await page.waitForURL('**/checkout/subscription/*');
  const [made] = (await trader.client.subscriptions.list({ planId: id })).subscriptions;
  expect(made).toMatchObject({
    customerName: 'Nimal Perera',
    customerEmail: 'nimal@example.org',
    subscribedBy: 'customer',
  });
  expect((await trader.client.subscriptions.get(made!.id)).walletAddress).toBe(account.address);

  await press(page, 'Switch to devnet');
  await press(page, 'Allow');
  await press(page, 'Sign the agreement');
  await waitForHeading(page, 'You have agreed');
  await until(async () => {
    const { data } = await trader.client.subscriptions.charges.list(made!.id);
    return data[0]?.status === 'succeeded';
  });

  await page.goto(planPage(id));
  await fillIn(page);
  await subscribeWith(page).click();
  await page.waitForURL(`**/checkout/subscription/${made!.id}`);
  await page.getByRole('link', { name: 'All subscriptions of this wallet' }).click();
  await page.getByRole('button', { name: 'Show my subscriptions with Test Wallet' }).click();
  await page.getByText('Next charge on').waitFor();
  await page.getByText('Past charges').click();
  await page.getByRole('link', { name: /Receipt for the period/ }).click();
  await waitForHeading(page, 'Receipt');
});

test('a plan that is switched off meanwhile, or changed, says so, and what was typed stays', async () => {
  const { id } = await trader.client.plans.create(TEA_CLUB);
  const { account } = await openWallet(sandbox);
  const wallet = createInjectedWallet({ rpcUrl: sandbox.network.rpcUrl, account });
  const page = await payers.open(planPage(id), DESK, [wallet]);
  await fillIn(page);
  await page.route('**/v1/public/wallet-challenges', async (route) => {
    const response = await route.fetch();
    await trader.client.plans.update(id, { amount: 2500 });
    await route.fulfill({ response });
  });
  await subscribeWith(page).click();
  await warned(page, 'The plan has changed since you signed');
  expect(await page.getByLabel('Name').inputValue()).toBe('Nimal Perera');
  await page.getByText('USD 2,500.00').first().waitFor();
  await page.unroute('**/v1/public/wallet-challenges');
  await page.route('**/v1/public/wallet-challenges', (route) => route.fulfill({ status: 500 }));
  await subscribeWith(page).click();
  await warned(page, 'We could not be reached');
  await page.unroute('**/v1/public/wallet-challenges');
  await page.route('**/v1/public/wallet-challenges', async (route) => {
    const response = await route.fetch();
    await trader.client.plans.update(id, { active: false });
    await route.fulfill({ response });
  });
  await subscribeWith(page).click();
  await waitForHeading(page, 'This plan takes no new subscribers');
  expect((await trader.client.subscriptions.list({ planId: id })).subscriptions).toEqual([]);
});

test('a signature of another account, and one that was used, subscribe nobody', async () => {
  const { id } = await trader.client.plans.create(TEA_CLUB);
  const { account } = await openWallet(sandbox);
  const wallet = createInjectedWallet({ rpcUrl: sandbox.network.rpcUrl, account });
  const page = await payers.open(planPage(id), PHONE, [wallet]);
  await fillIn(page);
  // Asks for a text of a wallet that is not this one's.
  await page.route('**/v1/public/wallet-challenges', (route) =>
    route.continue({
      postData: JSON.stringify({ purpose: 'subscribe', planId: id, walletAddress: ACCOUNTS(3).address }),
    }),
  );
  await subscribeWith(page).click();
  await warned(page, 'This is not the signature of that wallet');
  await page.unroute('**/v1/public/wallet-challenges');
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url() === planPage(id)) sent.push(request.postData() ?? '');
  });
  await subscribeWith(page).click();
  await page.waitForURL('**/checkout/subscription/*');
  const replayed = await fetch(planPage(id), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: sent.at(-1) ?? '',
  });
  expect(replayed.status).toBe(400);
  expect(await replayed.text()).toContain('What you signed was used or has run out');
  expect((await trader.client.subscriptions.list({ planId: id })).subscriptions).toHaveLength(1);
});

test('the sandbox subscribes a test wallet, without a wallet in the browser and without JavaScript', async () => {
  const { id } = await trader.client.plans.create(TEA_CLUB);
  const page = await payers.open(planPage(id), { ...PHONE, javaScriptEnabled: false });
  await page.locator('#no-script').waitFor();
  await fillIn(page);
  await page.getByRole('button', { name: 'Subscribe with a test wallet' }).click();
  await page.waitForURL('**/checkout/subscription/*');
  await page.getByRole('button', { name: 'Authorise with a test wallet' }).click();
  await waitForHeading(page, 'You have agreed');
  const [made] = (await trader.client.subscriptions.list({ planId: id })).subscriptions;
  expect(made).toMatchObject({ customerName: 'Nimal Perera', subscribedBy: 'customer' });
});

test('a customer sees what their wallet subscribes to, has an overdue charge tried, and cancels without gas', async () => {
  const poor = await openSubscriber(sandbox, trader, { name: 'Poor club' }, { sign: false });
  await poor.empty();
  await poor.sign();
  await poor.reaches('past_due');
  const wallet = createInjectedWallet({ rpcUrl: sandbox.network.rpcUrl, account: poor.account });
  const page = await payers.open(customerPage(), PHONE, [wallet]);
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Show my subscriptions with Test Wallet' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Your wallet holds too little USDT').waitFor();
  expect(await violations(page)).toEqual([]);
  await shot(page, 'customer-list');
  const [cookie] = (await page.context().cookies()).filter(({ name }) => name === 'kasi_customer');
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/checkout/customer' });

  const attempts = async () => (await poor.charges())[0]?.attempts.length ?? 0;
  const before = await attempts();
  await page.getByRole('button', { name: 'Try the charge now' }).click();
  await page.getByRole('status').getByText('is being tried').waitFor();
  await until(async () => (await attempts()) > before);
  await poor.reaches('past_due');
  await poor.refill(25_000_000n);
  await page.goto(customerPage());
  const again = page.getByRole('button', { name: 'Try the charge now' });
  if (await again.isVisible()) await again.click();
  await poor.charged(1, 'succeeded');
  await page.goto(customerPage());
  await page.getByText('Next charge on').waitFor();

  await page.getByText('Cancel Poor club').click();
  await wallet.use(ACCOUNTS(3));
  const cancel = page.getByRole('button', { name: 'Cancel it with Test Wallet' });
  await cancel.click();
  await warned(page, `Choose the account ${poor.account.address}`);
  await wallet.use(poor.account);
  wallet.refuse('personal_sign', REJECTED);
  await cancel.click();
  await warned(page, 'You declined that in your wallet');
  await cancel.click();
  await page.getByText('Poor club is cancelled.').waitFor();
  expect(await poor.read()).toMatchObject({ status: 'cancelled', cancelReason: 'customer_requested' });
  expect(wallet.asked, 'and no transaction was needed').not.toContain('eth_sendTransaction');
  await page.getByRole('link', { name: 'Details of Poor club' }).click();
  await page.locator('#telling', { hasText: 'You have cancelled it.' }).waitFor();

  await page.goto(customerPage());
  await page.getByRole('button', { name: 'Close this list' }).click();
  await page.getByRole('button', { name: 'Show my subscriptions' }).waitFor();
  const stolen = await fetch(customerPage(), { headers: { cookie: `kasi_customer=${cookie?.value}` } });
  expect(await stolen.text(), 'the token is worth nothing any more').not.toContain('Poor club');
});
