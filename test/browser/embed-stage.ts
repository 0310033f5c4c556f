import type { BrowserContextOptions, Frame, FrameLocator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { type Client, createClient } from '../../clients/typescript/src/index.ts';
import type { InjectedWallet } from '../support/injected-wallet.ts';
import { startKasi } from '../support/kasi-process.ts';
import { createPayers, DESK, type Payers } from '../support/payers.ts';
import { type ShopPage, startShopPage } from '../support/shop-page.ts';

/** What a shop's page has heard: the type of an event, and its detail. */
type Heard = { readonly type: string; readonly detail: Readonly<Record<string, unknown>> };

type Opening = { readonly origin?: string; readonly wallets?: readonly InjectedWallet[] };

/** A running sandbox, a merchant, and a shop on other origins, which the merchant lists. */
export type EmbedStage = {
  /** Of the service. */
  readonly url: string;
  readonly merchant: Client;
  readonly payers: Payers;
  readonly shop: ShopPage;
  /** Opens the shop's page with an element of these attributes, and a link inside, as the guide has it. */
  readonly openShop: (attributes: string, options?: BrowserContextOptions, opening?: Opening) => Promise<Page>;
  /** Another merchant, who lists nothing. */
  readonly newMerchant: () => Promise<{ readonly client: Client; readonly id: string }>;
  readonly newSession: () => Promise<{ readonly sessionId: string; readonly paymentId: string }>;
  readonly rpcUrl: () => Promise<string>;
  /** Closes every page; returns what browsers complained about. */
  readonly leave: () => Promise<string[]>;
  readonly close: () => Promise<void>;
};

const TYPES = ['ready', 'paid', 'expired', 'return', 'closed'];

export async function openEmbedStage(): Promise<EmbedStage> {
  const [kasi, payers] = await Promise.all([startKasi(), createPayers()]);
  const shop = await startShopPage(kasi.url);
  const merchant = createClient({ baseUrl: kasi.url });
  const { merchant: self } = await merchant.auth.login(kasi.demo);
  await merchant.merchants.update(self.id, { embedOrigins: [shop.origin, shop.sister] });
  return {
    ...{ url: kasi.url, merchant, payers, shop },
    openShop: async (attributes, options = DESK, { origin = shop.origin, wallets = [] } = {}) => {
      shop.show(
        `<script src="${kasi.url}/checkout/embed.js" async></script>` +
          `<kasi-checkout ${attributes}><a href="${kasi.url}/checkout/pay/demo">Pay</a></kasi-checkout>`,
      );
      const page = await payers.open(origin, options, wallets);
      if (options.javaScriptEnabled !== false) await listen(page);
      return page;
    },
    newMerchant: async () => {
      const client = createClient({ baseUrl: kasi.url });
      const { merchant: made } = await client.auth.register({
        ...{ businessName: 'Ceylon Tea House', email: 'owner@teahouse.example', password: 'Str0ng-enough' },
        ...{ phone: '+94771234567', businessType: 'company' },
      });
      return { client, id: made.id };
    },
    newSession: async () => {
      const { sessionId } = await merchant.checkout.sessions.create({
        ...{ amount: 25, currency: 'USD', description: 'Spring tea workshop' },
        ...{ successUrl: `${shop.origin}/thanks`, cancelUrl: `${shop.origin}/cart` },
      });
      const { paymentId } = await merchant.checkout.sessions.get(sessionId);
      return { sessionId, paymentId };
    },
    rpcUrl: async () => (await merchant.sandbox.get()).networks.find(({ chainId }) => chainId !== null)?.rpcUrl ?? '',
    leave: async () => {
      await payers.leave();
      // The frame and the script are of the checkout's origin, which is not that of the page.
      return payers.takeComplaints().filter((each) => !each.startsWith(kasi.url));
    },
    close: async () => {
      await payers.close();
      await shop.close();
      await kasi.stop();
    },
  };
}

/** Notes in the page what it hears. Run by the debugger, so that the shop's policy needs no exception. */
async function listen(page: Page): Promise<void> {
  await page.evaluate(
    `window.heard = []; for (const type of ${JSON.stringify(TYPES)})
       addEventListener('kasi-' + type, ({ type, detail }) => heard.push({ type, detail }))`,
  );
  await page.evaluate("customElements.whenDefined('kasi-checkout')");
}

export const heard = (page: Page): Promise<Heard[]> => page.evaluate('heard') as Promise<Heard[]>;
/** Waits until the page has heard an event of this type. */
export const hears = (page: Page, wanted: string): Promise<void> =>
  expect.poll(async () => (await heard(page)).map(({ type }) => type)).toContain(wanted);
export const frameOf = (page: Page): FrameLocator => page.frameLocator('kasi-checkout iframe');

/** The page in the frame. */
export function pageIn(page: Page): Frame {
  const frame = page.frames()[1];
  if (!frame) throw new Error('there is no frame');
  return frame;
}

/** Waits until the heading of the page in the frame contains `words`. */
export const waitIn = (page: Page, words: string): Promise<void> =>
  frameOf(page).locator('#status', { hasText: words }).waitFor();

/** What has the focus in the dialog: its kind and its name. */
export async function focusIn(page: Page): Promise<string> {
  const active = "document.querySelector('kasi-checkout').shadowRoot.activeElement";
  const [kind, name] = (await page.evaluate(
    `(({ tagName, title, ariaLabel }) => [tagName, title || ariaLabel])(${active})`,
  )) as string[];
  return `${kind} ${name}`;
}

export async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['SHOTS'];
  if (folder) await page.screenshot({ path: `${folder}/embed-${name}.png` });
}
