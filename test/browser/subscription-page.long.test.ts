import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { deriveAccounts, MNEMONIC } from '../../src/chains/evm/dev-accounts.ts';
import { AGREES, openSubscriber, until } from '../subscriptions/renewal-fixture.ts';
import { createInjectedWallet, type InjectedWallet } from '../support/injected-wallet.ts';
import { type PageServer, startPageServer } from '../support/page-server.ts';
import { isMarked, mark, PHONE, usePayers, violations, waitForHeading } from '../support/payers.ts';
import { AGREED, publicSubscription } from '../support/public-subscription.ts';
import { type SandboxService, startSandboxService, type Trader } from '../support/sandbox-service.ts';

const ACCOUNTS = deriveAccounts(MNEMONIC);
const SUBSCRIPTION = publicSubscription({ walletAddress: ACCOUNTS(1).address });
const PAGE = `/checkout/subscription/${SUBSCRIPTION.id}`;

let server: PageServer;
/** Started with the first test, because it takes some seconds of mostly chain work. */
let opening: Promise<Stage>;

type Stage = {
  readonly sandbox: SandboxService;
  readonly trader: Trader;
  /** Has authorised, but with an empty wallet and too small an allowance. */
  readonly poor: Awaited<ReturnType<typeof openSubscriber>>;
};

async function openStage(): Promise<Stage> {
  const sandbox = await startSandboxService();
  const trader = await sandbox.openTrader();
  const poor = await openSubscriber(sandbox, trader, {}, { allow: 1_000_000n, sign: false });
  await poor.empty();
  await poor.sign();
  return { sandbox, trader, poor };
}

beforeAll(async () => {
  opening = openStage();
  opening.catch(() => undefined); // Reported by the tests that wait for it.
});
afterAll(async () => (await opening).sandbox.close());
beforeEach(async () => {
  server = await startPageServer();
  server.subscriptions.set(SUBSCRIPTION.id, SUBSCRIPTION);
});
afterEach(async () => {
  await server.close();
  expect(server.errors).toEqual([]);
});
const payers = usePayers();

/** A wallet on another chain; it needs no node. */
const elsewhere = (name: string, old = false): InjectedWallet =>
  createInjectedWallet({ rpcUrl: '', account: ACCOUNTS(1), chainId: 1, name, old });

test('without a wallet and without JavaScript everything can be read, and a QR code leads to the page', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const page = await payers.open(server.url + PAGE, { ...PHONE, javaScriptEnabled });
    await page.locator(javaScriptEnabled ? '#no-wallet' : '#no-script').waitFor();
    expect(await page.getByText('until then it allows 3,275.00 USDT in all').isVisible()).toBe(true);
    expect(await page.getByAltText('QR code with the address of this page').isVisible()).toBe(true);
    expect(await page.locator('.elsewhere code').textContent()).toBe(server.url + PAGE);
    expect(await page.locator('#act').isVisible(), 'no button that does nothing').toBe(false);
  }
});

test('the payer chooses among several wallets, and the choice survives a reload', async () => {
  const [fox, rabbit] = [elsewhere('Fox'), elsewhere('Rabbit')];
  const page = await payers.open(server.url + PAGE, PHONE, [fox, rabbit]);
  expect(await page.locator('#no-wallet').isVisible()).toBe(false);
  expect(await page.getByAltText('QR code').isVisible()).toBe(false);
  expect(await page.getByText('Use a wallet on another device').isVisible()).toBe(true);
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

test('a wallet available only as window.ethereum is used too, by keyboard, and each error says what to do', async () => {
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

test("changes appear by themselves, and the sandbox's test wallet authorises without leaving the page", async () => {
  const sandbox = await startPageServer({ livemode: false });
  try {
    sandbox.subscriptions.set(SUBSCRIPTION.id, { ...SUBSCRIPTION, livemode: false });
    const page = await payers.open(sandbox.url + PAGE, PHONE);
    await mark(page);
    await page.getByRole('button', { name: 'Authorise with a test wallet' }).click();
    await waitForHeading(page, 'You have agreed');
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
    await waitForHeading(follower, 'You have agreed');
  } finally {
    await sandbox.close();
  }
});

const press = (page: Page, label: string): Promise<void> => page.locator('#act', { hasText: label }).click();
const warned = (page: Page, words: string): Promise<void> => page.getByRole('alert').getByText(words).waitFor();
const hinted = (page: Page, words: string): Promise<void> => page.locator('#hint', { hasText: words }).waitFor();
const REJECTED = { code: 4001, message: 'User rejected the request.' };

test('a payer with the wrong account, network and allowance is led to a mandate, is charged, and revokes it', async () => {
  const { sandbox, trader } = await opening;
  const subscriber = await openSubscriber(sandbox, trader, {}, { allow: 5_000_000n, sign: false });
  const { rpcUrl } = sandbox.network;
  const wallet = createInjectedWallet({ rpcUrl, account: ACCOUNTS(1), chainId: 1 });
  const page = await payers.open(`${sandbox.url()}/checkout/subscription/${subscriber.id}`, PHONE, [wallet]);

  wallet.refuse('eth_requestAccounts', REJECTED);
  await press(page, 'Connect wallet');
  await warned(page, 'You declined that in your wallet');
  await press(page, 'Connect wallet');
  await warned(page, `Your wallet shows 0x709979…dc79c8, but ${subscriber.account.address.slice(0, 8)}`);
  await wallet.use(subscriber.account);
  await press(page, 'Switch to devnet');
  await hinted(page, 'Your wallet still allows 5.00 USDT from before.');
  await press(page, 'Set the old allowance to zero');

  await page.locator('#act', { hasText: 'Allow 330.00 USDT' }).waitFor();
  await hinted(page, 'besides the 5.00 USDT that your wallet allowed before');
  await sandbox.node.rpc('evm_setAutomine', [false]);
  await press(page, 'Allow');
  await hinted(page, 'Sent. Waiting for the network');
  await page.reload(); // A pending transaction survives the reload.
  await hinted(page, 'Sent. Waiting for the network');
  await sandbox.node.rpc('evm_setAutomine', [true]);
  await sandbox.node.rpc('evm_mine');

  wallet.refuse('eth_signTypedData_v4', REJECTED);
  await press(page, 'Sign the agreement');
  await warned(page, 'You declined that in your wallet');
  await page.route('**/mandate', (route) => route.fulfill({ status: 500 }));
  await press(page, 'Sign the agreement');
  await warned(page, 'We could not be reached; your signature');
  await page.unroute('**/mandate');
  await page.reload(); // So does a signature that could not be sent.
  await waitForHeading(page, 'You have agreed');
  await subscriber.charged(1, 'succeeded');

  await page.getByRole('button', { name: 'Stop allowing charges' }).click();
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Keep it');
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Yes, stop charges' }).click();
  await waitForHeading(page, 'You have stopped the charges');
  expect(await subscriber.read()).toMatchObject({ status: 'active', mandateStatus: 'revoked' });
  expect(wallet.asked, 'and is asked for nothing else').toEqual([
    ...['eth_requestAccounts', 'eth_requestAccounts'],
    ...['wallet_switchEthereumChain', 'wallet_addEthereumChain', 'wallet_switchEthereumChain'],
    ...['eth_sendTransaction', 'eth_sendTransaction'],
    ...['eth_signTypedData_v4', 'eth_signTypedData_v4', 'eth_sendTransaction'],
  ]);
});

/** A subscriber with an unlimited allowance, whom the page asks to authorise. */
const openAsked = async () => {
  const { sandbox, trader } = await opening;
  return openSubscriber(sandbox, trader, {}, { sign: false });
};

test('a payer whose signature the chain refused authorises by a transaction, with the fees that the network asks', async () => {
  const { sandbox, trader } = await opening;
  const { node } = sandbox;
  const subscriber = await openAsked();
  const { address } = subscriber.account;
  const shown = () => trader.client.public.subscriptions.get(subscriber.id);
  await node.rpc('anvil_setCode', [address, AGREES]);
  await node.rpc('evm_setAutomine', [false]);
  await trader.client.public.subscriptions.submitMandate(subscriber.id, { signature: '0x1234' });
  const { mandate } = await shown();
  const { db } = sandbox.service().platform;
  const relays = db.selectFrom('operator_transactions').select('id').where('subject', '=', mandate.id);
  await until(async () => (await relays.where('sent_at', 'is not', null).execute()).length === 1);
  await node.rpc('anvil_setCode', [address, '0x']);
  await node.rpc('evm_setAutomine', [true]);
  await node.rpc('evm_mine');
  await until(async () => (await shown()).agreeBy === 'transaction');

  await node.rpc('anvil_setBalance', [address, '0x0']);
  const wallet = createInjectedWallet({ rpcUrl: sandbox.network.rpcUrl, account: subscriber.account });
  const page = await payers.open(`${sandbox.url()}/checkout/subscription/${subscriber.id}`, PHONE, [wallet]);
  await page.locator('#telling', { hasText: 'The network refused what your wallet had signed' }).waitFor();
  await press(page, 'Connect wallet');
  await hinted(page, 'This wallet has no ETH on devnet');
  await node.rpc('anvil_setBalance', [address, '0xde0b6b3a7640000']);
  wallet.refuse('eth_sendTransaction', REJECTED);
  await press(page, 'Agree by a transaction');
  await warned(page, 'You declined that in your wallet');
  await press(page, 'Agree by a transaction');
  await waitForHeading(page, 'You have agreed');
  expect(await page.evaluate('document.activeElement.id'), 'the focus goes on to the news').toBe('status');
  expect(await shown()).toMatchObject({ mandateStatus: 'active', agreeBy: 'transaction', typedData: null });
  expect(wallet.asked).toEqual(['eth_requestAccounts', 'eth_sendTransaction', 'eth_sendTransaction']);
});

test('a wallet that cannot sign mandates authorises by a transaction, even one it replaced while the page was away', async () => {
  const { sandbox } = await opening;
  const subscriber = await openAsked();
  const wallet = createInjectedWallet({ rpcUrl: sandbox.network.rpcUrl, account: subscriber.account });
  const page = await payers.open(`${sandbox.url()}/checkout/subscription/${subscriber.id}`, {}, [wallet]);
  wallet.refuse('eth_signTypedData_v4', { code: -32601, message: 'Method not found' });
  await press(page, 'Connect wallet');
  await page.locator('#act', { hasText: 'Sign the agreement' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('#announcer', { hasText: 'Next: Agree by a transaction' }).waitFor({ state: 'attached' });
  await hinted(page, 'Your wallet can not sign agreements.');
  expect(await page.evaluate('document.activeElement.id'), 'the focus stays on the button').toBe('act');
  await sandbox.node.rpc('evm_setAutomine', [false]);
  await press(page, 'Agree by a transaction');
  await hinted(page, 'Sent. Waiting for the network');
  await page.evaluate(`(() => {
    const note = JSON.parse(localStorage['kasi ${subscriber.id}']);
    note.pending.hash = '0x${'0'.repeat(64)}';
    localStorage['kasi ${subscriber.id}'] = JSON.stringify(note);
  })()`);
  await page.reload(); // A pending transaction survives the reload, and so does its replacement under another hash.
  await hinted(page, 'Sent. Waiting for the network');
  expect(await page.locator('#step-sign :is(strong, em, p):visible').allTextContents()).toEqual([
    ...['Agree by a transaction', 'in progress…', expect.stringContaining('Your wallet can not sign agreements.')],
  ]);
  await page.route('**/checkout/subscription/*', (route) => route.fulfill({ status: 500 }));
  await sandbox.node.rpc('evm_setAutomine', [true]);
  await sandbox.node.rpc('evm_mine');
  await hinted(page, 'The network has it.');
  await page.locator('#act[aria-disabled=true]', { hasText: 'One moment…' }).waitFor();
  await page.unroute('**/checkout/subscription/*');
  await waitForHeading(page, 'You have agreed');
  expect(await subscriber.read()).toMatchObject({ mandateStatus: 'active' });
});

test('a payer with too little balance and allowance sees what is missing, and is charged once it is there', async () => {
  const { sandbox, poor: subscriber } = await opening;
  await subscriber.reaches('past_due');
  const wallet = createInjectedWallet({ rpcUrl: sandbox.network.rpcUrl, account: subscriber.account });
  const page = await payers.open(`${sandbox.url()}/checkout/subscription/${subscriber.id}`, PHONE, [wallet]);
  await waitForHeading(page, 'Your wallet holds too little USDT');
  await press(page, 'See what is missing');
  await hinted(page, 'Your wallet holds 0.00 USDT: 25.00 USDT is missing.');
  await subscriber.refill(25_000_000n);
  await waitForHeading(page, 'Your wallet allows too little USDT');
  await press(page, 'Set the old allowance to zero');
  await press(page, 'Allow 326.00 USDT');
  await waitForHeading(page, 'You have agreed');
  await subscriber.charged(1, 'succeeded');
});
