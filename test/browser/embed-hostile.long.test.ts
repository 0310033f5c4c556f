import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type ShopPage, startShopPage } from '../support/shop-page.ts';
import { type EmbedStage, frameOf, heard, hears, openEmbedStage, pageIn, shoot, waitIn } from './embed-stage.ts';

let stage: EmbedStage;
/** A website that the merchant has not listed: its origin differs from the shop's by nothing but the port. */
let stranger: ShopPage;
beforeAll(async () => {
  stage = await openEmbedStage();
  stranger = await startShopPage(stage.url);
});
afterAll(async () => {
  await stranger.close();
  await stage.close();
});
afterEach(async () => {
  expect(await stage.leave(), 'no console messages, no third-party requests').toEqual([]);
});

const REFUSED = 'chrome-error://chromewebdata/';
/** What browsers say of a frame that its page refuses; anything else is a fault. */
const takeRefusals = (): string[] => {
  const all = stage.payers.takeComplaints().filter((each) => !each.startsWith(stage.url));
  expect(all.filter((each) => !/frame-ancestors|chrome-error/.test(each))).toEqual([]);
  return all.filter((each) => each.includes('frame-ancestors'));
};

/** The page that a website of this origin gets when it frames an address. */
async function frameOn(site: ShopPage, origin: string, path: string, attributes = ''): Promise<string> {
  site.show(`<iframe src="${stage.url}${path}" ${attributes}></iframe>`);
  const page = await stage.payers.open(origin);
  await page.waitForTimeout(500);
  return pageIn(page).url();
}

test('a stranger may frame nothing, whatever it says about itself', async () => {
  const { sessionId, paymentId } = await stage.newSession();
  const paths = [
    `session/${sessionId}`,
    `payment/${paymentId}`,
    'pay/demo',
    `session/${sessionId}?embed=${stage.shop.origin}`,
  ];
  for (const path of paths) {
    expect(await frameOn(stranger, stranger.origin, `/checkout/${path}`)).toBe(REFUSED);
  }
  expect(takeRefusals().length).toBeGreaterThanOrEqual(paths.length);
  // A sandboxed frame has no origin that could be listed; one around it would be the shop's.
  const inside = await frameOn(stage.shop, stage.shop.origin, `/checkout/session/${sessionId}`);
  expect(inside).toBe(`${stage.url}/checkout/session/${sessionId}`);
});

test('even a shop that is listed frames no receipt and no refund', async () => {
  const { paymentId } = await stage.newSession();
  await stage.merchant.sandbox.payments.pay(paymentId);
  for (const path of [`receipt/${paymentId}`, `refund/${'x'.repeat(43)}`, 'subscription/sub_unknown']) {
    expect(await frameOn(stage.shop, stage.shop.origin, `/checkout/${path}`)).toBe(REFUSED);
  }
  takeRefusals();
});

test('on the page of a stranger, the element leads to a window instead', async () => {
  const { sessionId } = await stage.newSession();
  stranger.show(
    `<script src="${stage.url}/checkout/embed.js"></script><kasi-checkout session="${sessionId}"><button>Pay</button></kasi-checkout>`,
  );
  const page = await stage.payers.open(stranger.origin);
  await page.getByRole('button', { name: 'Pay' }).click();
  const way = page.getByRole('link', { name: 'Open in a window' });
  await way.waitFor();
  expect(await way.getAttribute('href')).toBe(`${stage.url}/checkout/session/${sessionId}`);
  await shoot(page, 'refused');
  await page.getByRole('button', { name: 'Close' }).click();
  expect(takeRefusals()).toHaveLength(1);
});

test('what is unknown or over says so in the frame, with the way to a window', async () => {
  for (const [attributes, words] of [
    ['session="cs_unknown"', 'payment'],
    ['link="no-such-link"', 'link'],
    ['payment="../../v1"', 'payment'],
  ] as const) {
    const page = await stage.openShop(attributes);
    await page.getByRole('link', { name: 'Pay' }).click();
    await waitIn(page, `There is no such ${words}`);
    await page.getByRole('link', { name: 'Open in a window' }).waitFor();
    expect(await frameOf(page).getByText('Ask').first().isVisible()).toBe(true);
    await shoot(page, `error-${words}`);
    expect(await heard(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await hears(page, 'kasi-closed');
  }
});

/** Opens the shop's checkout, and waits until the frame has spoken. */
async function openPaying(): Promise<Page> {
  const { sessionId } = await stage.newSession();
  const page = await stage.openShop(`session="${sessionId}"`);
  await page.getByRole('link', { name: 'Pay' }).click();
  await waitIn(page, 'Awaiting payment');
  await hears(page, 'kasi-ready');
  return page;
}

const LIE = "{ kasi: 'paid', paymentId: 'pay_stolen', sessionId: 'cs_stolen', status: 'paid' }";

test('the element believes nobody but its frame', async () => {
  const page = await openPaying();
  // The shop's own window, and windows of strangers that pretend: right origin, wrong window, and the other way round.
  await page.evaluate(`postMessage(${LIE}, '*')`);
  await page.evaluate(`{
    const { contentWindow } = document.querySelector('kasi-checkout').shadowRoot.querySelector('iframe');
    const lie = (origin, source) => dispatchEvent(new MessageEvent('message', { data: ${LIE}, origin, source }));
    lie(${JSON.stringify(stage.url)}, window);
    lie(${JSON.stringify(stage.url)}, null);
    for (const origin of [${JSON.stringify(stranger.origin)}, 'null', '', '${stage.url}.evil.example', '${stage.url}/'])
      lie(origin, contentWindow);
  }`);
  // A stranger who has opened the shop's page in a window of theirs.
  stranger.show('');
  const thief = await page.context().newPage();
  await thief.goto(stranger.origin);
  const [victim] = await Promise.all([
    page.context().waitForEvent('page'),
    thief.evaluate(`window.shop = open(${JSON.stringify(stage.shop.origin)}); 0`),
  ]);
  await victim.evaluate("customElements.whenDefined('kasi-checkout')");
  await victim.evaluate("window.lies = []; addEventListener('kasi-paid', (event) => lies.push(event.detail))");
  await victim.getByRole('link', { name: 'Pay' }).click();
  await waitIn(victim, 'Awaiting payment');
  await thief.evaluate(`shop.postMessage(${LIE}, '*')`);
  await victim.waitForTimeout(300);
  expect(await victim.evaluate('lies')).toEqual([]);
  expect((await heard(page)).map(({ type }) => type)).toEqual(['kasi-ready']);
});

test('a message of the right frame with wrong content does no harm', async () => {
  const page = await openPaying();
  const say = (data: string): Promise<unknown> =>
    pageIn(page).evaluate(`parent.postMessage(${data}, ${JSON.stringify(stage.shop.origin)})`);
  for (const data of [
    'null',
    '0',
    '"paid"',
    '[]',
    '{}',
    '{ kasi: {} }',
    '{ kasi: "unknown" }',
    '{ kasi: "toString" }',
  ]) {
    await say(data);
  }
  await say("{ kasi: 'return', url: 'javascript:alert(document.domain)' }");
  await say("{ kasi: 'return', url: { toString: () => 1 } + '' }");
  for (const height of ['-5', '"1px; position: fixed"', '{}', 'NaN'])
    await say(`{ kasi: 'resize', height: ${height} }`);
  await page.waitForTimeout(300);
  expect((await heard(page)).map(({ type }) => type)).toEqual(['kasi-ready']);
  expect(await page.locator('kasi-checkout dialog').getAttribute('style')).toMatch(/^--height: \d+px;$/);
  await say("{ kasi: 'paid', paymentId: ['x'], sessionId: 5, status: null }");
  await hears(page, 'kasi-paid');
  expect((await heard(page)).at(-1)?.detail).toEqual({ paymentId: null, sessionId: null, status: null });
});

test('nothing that the shop says to the frame has an effect', async () => {
  const page = await openPaying();
  await frameOf(page).getByRole('link', { name: 'Open in a window' }).waitFor();
  const before = await pageIn(page).evaluate('document.body.innerHTML.replace(/\\d+:\\d+:\\d+/g, "")');
  const said = [
    'null',
    '{}',
    LIE,
    "{ kasi: 'close' }",
    "'<img src=x onerror=alert(1)>'",
    'new ArrayBuffer(8)',
    '[[[]]]',
  ];
  for (const data of said) {
    await page.evaluate(
      `document.querySelector('kasi-checkout').shadowRoot.querySelector('iframe').contentWindow.postMessage(${data}, '*')`,
    );
  }
  await page.waitForTimeout(300);
  expect(await pageIn(page).evaluate('document.body.innerHTML.replace(/\\d+:\\d+:\\d+/g, "")')).toBe(before);
  expect((await heard(page)).map(({ type }) => type)).toEqual(['kasi-ready']);
});

test('the page speaks to the origin that it was told of, and to no other that frames it', async () => {
  const { sessionId } = await stage.newSession();
  const frameAs = async (embed: string): Promise<unknown> => {
    stage.shop.show(`<iframe src="${stage.url}/checkout/session/${sessionId}?embed=${embed}"></iframe>`);
    const page = await stage.payers.open(stage.shop.origin);
    await page.evaluate("window.all = []; addEventListener('message', ({ data }) => all.push(data.kasi))");
    await page.reload();
    await page.evaluate("window.all = []; addEventListener('message', ({ data }) => all.push(data.kasi))");
    await page.frameLocator('iframe').locator('#status', { hasText: 'Awaiting payment' }).waitFor();
    await page.waitForTimeout(300);
    await pageIn(page).evaluate("document.body.style.minHeight = '3000px'");
    await page.waitForTimeout(300);
    return page.evaluate('all.includes("resize")');
  };
  expect(await frameAs(stage.shop.origin)).toBe(true);
  expect(await frameAs(stage.shop.sister), 'both are listed, and this is not the one').toBe(false);
  const complaints = stage.payers.takeComplaints().filter((each) => !each.startsWith(stage.url));
  expect(complaints.filter((each) => !each.includes('does not match the recipient window'))).toEqual([]);
});
