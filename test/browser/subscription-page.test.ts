import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { deriveAccounts } from '../../src/chains/evm/dev-accounts.ts';
import { MNEMONIC } from '../../src/sandbox/anvil.ts';
import { createInjectedWallet, type InjectedWallet } from '../support/injected-wallet.ts';
import { type PageServer, startPageServer } from '../support/page-server.ts';
import { createPayers, isMarked, mark, type Payers, PHONE, told, violations } from '../support/payers.ts';
import { AGREED, publicSubscription } from '../support/public-subscription.ts';

const ACCOUNTS = deriveAccounts(MNEMONIC);
const SUBSCRIPTION = publicSubscription({ walletAddress: ACCOUNTS(1).address });
const PAGE = `/checkout/subscription/${SUBSCRIPTION.id}`;

let payers: Payers;
let server: PageServer;

beforeAll(async () => {
  payers = await createPayers();
});
afterAll(() => payers.close());
beforeEach(async () => {
  server = await startPageServer();
  server.subscriptions.set(SUBSCRIPTION.id, SUBSCRIPTION);
});
afterEach(async () => {
  await payers.leave();
  await server.close();
  expect(server.errors).toEqual([]);
  expect(payers.takeComplaints(), 'nothing in the console, no request to anybody else').toEqual([]);
});

/** A wallet on another chain, which needs no node to say so. */
const elsewhere = (name: string, old = false): InjectedWallet =>
  createInjectedWallet({ rpcUrl: '', account: ACCOUNTS(1), chainId: 1, name, old });

test('without a wallet and without JavaScript everything can be read, and a code leads to the page', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const page = await payers.open(server.url + PAGE, { ...PHONE, javaScriptEnabled });
    await page.getByText('there is none in this browser').waitFor();
    expect(await page.getByText('until then it allows 3,275.00 USDT in all').isVisible()).toBe(true);
    expect(await page.getByAltText('QR code with the address of this page').isVisible()).toBe(true);
    expect(await page.locator('.elsewhere code').textContent()).toBe(server.url + PAGE);
    expect(await page.locator('#act').isVisible(), 'no button that does nothing').toBe(false);
  }
});

test('of several wallets the payer chooses one, which is found again after a reload', async () => {
  const [fox, rabbit] = [elsewhere('Fox'), elsewhere('Rabbit')];
  const page = await payers.open(server.url + PAGE, PHONE, [fox, rabbit]);
  expect(await page.locator('#elsewhere').isVisible()).toBe(false);
  expect(await page.getByRole('group', { name: 'Your wallets' }).getByRole('button').allTextContents()).toEqual([
    'Fox',
    'Rabbit',
  ]);
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Rabbit' }).click();
  await page.locator('#act', { hasText: 'Switch to devnet' }).waitFor();
  expect(await page.locator('#connected').textContent()).toBe('Connected: Rabbit 0x709979…dc79C8');
  await page.reload();
  await page.locator('#act', { hasText: 'Switch to devnet' }).waitFor();
  expect([fox.asked, rabbit.asked]).toEqual([[], ['eth_requestAccounts']]);
});

test('a wallet that only puts itself where everybody looks is used too, by keyboard, and each refusal says what to do', async () => {
  const wallet = elsewhere('', true);
  const page = await payers.open(server.url + PAGE, {}, [wallet]);
  const press = async (): Promise<void> => {
    await page.locator('#act').focus();
    await page.keyboard.press('Enter');
  };
  wallet.refuse('eth_requestAccounts', { code: -32002, message: 'Request already pending.' });
  await press();
  await page.getByRole('alert').getByText('still waits for your answer').waitFor();
  expect(await page.evaluate('document.activeElement.id'), 'the focus stays on the button').toBe('act');
  await press();
  await page.locator('#announcer', { hasText: 'Next: Switch to devnet' }).waitFor({ state: 'attached' });
  await press();
  await page.getByRole('alert').getByText('Add the network with chain id 31337').waitFor();
  expect(await violations(page)).toEqual([]);
});

test('what changes is shown by itself, and the test wallet of the sandbox agrees without leaving the page', async () => {
  const sandbox = await startPageServer({ livemode: false });
  try {
    sandbox.subscriptions.set(SUBSCRIPTION.id, { ...SUBSCRIPTION, livemode: false });
    const page = await payers.open(sandbox.url + PAGE, PHONE);
    await mark(page);
    await page.getByRole('button', { name: 'Authorise with a test wallet' }).click();
    await told(page, 'You have agreed');
    expect(await page.locator('#announcer').textContent()).toContain(
      'You have agreed Ceylon Tea House may now collect',
    );
    expect(await isMarked(page)).toBe(true);
    await page.context().close();

    const follower = await payers.open(server.url + PAGE);
    await follower.clock.install();
    await follower.reload();
    server.subscriptions.set(SUBSCRIPTION.id, { ...SUBSCRIPTION, ...AGREED });
    await follower.clock.runFor(6000);
    await told(follower, 'You have agreed');
  } finally {
    await sandbox.close();
  }
});
