import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, createClient } from '../../clients/typescript/src/index.ts';
import { type KasiProcess, startKasi } from '../support/kasi-process.ts';
import { DESK, PHONE, usePayers, violations, waitForFocus, waitForHeading } from '../support/payers.ts';

const WORKSHOP = {
  title: 'Spring tea workshop',
  amount: 25,
  maxPayments: 2,
  customFields: [
    { key: 'size', label: 'Size of your apron', kind: 'choice' as const, options: ['Small', 'Large'], required: true },
    { key: 'seats', label: 'How many of you come', kind: 'number' as const, minimum: 1, maximum: 6, required: true },
    { key: 'note', label: 'What you can not eat', kind: 'text' as const, maxLength: 20 },
  ],
  thankYou: 'See you on Saturday at 3 pm.\nBring <b>an apron</b>.',
  thankYouUrl: 'https://shop.example/workshop',
};

let kasi: KasiProcess;
let merchant: Client;
const payers = usePayers();

beforeAll(async () => {
  kasi = await startKasi();
  merchant = createClient({ baseUrl: kasi.url, ...kasi.demo });
});
afterAll(() => kasi.stop());

/** Pictures for people, in light and dark. */
async function picture(page: Page, name: string): Promise<void> {
  const shots = process.env['SHOTS'];
  if (!shots) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: `${shots}/sells-${name}-${colorScheme}.png`, fullPage: true });
  }
}

const submit = (page: Page): Promise<void> => page.getByRole('button', { name: 'Continue to payment' }).click();

test('a payer without scripts is told what is wrong beside each field, and nothing that they wrote is lost', async () => {
  const { url } = await merchant.paymentLinks.create({ ...WORKSHOP, maxPayments: null });
  const page = await payers.open(url, { ...PHONE, javaScriptEnabled: false });
  expect(await page.locator('.tokens').textContent()).toBe('about LKR 7,500.00');
  expect(await page.locator('.rate').textContent()).toMatch(
    /^1 USD = LKR 300\.00 \(fixed\), \d+ \w+ \d{4}, \d\d:\d\d UTC$/,
  );
  const [size, seats, note] = [
    page.getByLabel('Size of your apron'),
    page.getByLabel('How many of you come'),
    page.getByLabel('What you can not eat (optional)'),
  ];
  const asked = page.getByRole('group', { name: 'Kasi Demo Store asks' });
  expect(await asked.getByText('Never type recovery words, private keys or passwords here.').isVisible()).toBe(true);
  expect(await asked.getByRole('textbox').or(asked.getByRole('combobox')).count(), 'only its questions').toBe(3);
  await picture(page, 'form');
  await submit(page);
  await page.getByText('Please choose one of these.').waitFor();
  await waitForFocus(page);
  await page.getByText('Please fill this in.').waitFor();
  expect([await size.getAttribute('aria-invalid'), await note.getAttribute('aria-invalid')]).toEqual(['true', null]);
  expect(await seats.getAttribute('aria-describedby')).toBe('field-seats-help field-seats-error');
  expect(await page.locator('[autofocus]').getAttribute('id')).toBe('field-size');
  await size.selectOption('Large');
  await seats.fill('seven');
  await note.fill('nuts "and" <seeds>');
  await page.getByLabel('E-mail').fill('nimal');
  await submit(page);
  await page.getByText('Write a whole number from 1 to 6.').waitFor();
  await waitForFocus(page);
  await page.getByText('This does not look like an e-mail address.').waitFor();
  await picture(page, 'errors');
  const kept = await Promise.all([size, seats, note].map((field) => field.inputValue()));
  expect(kept).toEqual(['Large', 'seven', 'nuts "and" <seeds>']);
  await seats.fill('2');
  await page.getByLabel('E-mail').fill('nimal@example.org');
  await submit(page);
  await page.waitForURL('**/checkout/payment/**');
  const [id = ''] = /pay_[0-9a-z]+/.exec(page.url()) ?? [];
  expect(await merchant.payments.get(id)).toMatchObject({
    customFields: [
      { key: 'size', label: 'Size of your apron', answer: 'Large' },
      { key: 'seats', label: 'How many of you come', answer: 2 },
      { key: 'note', label: 'What you can not eat', answer: 'nuts "and" <seeds>' },
    ],
    metadata: {},
  });
});

test('the last place is taken, the next payer is told so, and who paid is thanked', async () => {
  const { url, id } = await merchant.paymentLinks.create({ ...WORKSHOP, customFields: [], maxPayments: 1 });
  const still = { reducedMotion: 'reduce' } as const;
  const first = await payers.open(url, { ...PHONE, ...still });
  const second = await payers.open(url, { ...DESK, ...still });
  await first.getByText('Only 1 left').waitFor();
  await submit(first);
  await waitForHeading(first, 'Awaiting payment');
  await submit(second);
  await second.getByRole('heading', { name: 'Nothing is left' }).waitFor();
  await second.getByText('One of the payments is still open.').waitFor();
  expect(await second.getByRole('button', { name: 'Continue to payment' }).count()).toBe(0);
  expect(await violations(second)).toEqual([]);
  await picture(second, 'sold-out-desk');

  await first.getByRole('button', { name: 'Pay with sandbox wallet' }).click();
  await waitForHeading(first, 'Payment complete');
  const thanks = first.locator('#thanks');
  expect(await thanks.getByRole('heading').textContent()).toBe('A word from Kasi Demo Store');
  expect(await thanks.locator('p').first().textContent()).toBe('See you on Saturday at 3 pm.\nBring <b>an apron</b>.');
  expect(await first.locator('#go-on').getAttribute('href')).toBe('https://shop.example/workshop');
  expect(await violations(first)).toEqual([]);
  await picture(first, 'thanks');
  await first.locator('#receipt').click();
  await first.getByText('See you on Saturday at 3 pm.').waitFor();
  expect(await violations(first)).toEqual([]);
  await picture(first, 'receipt');

  await second.getByRole('link', { name: 'Look again' }).click();
  await second.getByText('There was only one, and it is taken.').waitFor();
  expect(await second.getByRole('link', { name: 'Look again' }).count()).toBe(0);
  expect(await merchant.paymentLinks.get(id)).toMatchObject({ paymentCount: 1, maxPayments: 1 });
});

test('a chosen amount is shown in rupees while it is written', async () => {
  const { url } = await merchant.paymentLinks.create({ title: 'Tea', amount: 25, payerAmount: { min: 5, max: 5000 } });
  const page = await payers.open(url, PHONE);
  const about = page.locator('#about');
  expect(await about.textContent()).toBe('about LKR 7,500.00');
  const said = [];
  for (const written of ['12,5', '1234.56', 'much', '']) {
    await page.getByLabel('Amount').fill(written);
    said.push(await about.textContent());
  }
  expect(said).toEqual(['about LKR 3,750.00', 'about LKR 370,368.00', '', '']);
  await page.getByLabel('Amount').fill('12,5');
  await picture(page, 'chosen');
  expect(await violations(page)).toEqual([]);
});
