import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { PERMIT2 } from '../../src/chains/evm/permit2-deployment.ts';
import { sandboxTest } from '../sandbox-fixture.ts';
import { createInjectedWallet } from '../support/injected-wallet.ts';
import { DESK, PHONE, usePayers, violations, waitForHeading } from '../support/payers.ts';
import { openPayer, type Payer } from '../support/permit2.ts';
import type { SandboxService } from '../support/sandbox-service.ts';

/** A network whose USDC knows signed allowances only, as bridged ones do. */
const test = sandboxTest({
  network: (network) => ({
    ...network,
    tokens: network.tokens.map(({ authorization: _, ...token }) => token),
  }),
})
  .extend('usdt', async ({ sandbox, trader }) => openPayer(sandbox, trader, { token: 'USDT' }))
  .extend('usdc', async ({ sandbox, trader }) => openPayer(sandbox, trader, { token: 'USDC' }));
const payers = usePayers();

const REJECTED = { code: 4001, message: 'User rejected the request.' };

const warned = (page: Page, words: string): Promise<void> => page.getByRole('alert').getByText(words).waitFor();
const press = (page: Page): Promise<void> => page.getByRole('button', { name: 'Pay with Fox' }).click();

async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['SHOTS'];
  if (folder) await page.screenshot({ path: `${folder}/pay-permit2-${name}.png`, fullPage: false });
}

/** The payment's page in a browser with that wallet. */
async function open(
  sandbox: SandboxService,
  { account, payment, token }: Payer,
  screen: BrowserContextOptions = PHONE,
) {
  const wallet = createInjectedWallet({ rpcUrl: sandbox.network.rpcUrl, account, name: 'Fox' });
  const page = await payers.open(`${sandbox.url()}/checkout/payment/${payment.id}`, screen, [wallet]);
  if (token === 'USDC') await page.getByRole('button', { name: /^USDC/ }).click();
  await page.locator('#send-amount', { hasText: token }).waitFor();
  return { page, wallet };
}

/** Notes every word that the page says beside the buttons. */
const listen = (page: Page) =>
  page.evaluate(`(() => {
    window.said = [];
    new MutationObserver(() => {
      const words = document.getElementById('hint')?.textContent;
      if (words && !window.said.includes(words)) window.said.push(words);
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  })()`);

test('USDT and no coin: a wallet that approved Permit2 before signs once, and has paid', async ({ sandbox, usdt }) => {
  await usdt.approve();
  const { page, wallet } = await open(sandbox, usdt);
  wallet.refuse('eth_signTypedData_v4', REJECTED);
  await press(page);
  await warned(page, 'You declined that in your wallet. Nothing has changed');
  await press(page);
  await waitForHeading(page, 'Payment complete');
  expect(await usdt.seen()).toMatchObject({ status: 'paid', exception: null, transactions: [{ token: 'USDT' }] });
  expect(wallet.asked).toEqual([
    'eth_requestAccounts',
    'eth_signTypedData_v4',
    'eth_requestAccounts',
    'eth_signTypedData_v4',
  ]);
});

test('USDT and no coin: a wallet that approved nothing is told what is possible, and is asked for nothing', async ({
  sandbox,
  usdt,
}) => {
  const { page, wallet } = await open(sandbox, usdt);
  await press(page);
  await warned(page, 'USDT moves only from wallets that gave Permit2 permission before');
  await warned(page, 'giving it costs a fee, once');
  await shoot(page, 'approve-phone');
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.viewport.width);
  expect(wallet.asked).toEqual(['eth_requestAccounts']);
  await usdt.isUntouched();
});

test('a wallet that never approved anything signs twice, in plain words, and may decline the second', async ({
  sandbox,
  usdc,
}) => {
  const { page, wallet } = await open(sandbox, usdc, DESK);
  await listen(page);
  wallet.refuse('eth_signTypedData_v4', REJECTED, 1);
  await press(page);
  await warned(page, 'You declined that in your wallet. Nothing has changed');
  expect(wallet.asked.filter((method) => method === 'eth_signTypedData_v4')).toHaveLength(2);
  expect(await page.evaluate('window.said')).toEqual([
    'Look into Fox.',
    'Look into Fox. It asks for two signatures, which cost nothing. The first lets the contract Permit2 move just this amount.',
    'Look into Fox once more. The second signature sends this amount to this payment, and nowhere else.',
  ]);
  await shoot(page, 'declined-desk');
  expect(await violations(page)).toEqual([]);
  await usdc.isUntouched();
  expect(await usdc.read(), 'nothing was handed in').toMatchObject({ status: 'to_sign', permit: { nonce: '0' } });
  await press(page);
  await waitForHeading(page, 'Payment complete');
  expect(await usdc.seen()).toMatchObject({ status: 'paid', exception: null, transactions: [{ token: 'USDC' }] });
  expect(wallet.asked).not.toContain('eth_sendTransaction');
});

test('the page asks for no signature that moves anything else than it shows', async ({ sandbox, usdc }) => {
  const { page, wallet } = await open(sandbox, usdc);
  type Terms = { typedData: { message: Record<string, unknown> }; permit: { typedData: { message: object } } };
  const changes: ((terms: Terms) => void)[] = [
    ({ typedData: { message } }) => Object.assign(message['witness'] as object, { to: PERMIT2 }),
    ({ typedData: { message } }) => Object.assign(message['permitted'] as object, { amount: '25000001' }),
    ({ typedData: { message } }) => Object.assign(message, { spender: usdc.account.address }),
    ({ permit }) => Object.assign(permit.typedData.message, { spender: usdc.account.address }),
    ({ permit }) => Object.assign(permit.typedData.message, { value: '25000001' }),
  ];
  for (const change of changes) {
    await page.route('**/authorizations?**', async (route) => {
      const response = await route.fetch();
      const terms = (await response.json()) as Terms;
      change(terms);
      await route.fulfill({ response, json: terms });
    });
    await press(page);
    await warned(page, 'What this page asks for has changed meanwhile.');
    await page.unroute('**/authorizations?**');
  }
  expect(wallet.asked).not.toContain('eth_signTypedData_v4');
});
