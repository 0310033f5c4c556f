import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { deriveAccounts, MNEMONIC } from '../../src/chains/evm/dev-accounts.ts';
import { sandboxTest } from '../sandbox-fixture.ts';
import { openWallet } from '../subscriptions/renewal-fixture.ts';
import { createInjectedWallet, type InjectedWallet } from '../support/injected-wallet.ts';
import { startPageServer } from '../support/page-server.ts';
import { DESK, PHONE, usePayers, violations, waitForHeading } from '../support/payers.ts';
import { publicPayment } from '../support/public-payment.ts';
import type { SandboxService, Trader } from '../support/sandbox-service.ts';

const test = sandboxTest()
  /** Somebody with play money in a wallet of a browser, and a payment of 25 dollars. */
  .extend('payer', async ({ sandbox, trader }) => openPayer(sandbox, trader));
const payers = usePayers();

const REJECTED = { code: 4001, message: 'User rejected the request.' };
const ACCOUNTS = deriveAccounts(MNEMONIC);

type Payer = Awaited<ReturnType<typeof openPayer>>;

async function openPayer(sandbox: SandboxService, { client }: Trader) {
  const play = await openWallet(sandbox);
  const { id } = await client.payments.create({ amount: 25, currency: 'USD' });
  return {
    ...play,
    url: `${sandbox.url()}/checkout/payment/${id}`,
    read: () => client.payments.get(id),
    inBrowser: (chainId?: number): InjectedWallet =>
      createInjectedWallet({
        rpcUrl: sandbox.network.rpcUrl,
        account: play.account,
        name: 'Fox',
        ...(chainId === undefined ? {} : { chainId }),
      }),
  };
}

async function holdOnlyUsdc(sandbox: SandboxService, { account }: Pick<Payer, 'account'>): Promise<void> {
  const usdc = sandbox.network.tokens.find(({ symbol }) => symbol === 'USDC')!;
  await sandbox.faucet.transfer({ token: usdc, to: account.address, units: 25_000_000n });
  await sandbox.node.rpc('anvil_setBalance', [account.address, '0x0']);
}

/** No block comes until `work` has ended. */
async function withoutBlocks({ node }: Pick<SandboxService, 'node'>, work: () => Promise<void>): Promise<void> {
  await node.rpc('evm_setAutomine', [false]);
  try {
    await work();
  } finally {
    await node.rpc('evm_setAutomine', [true]);
    await node.rpc('evm_mine');
  }
}

const press = (page: Page, name = 'Pay with Fox'): Promise<void> => page.getByRole('button', { name }).click();
const warned = (page: Page, words: string): Promise<void> => page.getByRole('alert').getByText(words).waitFor();
const hinted = (page: Page, words: string): Promise<void> => page.locator('#hint', { hasText: words }).waitFor();

async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['SHOTS'];
  if (!folder) return;
  // Not `fullPage`: that takes a phone for a desktop meanwhile.
  const width = page.viewportSize()?.width ?? 0;
  await page.setViewportSize({ width, height: 1800 });
  await page.screenshot({ path: `${folder}/pay-wallet-${name}.png` });
}

test('a wallet that is on another network is moved, and pays', async ({ payer }) => {
  const wallet = payer.inBrowser(1);
  const page = await payers.open(payer.url, PHONE, [wallet]);
  await page.getByRole('button', { name: 'Pay with Fox' }).waitFor();
  await shoot(page, 'phone');
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.viewport.width);
  await press(page);
  await waitForHeading(page, 'Payment complete');
  expect(await payer.read()).toMatchObject({ status: 'paid', exception: null, amountReceived: 25 });
  expect(wallet.asked).toEqual([
    ...['eth_requestAccounts', 'wallet_switchEthereumChain', 'wallet_addEthereumChain', 'wallet_switchEthereumChain'],
    'eth_sendTransaction',
  ]);
  expect(await page.evaluate('localStorage.length'), 'nothing is noted any more').toBe(0);
});

test('refusals change nothing and say what to do, by keyboard, and ether is paid as ether', async ({ payer }) => {
  const wallet = payer.inBrowser();
  const page = await payers.open(payer.url, DESK, [wallet]);
  await page.getByRole('button', { name: /^ETH/ }).click();
  await page.locator('#send-amount', { hasText: 'ETH' }).waitFor();
  const button = page.getByRole('button', { name: 'Pay with Fox' });
  await button.focus();
  for (const method of ['eth_requestAccounts', 'eth_sendTransaction']) {
    wallet.refuse(method, REJECTED);
    await page.keyboard.press('Enter');
    await warned(page, 'You declined that in your wallet. Nothing has changed');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Pay with Fox');
  }
  await shoot(page, 'refused-desk');
  expect(await violations(page)).toEqual([]);
  expect(await payer.read()).toMatchObject({ status: 'pending', transactions: [] });
  await page.keyboard.press('Enter');
  await waitForHeading(page, 'Payment complete');
  expect(await payer.read()).toMatchObject({ status: 'paid', transactions: [{ token: 'ETH' }] });
});

test('what a wallet failed at may have been sent all the same, and the page says so', async ({ payer }) => {
  const wallet = payer.inBrowser();
  const page = await payers.open(payer.url, PHONE, [wallet]);
  wallet.refuse('eth_sendTransaction', { code: -32603, message: 'The request timed out.' });
  await press(page);
  await warned(page, 'Your wallet says: “The request timed out.”');
  await hinted(page, 'Your wallet was asked to pay already. Look there before you pay again.');
  await page.reload();
  await hinted(page, 'Your wallet was asked to pay already. Look there before you pay again.');
  wallet.refuse('eth_sendTransaction', REJECTED);
  await press(page);
  await warned(page, 'You declined that in your wallet.');
  expect(await page.locator('#hint').isVisible(), 'what was declined was not sent').toBe(false);
  await press(page);
  await waitForHeading(page, 'Payment complete');
});

test('too little balance and no coin for the fee are said before the wallet asks for a transfer', async ({
  sandbox,
  payer,
}) => {
  const wallet = payer.inBrowser();
  const page = await payers.open(payer.url, PHONE, [wallet]);
  await sandbox.node.rpc('anvil_setBalance', [payer.account.address, '0x0']);
  await press(page);
  await warned(page, "This wallet has no ETH on devnet for the network's fee.");
  await sandbox.node.rpc('anvil_setBalance', [payer.account.address, '0xde0b6b3a7640000']);
  await payer.empty();
  await payer.refill(3_000_000n);
  await press(page);
  await warned(page, 'This wallet holds 3.00 USDT on devnet: 22.00 USDT is missing.');
  await shoot(page, 'missing-phone');
  expect(wallet.asked).toEqual(['eth_requestAccounts', 'eth_requestAccounts']);
  await payer.refill(22_000_000n);
  await press(page);
  await waitForHeading(page, 'Payment complete');
});

test('a wallet with USDC and no coin at all pays by a signature, which it may decline first', async ({
  sandbox,
  payer,
}) => {
  await holdOnlyUsdc(sandbox, payer);
  const wallet = payer.inBrowser();
  const page = await payers.open(payer.url, PHONE, [wallet]);
  await page.getByRole('button', { name: /^USDC/ }).click();
  await page.locator('#send-amount', { hasText: 'USDC' }).waitFor();
  wallet.refuse('eth_signTypedData_v4', REJECTED);
  await press(page);
  await warned(page, 'You declined that in your wallet. Nothing has changed');
  await withoutBlocks(sandbox, async () => {
    await press(page);
    await hinted(page, 'You have signed. We send it for you');
    await page.locator('#sent-hash', { hasText: /^0x[0-9a-f]{64}$/ }).waitFor();
    await shoot(page, 'signed-phone');
    expect(await violations(page)).toEqual([]);
    await page.reload();
    await hinted(page, 'You have signed. We send it for you');
    expect(await page.getByRole('button', { name: 'Pay anew' }).isVisible()).toBe(false);
  });
  await waitForHeading(page, 'Payment complete');
  expect(await payer.read()).toMatchObject({ status: 'paid', exception: null, transactions: [{ token: 'USDC' }] });
  expect(wallet.asked).not.toContain('eth_sendTransaction');
});

test('a transfer on its way survives a reload, is not sent twice, and may come under another hash', async ({
  sandbox,
  payer,
}) => {
  const wallet = payer.inBrowser();
  const page = await payers.open(payer.url, PHONE, [wallet]);
  await withoutBlocks(sandbox, async () => {
    await press(page);
    await hinted(page, 'Your wallet has sent it.');
    expect(await page.locator('#sent-hash').textContent()).toMatch(/^0x[0-9a-f]{64}$/);
    expect(await page.getByRole('button', { name: 'Pay with Fox' }).isVisible()).toBe(false);
    expect(await page.getByText('To the address').isVisible(), 'it does not ask again').toBe(false);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.viewport.width);
    await shoot(page, 'sent-phone');
    expect(await violations(page)).toEqual([]);
    await page.reload();
    await hinted(page, 'Your wallet has sent it.');
    expect(await page.getByRole('button', { name: 'Pay with Fox' }).isVisible()).toBe(false);
    // The wallet has replaced its transaction since.
    await page.evaluate(`(() => {
      const [name] = Object.keys(localStorage);
      const note = JSON.parse(localStorage[name]);
      localStorage[name] = JSON.stringify({ ...note, hash: '0x${'0'.repeat(64)}', since: note.since - 100000 });
    })()`);
    await hinted(page, 'The network has not taken your transfer yet.');
    expect(await page.getByRole('button', { name: 'Pay anew' }).isVisible()).toBe(true);
    await shoot(page, 'late-phone');
  });
  await waitForHeading(page, 'Payment complete');
  expect((await payer.read()).transactions).toHaveLength(1);
  expect(wallet.asked.filter((method) => method === 'eth_sendTransaction')).toHaveLength(1);
});

test('a transfer that the network refuses is said so, and can be tried again', async ({ sandbox, payer }) => {
  const wallet = payer.inBrowser();
  const page = await payers.open(payer.url, PHONE, [wallet]);
  const { rpc } = sandbox.node;
  await rpc('evm_setAutomine', [false]);
  await press(page);
  await hinted(page, 'Your wallet has sent it.');
  // Its money is gone before the block that would have taken the transfer.
  const hash = await page.locator('#sent-hash').textContent();
  const sent = (await rpc('eth_getTransactionByHash', [hash])) as Record<string, string>;
  await rpc('anvil_dropTransaction', [hash]);
  await rpc('evm_setAutomine', [true]);
  await payer.empty();
  const failing = await rpc('eth_sendRawTransaction', [
    await payer.account.signTransaction({
      ...{ to: sent['to'] as `0x${string}`, data: sent['input'] as `0x${string}`, type: 'eip1559', gas: 100_000n },
      ...{ chainId: 31337, maxFeePerGas: 10n ** 11n, nonce: Number(sent['nonce']) + 1 },
    }),
  ]);
  await page.evaluate(`(() => {
    const [name] = Object.keys(localStorage);
    localStorage[name] = JSON.stringify({ ...JSON.parse(localStorage[name]), hash: '${failing}' });
  })()`);
  await warned(page, 'The network refused that transfer');
  expect(await payer.read()).toMatchObject({ status: 'initiated', transactions: [] });
  await payer.refill(25_000_000n);
  await press(page);
  await waitForHeading(page, 'Payment complete');
});

test('a question that a wallet has not answered is remembered, and several wallets are told apart', async ({
  sandbox,
  payer,
}) => {
  const [fox, rabbit] = ['Fox', 'Rabbit'].map((name) =>
    createInjectedWallet({ rpcUrl: sandbox.network.rpcUrl, account: payer.account, name }),
  );
  const page = await payers.open(payer.url, DESK, [fox!, rabbit!]);
  const group = page.getByRole('group', { name: 'Wallets in this browser' });
  await group.getByRole('button').nth(1).waitFor();
  expect(await group.getByRole('button').allTextContents()).toEqual(['Pay with Fox', 'Pay with Rabbit']);
  await shoot(page, 'two-desk');
  await page.evaluate(
    `localStorage['kasi ' + document.getElementById('main').dataset.payment] = JSON.stringify({ wallet: 'x', since: Date.now(), seen: '' })`,
  );
  await page.reload();
  await hinted(page, 'Your wallet was asked to pay already. Look there before you pay again.');
  await press(page, 'Pay with Rabbit');
  await waitForHeading(page, 'Payment complete');
  expect(fox!.asked).toEqual([]);
});

test('a wallet that leaves for another network after the button was pressed pays nothing there', async ({ payer }) => {
  const wallet = payer.inBrowser();
  const page = await payers.open(payer.url, PHONE, [wallet]);
  wallet.during('eth_call', () => wallet.move(1));
  await press(page);
  await warned(page, 'Choose devnet in your wallet, then press the button again.');
  expect(wallet.sentOn, 'nothing was sent').toEqual([]);
  expect(await page.locator('#hint').isVisible(), 'nothing is said to be on its way').toBe(false);
  wallet.during('eth_sendTransaction', () => wallet.move(1));
  await press(page);
  await warned(page, 'The chain id does not match.');
  expect(wallet.sentOn, 'the wallet was told which network is meant').toEqual([]);
  await press(page);
  await waitForHeading(page, 'Payment complete');
  expect(wallet.sentOn).toEqual([31337]);
});

test('a payment that another tab has sent meanwhile is not sent again', async ({ payer }) => {
  const wallet = payer.inBrowser();
  const page = await payers.open(payer.url, PHONE, [wallet]);
  const hash = `0x${'1'.repeat(64)}`;
  const otherTab = `(() => {
    const note = { wallet: 'example.Fox', since: Date.now(), seen: '', hash: '${hash}' };
    localStorage.setItem('kasi ' + document.getElementById('main').dataset.payment, JSON.stringify(note));
  })()`;
  wallet.during('eth_call', () => page.evaluate(otherTab));
  await press(page);
  await hinted(page, 'Your wallet has sent it.');
  expect(await page.locator('#sent-hash').textContent()).toBe(hash);
  expect(wallet.sentOn).toEqual([]);
});

test('an answer to a signature that is lost is looked up: what was taken goes on, what was not is signed again', async ({
  sandbox,
  payer,
}) => {
  await holdOnlyUsdc(sandbox, payer);
  const page = await payers.open(payer.url, PHONE, [payer.inBrowser()]);
  await page.getByRole('button', { name: /^USDC/ }).click();
  await page.locator('#send-amount', { hasText: 'USDC' }).waitFor();
  const unreached = page.getByRole('alert').getByText('We could not be reached, so nothing was sent.');
  await page.route('**/authorizations', (route) => route.abort());
  await press(page);
  await hinted(page, 'You have signed. We send it for you');
  await unreached.waitFor();
  await page.unroute('**/authorizations');
  await page.route('**/authorizations', async (route) => {
    await route.fetch();
    await route.abort();
  });
  // On a busy machine the payment was complete before the page could say that.
  await withoutBlocks(sandbox, async () => {
    await press(page);
    await hinted(page, 'You have signed. We send it for you');
    expect(await unreached.isVisible(), 'it was sent').toBe(false);
  });
  await waitForHeading(page, 'Payment complete');
  expect((await payer.read()).transactions).toHaveLength(1);
  expect(payers.takeComplaints().filter((each) => !each.includes('ERR_FAILED'))).toEqual([]);
});

test('a reader without wallet or script sees no button that does nothing', async ({ payer }) => {
  for (const look of [PHONE, DESK]) {
    for (const javaScriptEnabled of [true, false]) {
      const page = await payers.open(payer.url, { ...look, javaScriptEnabled });
      expect(await page.locator('#pay-wallet').isVisible()).toBe(false);
      expect(await page.locator('#apps').count(), 'phones reach no loopback').toBe(0);
      expect(await page.getByRole('link', { name: 'Open in wallet' }).isVisible()).toBe(look === PHONE);
      await payers.leave();
    }
  }
});

test('a page that phones can reach opens in the apps of wallets', async () => {
  const server = await startPageServer({ publicUrl: 'https://pay.example' });
  try {
    const payment = publicPayment();
    server.payments.set(payment.id, payment);
    for (const javaScriptEnabled of [true, false]) {
      const page = await payers.open(`${server.url}/checkout/payment/${payment.id}`, {
        ...PHONE,
        javaScriptEnabled,
      });
      await page.getByText("Pay in your wallet's app").click();
      const links = page.locator('#apps a');
      expect(await links.allTextContents()).toEqual([
        'MetaMask',
        'Trust Wallet',
        'Coinbase Wallet',
        'Rainbow',
        'OKX Wallet',
      ]);
      const at = `pay.example/checkout/payment/${payment.id}`;
      expect(await links.first().getAttribute('href')).toBe(`https://link.metamask.io/dapp/${at}`);
      expect(await links.last().getAttribute('href')).toContain(
        encodeURIComponent(encodeURIComponent(`https://${at}`)),
      );
      await shoot(page, 'apps-phone');
      if (javaScriptEnabled) expect(await violations(page)).toEqual([]);
      await payers.leave();
    }
    const desk = await payers.open(`${server.url}/checkout/payment/${payment.id}`, DESK);
    expect(await desk.getByText("Pay in your wallet's app").isVisible()).toBe(false);
    const inApp = createInjectedWallet({ rpcUrl: '', account: ACCOUNTS(1), name: 'Fox' });
    const opened = await payers.open(`${server.url}/checkout/payment/${payment.id}`, PHONE, [inApp]);
    await opened.getByRole('button', { name: 'Pay with Fox' }).waitFor();
    expect(await opened.getByText("Pay in your wallet's app").isVisible(), 'it is in the app already').toBe(false);
  } finally {
    await payers.leave();
    await server.close();
  }
});

test('what is declined here does not forget what another tab has sent', async ({ payer }) => {
  const wallet = payer.inBrowser();
  const page = await payers.open(payer.url, PHONE, [wallet]);
  const hash = `0x${'1'.repeat(64)}`;
  // Both tabs have asked the wallet, and its owner agrees to one of the two.
  wallet.during('eth_sendTransaction', async () => {
    await page.evaluate(`localStorage.setItem('kasi ' + document.getElementById('main').dataset.payment,
      JSON.stringify({ wallet: 'example.Fox', since: Date.now(), seen: '', hash: '${hash}' }))`);
    throw Object.assign(new Error(REJECTED.message), REJECTED);
  });
  await press(page);
  await warned(page, 'You declined that in your wallet.');
  await hinted(page, 'Your wallet has sent it.');
  expect(await page.locator('#sent-hash').textContent()).toBe(hash);
  expect(await page.getByRole('button', { name: 'Pay with Fox' }).isVisible(), 'it is not asked for twice').toBe(false);
});

test('of two transfers that two tabs have sent the page shows both', async ({ sandbox, payer }) => {
  const wallet = payer.inBrowser();
  const page = await payers.open(payer.url, PHONE, [wallet]);
  const earlier = `0x${'1'.repeat(64)}`;
  const shown = async () => (await page.locator('#sent-hash').textContent())?.split(' ') ?? [];
  await withoutBlocks(sandbox, async () => {
    wallet.during('eth_sendTransaction', () =>
      page.evaluate(`localStorage.setItem('kasi ' + document.getElementById('main').dataset.payment,
        JSON.stringify({ wallet: 'example.Fox', since: Date.now(), seen: '', hash: '${earlier}' }))`),
    );
    await press(page);
    await expect.poll(shown).toEqual([earlier, expect.stringMatching(/^0x[0-9a-f]{64}$/)]);
    expect(await page.getByRole('button', { name: 'Pay with Fox' }).isVisible()).toBe(false);
    await page.reload();
    await hinted(page, 'Your wallet has sent it.');
    expect(await shown()).toHaveLength(2);
  });
  await waitForHeading(page, 'Payment complete');
});

test('what one tab has signed and what another has sent do not make each other forgotten', async ({
  sandbox,
  payer,
}) => {
  const wallet = payer.inBrowser();
  const page = await payers.open(payer.url, PHONE, [wallet]);
  await sandbox.faucet.transfer({
    ...{ token: sandbox.network.tokens.find(({ symbol }) => symbol === 'USDC')!, units: 25_000_000n },
    to: payer.account.address,
  });
  await page.getByRole('button', { name: /^USDC/ }).click();
  await page.locator('#send-amount', { hasText: 'USDC' }).waitFor();
  const hash = `0x${'1'.repeat(64)}`;
  const signedBy = payer.account.address;
  const note = (what: object) =>
    page.evaluate(`localStorage.setItem('kasi ' + document.getElementById('main').dataset.payment,
      JSON.stringify(${JSON.stringify({ wallet: 'example.Fox', seen: '', ...what })}))`);
  const shown = async () => (await page.locator('#sent-hash').textContent())?.split(' ').filter(Boolean) ?? [];
  const isAsked = () => page.getByRole('button', { name: 'Pay with Fox' }).isVisible();

  await note({ since: Date.now(), signedBy, others: [hash] });
  await expect.poll(shown).toEqual([hash]);
  expect(await page.locator('#sent').isVisible()).toBe(true);
  // The service never had it, and says so after a while.
  await note({ since: Date.now() - 13_000, signedBy, others: [hash] });
  await warned(page, 'We could not be reached');
  expect([await shown(), await isAsked()]).toEqual([[hash], false]);

  await page.evaluate('localStorage.clear()');
  await page.reload();
  await withoutBlocks(sandbox, async () => {
    wallet.during('eth_sendTransaction', () => note({ since: Date.now(), signedBy }));
    await press(page);
    await expect.poll(shown).toEqual([expect.stringMatching(/^0x[0-9a-f]{64}$/)]);
    await hinted(page, 'You have signed. We send it for you');
  });
  await waitForHeading(page, 'Payment complete');
});
