import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { bitcoinArrived, choosing, coinOption, coinPayment, OTHER_TXID, TXID } from '../support/coin-payment.ts';
import { type PageServer, startPageServer } from '../support/page-server.ts';
import { isMarked, mark, type Payers, PHONE, usePayers, violations, waitForHeading } from '../support/payers.ts';
import { arrived, NOW, OF_SESSION, publicPayment } from '../support/public-payment.ts';

const PAYMENT = publicPayment();
const PAYMENT_PAGE = `/checkout/payment/${PAYMENT.id}`;
const LINK_PAGE = '/checkout/pay/spring-workshop';

let server: PageServer;

beforeEach(async () => {
  server = await startPageServer();
});
afterEach(async () => {
  await server.close();
  expect(server.errors).toEqual([]);
});
const payers = usePayers();

const open: Payers['open'] = (path, options) => payers.open(server.url + path, options);

test('one page follows a payment from opening it to the return to the shop, without reloading', async () => {
  server.put(publicPayment(OF_SESSION));
  const page = await open(`/checkout/session/${OF_SESSION.sessionId}`);
  expect(await page.title()).toBe('Pay · LKR 4,500.00 to Ceylon Tea House');
  await mark(page);
  const code = await page.locator('.code img').first().getAttribute('src');

  server.put(publicPayment({ ...OF_SESSION, ...arrived(10), status: 'pending' }));
  await waitForHeading(page, '5.00 USDT still missing');
  expect(await page.locator('.code img').first().getAttribute('src'), 'the code asks for the rest').not.toBe(code);
  expect(await page.locator('#send-amount').textContent()).toBe('5.00 USDT');

  server.put(publicPayment({ ...OF_SESSION, ...arrived(15, 1), status: 'confirming' }));
  await waitForHeading(page, 'Payment received, confirming');
  expect(await page.locator('.ring').getAttribute('aria-label')).toBe('1 of 2 confirmations');
  expect(await page.title()).toBe('Confirming 1 of 2 · LKR 4,500.00 to Ceylon Tea House');

  server.put(publicPayment({ ...OF_SESSION, ...arrived(15, 2), status: 'paid' }));
  await waitForHeading(page, 'Payment complete');
  expect(await page.locator('#announcer').textContent()).toContain('Payment complete Thank you.');
  expect(await isMarked(page)).toBe(true);

  const target = `https://shop.example/thanks?order=7&note=a%20b&session_id=${OF_SESSION.sessionId}`;
  expect(await page.locator('#return').getAttribute('href')).toBe(target);
  await page.locator('#return').click();
  await page.waitForURL(target);
  expect(
    server.requests.filter((line) => line.endsWith('/events')),
    'one stream was enough',
  ).toHaveLength(1);
});

test('the page of a paid session stays until its payer leaves, and leads to the receipt', async () => {
  server.put(publicPayment({ ...OF_SESSION, ...arrived(15, 2), status: 'paid' }));
  const page = await open(PAYMENT_PAGE);
  await page.clock.install({ time: NOW });
  await page.clock.pauseAt(NOW.getTime() + 1000);
  await page.reload();
  await page.getByRole('link', { name: 'Back to Ceylon Tea House' }).waitFor();
  await page.clock.runFor(60_000);
  expect(page.url()).toBe(server.url + PAYMENT_PAGE);
  await page.getByRole('link', { name: 'Your receipt' }).click();
  await page.getByRole('heading', { name: 'Receipt LKR 4,500.00' }).waitFor();
});

test('a receipt prints on one page, black on white and without buttons', async () => {
  server.put(publicPayment({ ...arrived(15, 2), status: 'paid' }));
  const page = await open(PAYMENT_PAGE.replace('/payment/', '/receipt/'), { ...PHONE, colorScheme: 'dark' });
  await page.getByRole('button', { name: 'Print or save as PDF' }).waitFor();
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  expect(await page.getByRole('button').count()).toBe(0);
  expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
  expect(await page.evaluate("getComputedStyle(document.querySelector('.paid-sum')).color")).toBe('rgb(0, 0, 0)');
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
});

test("the stream's first message repeats what the page shows, and nothing is fetched twice", async () => {
  server.put(publicPayment({ ...arrived(10), status: 'pending' }));
  const page = await open(PAYMENT_PAGE);
  await page.waitForTimeout(500);
  expect(server.requests.filter((line) => line === `GET ${PAYMENT_PAGE}`)).toHaveLength(1);
});

test('without the stream the page polls, and says so when the service does not respond', async () => {
  server.put(PAYMENT);
  server.setStreaming(false);
  const page = await open(PAYMENT_PAGE);
  server.put(publicPayment({ ...arrived(10), status: 'pending' }));
  await waitForHeading(page, '5.00 USDT still missing');
  server.failure = new Error('no database');
  await page.getByText('Connection lost').waitFor();
  await waitForHeading(page, 'still missing'); // The last known state stays.
  server.failure = null;
  server.put(publicPayment({ ...arrived(15, 1), status: 'confirming' }));
  await waitForHeading(page, 'Payment received');
  expect(await page.locator('#offline').isVisible()).toBe(false);
  expect(server.errors.splice(0).length, 'the fault was reported').toBeGreaterThan(0);
});

test('a broken stream is reopened', async () => {
  server.put(PAYMENT);
  const page = await open(PAYMENT_PAGE);
  const streams = (): number => server.requests.filter((line) => line.endsWith('/events')).length;
  await expect.poll(streams).toBe(1);
  server.setStreaming(false);
  server.setStreaming(true);
  await expect.poll(streams).toBe(2);
  server.put(publicPayment({ ...arrived(15, 1), status: 'confirming' }));
  await waitForHeading(page, 'Payment received');
});

test('a device that corrects its clock meanwhile shows the time that is left, not more and not less', async () => {
  const payment = publicPayment({ expiresAt: new Date(NOW.getTime() + 3_600_000).toISOString() });
  server.put(payment);
  const page = await payers.open(`${server.url}/checkout/brand/none.css`, PHONE);
  await page.addInitScript(`{
    const real = Date.now.bind(Date);
    window.ahead = 10_800_000;
    Date.now = () => real() + window.ahead;
  }`);
  await page.goto(`${server.url}/checkout/payment/${payment.id}`);
  const clock = page.getByRole('timer');
  await vi.waitFor(async () => expect(await clock.textContent()).toMatch(/^(1:00:00|59:\d\d)$/), 60_000);
  for (const ahead of [0, 1_200_000]) {
    await page.evaluate(`window.ahead = ${ahead}`);
    await vi.waitFor(async () => expect(await clock.textContent()).not.toMatch(/^(1:00:00|59:\d\d)$/), 60_000);
    await vi.waitFor(async () => expect(await clock.textContent()).toMatch(/^(1:00:00|59:\d\d)$/), 60_000);
  }
});

test('the clock counts down by itself, and at zero the page says that time is up', async () => {
  server.put(publicPayment({ expiresAt: new Date(NOW.getTime() + 62_000).toISOString() }));
  const page = await open('/checkout/pay/gone');
  const elsewhere = Date.parse('2031-01-01T00:00:00Z'); // The clock of the payer's device is years off.
  await page.clock.install({ time: elsewhere });
  await page.clock.pauseAt(elsewhere + 1000);
  await page.goto(server.url + PAYMENT_PAGE);
  const clock = page.getByRole('timer');
  expect(await clock.textContent()).toBe('1:02');
  await page.clock.runFor(2250);
  expect(await clock.textContent()).toBe('1:00');
  expect(await page.locator('#announcer').textContent()).toBe('1 minute left');
  server.setNow(new Date(NOW.getTime() + 62_000));
  await page.clock.runFor(60_000);
  await waitForHeading(page, 'Time is up');
});

test('a renewed amount is announced once, says what becomes of the old one, and an unchanged one is not announced', async () => {
  const quoted = (amount: string, holdsMs: number, change = {}) =>
    coinPayment(change, coinOption('BTC', 'bitcoin', amount, { holdsMs }));
  server.put(quoted('0.00025000', 62_000));
  const page = await open('/checkout/pay/gone', PHONE);
  await page.clock.install({ time: NOW });
  await page.clock.pauseAt(NOW.getTime() + 1000);
  await page.goto(server.url + PAYMENT_PAGE);
  await mark(page);
  const announced = page.locator('#announcer');
  const holds = page.locator('#holds');
  expect(await holds.locator('span:visible').textContent()).toBe('This amount holds for 1:02, then it is renewed.');
  await page.clock.runFor(2250);
  expect(await announced.textContent()).toBe('In 1 minute the amount is renewed');
  // What the page may fetch meanwhile is as late as its clock.
  server.setNow(new Date(NOW.getTime() + 63_250));
  await page.clock.runFor(60_000);
  expect(await holds.locator('span:visible').textContent()).toBe('A new amount is on its way.');
  server.setNow(NOW);
  expect(await page.locator('#renewed').isVisible()).toBe(false);

  server.put(quoted('0.00025000', 900_000));
  await holds.getByText('This amount holds for 15:00').waitFor();
  expect(await announced.textContent(), 'the price has not moved').toBe('In 1 minute the amount is renewed');

  server.put(quoted('0.00026001', 1_800_000));
  const news =
    'The amount was renewed: it is 0.00026001 BTC now, and was 0.00025 BTC. If you have already sent that, it counts and you need do nothing.';
  await page.locator('#renewed', { hasText: news }).waitFor();
  expect(await announced.textContent()).toBe(news);
  expect(await page.locator('#wallet').getAttribute('href')).toContain('?amount=0.00026001');

  const gone = { hash: TXID, network: 'bitcoin', by: OTHER_TXID, undone: false, at: NOW.toISOString() };
  server.put(quoted('0.00026001', 1_800_000, { replaced: [gone] }));
  await page.locator('#replaced', { hasText: 'which does not pay this' }).waitFor();
  expect(await announced.textContent()).toContain('was replaced by another one');
  expect(await page.locator('#renewed').isVisible(), 'what was said stays').toBe(true);

  server.put(coinPayment({ ...choosing(coinOption('ETH', 'base', '0.00500001')), replaced: [gone] }));
  await page.locator('#send-amount', { hasText: 'ETH' }).waitFor();
  expect(await announced.textContent()).toBe('Send exactly 0.00500001 ETH');
  expect(await page.locator('#renewed').isVisible(), 'another token is no renewal').toBe(false);
  expect(await isMarked(page)).toBe(true);
});

test('a payer chooses Bitcoin, waits while it has no price, pays from a pool, and sees each block', async () => {
  server.put(coinPayment(choosing(coinOption('ETH', 'base', '0.00500001'))));
  const page = await open(PAYMENT_PAGE, PHONE);
  await page.getByRole('button', { name: 'BTC' }).click();
  await page.locator('#send-amount', { hasText: '0.00025 BTC' }).waitFor();
  expect(await page.locator('#announcer').textContent()).toBe('Send exactly 0.00025 BTC');
  expect(await page.getByRole('group', { name: 'Network' }).count(), 'there is one').toBe(0);

  server.put(coinPayment({}, coinOption('BTC', 'bitcoin', '0.00025000', { unavailable: true })));
  await waitForHeading(page, 'BTC has no price at the moment');
  expect(await page.getByRole('button', { name: 'BTC no price now' }).isDisabled()).toBe(true);
  expect(await page.locator('#send-address').count()).toBe(0);
  server.put(coinPayment({}, coinOption('BTC', 'bitcoin', '0.00030000')));
  await page.locator('#renewed', { hasText: 'it is 0.0003 BTC now, and was 0.00025 BTC' }).waitFor();

  server.put(coinPayment(bitcoinArrived()));
  await waitForHeading(page, 'Payment seen, waiting for a block');
  expect(await page.locator('#telling').textContent()).toContain('about 20 minutes');
  server.put(coinPayment(bitcoinArrived({ block: 7, confirmations: 1 })));
  await waitForHeading(page, 'Payment received, confirming');
  expect(await page.locator('#announcer').textContent()).toContain('1 of 2 confirmations on Bitcoin.');
});

test("address and amount can be copied, even without the browser's clipboard API", async () => {
  server.put(PAYMENT);
  const modern = await open(PAYMENT_PAGE, { permissions: ['clipboard-read', 'clipboard-write'] });
  const older = await open(PAYMENT_PAGE);
  await older.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
  await older.evaluate("addEventListener('copy', () => { window.copied = document.activeElement.value; })");
  const clipboards = [
    { page: modern, read: 'navigator.clipboard.readText()' },
    { page: older, read: 'window.copied' },
  ];
  for (const { page, read } of clipboards) {
    await page.getByRole('button', { name: 'Copy address' }).click();
    await page.locator('#announcer', { hasText: 'Address copied' }).waitFor({ state: 'attached' });
    expect(await page.evaluate(read)).toBe(PAYMENT.cryptoAddress);
    await page.getByRole('button', { name: 'Copy amount' }).click();
    await page.locator('#announcer', { hasText: 'Amount copied' }).waitFor({ state: 'attached' });
    expect(await page.evaluate(read)).toBe('15.00');
    expect(await page.locator('#copy-amount').getAttribute('class')).toContain('copied');
  }
});

test('the page works by keyboard: from the link to another token, the copy button and the way back', async () => {
  const page = await open(LINK_PAGE);
  const press = async (key: string, id: string): Promise<void> => {
    for (let count = 0; count < 20; count += 1) {
      if ((await page.evaluate('document.activeElement.id')) === id) break;
      await page.keyboard.press('Tab');
    }
    expect(await page.evaluate('document.activeElement.id')).toBe(id);
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle'), 'the focus can be seen').toBe(
      'solid',
    );
    await page.keyboard.press(key);
  };
  await press('Enter', 'continue');
  await page.waitForURL(`**${PAYMENT_PAGE}`);
  server.put(publicPayment(OF_SESSION));
  await page.reload();
  await press('Space', 'token-USDC');
  await page.locator('#send-amount', { hasText: 'USDC' }).waitFor();
  expect(server.calls.at(-1)).toMatchObject({ name: 'selectOption', input: { token: 'USDC', network: 'devnet' } });
  expect(await page.evaluate('document.activeElement.id'), 'the focus stays where it was').toBe('token-USDC');
  expect(await page.locator('#token-USDC').getAttribute('aria-pressed')).toBe('true');
  await press('Enter', 'copy-address');
  await press('Enter', 'cancel');
  await page.waitForURL(`https://shop.example/cart?session_id=${OF_SESSION.sessionId}`);
});

test('when the focused element disappears, focus moves to the news', async () => {
  server.put(PAYMENT);
  const page = await open(PAYMENT_PAGE);
  await page.locator('#copy-address').focus();
  server.put(publicPayment({ ...arrived(15, 1), status: 'confirming' }));
  await waitForHeading(page, 'Payment received');
  expect(await page.evaluate('document.activeElement.id')).toBe('status');
});

test('everything essential works without JavaScript', async () => {
  const page = await open(LINK_PAGE, { ...PHONE, javaScriptEnabled: false });
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await page.waitForURL(`**${PAYMENT_PAGE}`);
  expect(await page.locator('#send-address').textContent()).toBe(PAYMENT.cryptoAddress);
  expect(await page.locator('#copy-address').isVisible(), 'no button that does nothing').toBe(false);
  await page.getByRole('button', { name: 'USDC' }).click();
  await page.locator('#send-amount', { hasText: 'USDC' }).waitFor();
  expect(page.url()).toBe(`${server.url}${PAYMENT_PAGE}`);
  server.put(coinPayment());
  await page.reload();
  await page.getByText('This amount holds for 12:40, then it is renewed.').waitFor();
  expect(await page.locator('.over').isVisible()).toBe(false);
  await page.getByText('What you have already sent counts as it was shown to you.').waitFor();
  server.put(publicPayment({ ...OF_SESSION, ...arrived(15, 2), status: 'paid' }));
  await page.getByRole('link', { name: 'Back to Ceylon Tea House' }).click(); // Polls after 10 s.
  await page.waitForURL('https://shop.example/thanks**');
});

test('an invalid e-mail address is asked for again, with an error on the field', async () => {
  const page = await open(LINK_PAGE);
  await page.evaluate("document.querySelector('form').noValidate = true");
  await page.getByLabel('E-mail').fill('nimal');
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await page.getByText('This does not look like an e-mail address').waitFor();
  const field = page.getByLabel('E-mail');
  expect(await field.inputValue()).toBe('nimal');
  expect(await field.getAttribute('aria-describedby')).toBe('email-help email-error');
  expect(await violations(page)).toEqual([]);
  await field.fill('nimal@example.org');
  await page.getByRole('button', { name: 'Continue to payment' }).dblclick();
  await page.waitForURL(`**${PAYMENT_PAGE}**`);
  expect(server.calls, 'a double click starts one payment').toMatchObject([
    { input: { customerEmail: 'nimal@example.org' } },
  ]);
});

test('the sandbox says that it is one, and its button pays without leaving the page', async () => {
  const sandbox = await startPageServer({ livemode: false });
  try {
    sandbox.put(publicPayment({ livemode: false }));
    const page = await payers.open(sandbox.url + PAYMENT_PAGE, PHONE);
    await page.getByText('No real money moves here').waitFor();
    expect(await violations(page)).toEqual([]);
    await mark(page);
    await page.getByRole('button', { name: 'Pay with sandbox wallet' }).click();
    await waitForHeading(page, 'Payment received');
    expect(await isMarked(page)).toBe(true);
    expect(sandbox.calls).toMatchObject([{ name: 'sandboxPay', input: { paymentId: PAYMENT.id } }]);
    expect(sandbox.errors).toEqual([]);
    await page.context().close();
  } finally {
    await sandbox.close();
  }
});
