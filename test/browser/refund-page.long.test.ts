import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { deriveAccounts, MNEMONIC } from '../../src/chains/evm/dev-accounts.ts';
import { serviceTest } from '../fixture.ts';
import type { TestService } from '../harness.ts';
import { createInjectedWallet } from '../support/injected-wallet.ts';
import { DESK, PHONE, usePayers, violations, waitForFocus, waitForHeading } from '../support/payers.ts';
import { claimed, DESTINATION, offered, PAYER, refund, secretOf } from '../support/refunds.ts';
import { newHash } from '../support/withdrawals.ts';

const test = serviceTest({ settings: { verifyPayoutOnChain: false } });
const payers = usePayers();

const addressOf = ({ url }: TestService, made: { readonly claimUrl: string | null }): string =>
  `${url}/checkout/refund/${secretOf(made)}`;

async function claim(page: Page, address: string, again = address): Promise<void> {
  await page.getByLabel('Your address').fill(address);
  await page.getByLabel('The same address again').fill(again);
  await page.getByRole('button').click();
}

test.for([true, false])('a payer says where the money goes (script: %s)', async (javaScriptEnabled, { service }) => {
  const merchant = await service.activeMerchant();
  const made = await refund(service, merchant);
  const page = await payers.open(addressOf(service, made), { ...PHONE, javaScriptEnabled });
  await waitForHeading(page, 'gives you money back');
  expect(await page.getByText('You get 5.00 USDT on devnet.').isVisible()).toBe(true);

  await claim(page, DESTINATION, `${DESTINATION.slice(0, -1)}e`);
  await page.getByText('This is another address than above.').waitFor();
  await waitForFocus(page);
  expect(await page.getByLabel('Your address').inputValue()).toBe(DESTINATION);
  const { cryptoAddress } = await merchant.client.payments.get(made.paymentId);
  await claim(page, cryptoAddress);
  await page.getByText('belongs to the platform or to nobody').waitFor();
  await waitForFocus(page);
  expect(await merchant.client.refunds.get(made.id)).toMatchObject({ status: 'awaiting_claim' });

  await claim(page, DESTINATION);
  await waitForHeading(page, 'waits to be paid');
  expect(await page.getByText(DESTINATION).isVisible()).toBe(true);
  expect(await merchant.client.refunds.get(made.id)).toMatchObject({ destinationAddress: DESTINATION });
});

test('what is being paid can not be turned round, also by a page that was open', async ({ service, admin }) => {
  const merchant = await service.activeMerchant();
  const made = await claimed(service, merchant);
  const page = await payers.open(addressOf(service, made));
  await waitForHeading(page, 'waits to be paid');
  await admin.client.refunds.process(made.id, {});
  await claim(page, '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359');
  await waitForHeading(page, 'Your refund is being paid');
  expect(await page.getByRole('button').count()).toBe(0);
  expect(await merchant.client.refunds.get(made.id)).toMatchObject({ destinationAddress: DESTINATION });
});

test('the wallet that paid signs, after it refused and after it had chosen another account', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const made = await refund(service, merchant);
  const wallet = createInjectedWallet({ rpcUrl: '', account: deriveAccounts(MNEMONIC)(8), name: 'Fox' });
  const page = await payers.open(addressOf(service, made), PHONE, [wallet]);
  const button = page.getByRole('button', { name: 'Sign with Fox' });
  await button.click();
  await page.getByRole('alert').getByText('Choose that account in your wallet').waitFor();
  await wallet.use(PAYER);
  wallet.refuse('personal_sign', { code: 4001, message: 'User rejected the request.' });
  await button.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('You declined that in your wallet.').waitFor();
  expect(await merchant.client.refunds.get(made.id)).toMatchObject({ status: 'awaiting_claim' });
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.viewport.width);
  if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/proof-phone.png`, fullPage: true });

  // No page comes, and the browser shows this one as it was.
  const lost = Promise.withResolvers<void>();
  await page.route('**/checkout/refund/*', (route) => route.fulfill({ status: 204 }).then(lost.resolve), { times: 1 });
  await page.keyboard.press('Enter');
  await expect.poll(() => wallet.asked.filter((method) => method === 'personal_sign')).toHaveLength(2);
  expect(await button.getAttribute('aria-disabled')).toBe('true');
  await lost.promise; // A form that is sent before that takes the place of this one, and would be lost instead.
  await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
  await page.keyboard.press('Enter');
  await waitForHeading(page, 'waits to be paid');
  expect(await page.getByText('which has signed for it').isVisible()).toBe(true);
  expect(await page.getByText(PAYER.address).isVisible()).toBe(true);
  expect(await page.getByRole('button').count()).toBe(0);
  expect(await merchant.client.refunds.get(made.id)).toMatchObject({ destinationAddress: PAYER.address });
  expect(wallet.asked).toContain('personal_sign');
});

test('without a wallet in the browser nothing asks for a signature', async ({ service }) => {
  const made = await refund(service, await service.activeMerchant());
  for (const javaScriptEnabled of [true, false]) {
    const page = await payers.open(addressOf(service, made), { ...DESK, javaScriptEnabled });
    await waitForHeading(page, 'gives you money back');
    expect(await page.getByText('Back to the wallet that paid?').isVisible()).toBe(false);
    await payers.leave();
  }
});

test.for([true, false])(
  "a payment's page offers what came too much (script: %s)",
  async (javaScriptEnabled, { service }) => {
    const merchant = await service.activeMerchant();
    const id = await offered(service, merchant);
    const page = await payers.open(`${service.url}/checkout/payment/${id}`, { ...PHONE, javaScriptEnabled });
    await waitForHeading(page, 'Payment complete');
    expect(
      await page.getByText('USD 2.00 of it can come back to you at once, as 2.00 USDT on devnet.').isVisible(),
    ).toBe(true);
    if (javaScriptEnabled) expect(await violations(page)).toEqual([]);
    if (process.env['SHOTS'])
      await page.screenshot({ path: `${process.env['SHOTS']}/offer-phone.png`, fullPage: true });
    await page.getByRole('button', { name: 'Get USD 2.00 back' }).click();
    await waitForHeading(page, 'gives you money back');
    await claim(page, DESTINATION);
    await waitForHeading(page, 'waits to be paid');
    await page.goto(`${service.url}/checkout/payment/${id}`);
    await waitForHeading(page, 'Payment complete');
    expect(await page.getByRole('button', { name: 'Get USD 2.00 back' }).count()).toBe(0);
  },
);

test('every state fits a phone and a desktop, and axe finds nothing, in light and dark', async ({ service, admin }) => {
  const merchant = await service.activeMerchant();
  const waiting = await refund(service, merchant);
  const pending = await claimed(service, merchant);
  const completed = await claimed(service, merchant);
  await admin.client.refunds.complete(completed.id, { txHash: newHash() });
  const failed = await claimed(service, merchant);
  await admin.client.refunds.fail(failed.id, { reason: 'It came back.' });
  const cancelled = await refund(service, merchant);
  await merchant.client.refunds.cancel(cancelled.id);
  const shots = process.env['SHOTS'];
  for (const [name, made] of Object.entries({ waiting, pending, completed, failed, cancelled })) {
    for (const [size, look] of Object.entries({ phone: PHONE, desk: DESK })) {
      for (const colorScheme of ['light', 'dark'] as const) {
        const page = await payers.open(addressOf(service, made), { ...look, colorScheme });
        await page.locator('#status').waitFor();
        const width = (await page.evaluate('document.documentElement.scrollWidth')) as number;
        expect([name, size, width <= look.viewport.width]).toEqual([name, size, true]);
        expect([name, size, await violations(page)]).toEqual([name, size, []]);
        if (shots) await page.screenshot({ path: `${shots}/${name}-${size}-${colorScheme}.png`, fullPage: true });
        await payers.leave();
      }
    }
  }
});

test('a wrong link shows that there is no such refund, and tells no other page its address', async ({ service }) => {
  const page = await payers.open(`${service.url}/checkout/refund/${'A'.repeat(43)}`);
  await waitForHeading(page, 'There is no such refund');
  const made = await refund(service, await service.activeMerchant());
  const { headers } = await fetch(addressOf(service, made));
  expect(headers.get('referrer-policy')).toBe('no-referrer');
});
