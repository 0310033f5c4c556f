import { afterEach, beforeEach, expect, test } from 'vitest';
import { type PageServer, startPageServer } from '../support/page-server.ts';
import { PHONE, usePayers, violations } from '../support/payers.ts';

let server: PageServer;

beforeEach(async () => {
  server = await startPageServer();
});
afterEach(() => server.close());
const payers = usePayers();

test('a payer chooses an amount, and is told what it can be, without JavaScript too', async () => {
  const page = await payers.open(`${server.url}/checkout/pay/donation`, { ...PHONE, javaScriptEnabled: false });
  const field = page.getByLabel('Amount');
  const submit = page.getByRole('button', { name: 'Continue to payment' });
  expect([await field.inputValue(), await page.title()]).toEqual(['25.00', 'Tea for the school · Ceylon Tea House']);
  await page.getByRole('heading', { name: 'Tea for the school', level: 1 }).waitFor();
  const shots = process.env['SHOTS'];
  if (shots) await page.screenshot({ path: `${shots}/link-amount.png`, fullPage: true });
  for (const wrong of ['all of it', '1e3', '-5', '0', '12.345']) {
    await field.fill(wrong);
    // Of the page that comes: the one before says the same. It focuses its field, and typing has to wait for that.
    const loaded = page.waitForEvent('load');
    await submit.click();
    await loaded;
    await page.locator('input:focus').waitFor();
    await page.getByText('Enter an amount from USD 5.00 to USD 500.00, for example 25.00.').waitFor();
    expect(await field.inputValue()).toBe(wrong);
  }
  expect(await field.getAttribute('aria-describedby')).toBe('amount-help amount-about amount-error');
  if (shots) await page.screenshot({ path: `${shots}/link-amount-wrong.png`, fullPage: true });
  expect(server.calls).toEqual([]);
  await field.fill('12,50');
  await submit.click();
  await page.waitForURL('**/checkout/payment/**');
  expect(server.calls).toMatchObject([{ name: 'startLinkPayment', input: { slug: 'donation', amount: 12.5 } }]);
});

test('the field has no fault that axe finds', async () => {
  const page = await payers.open(`${server.url}/checkout/pay/donation`);
  expect(await violations(page)).toEqual([]);
  await page.getByLabel('Amount').fill('much');
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await page.getByText('Enter an amount').waitFor();
  expect(await violations(page)).toEqual([]);
});
