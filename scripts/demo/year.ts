import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Client, createClient, type WebhookEvent } from '../../clients/typescript/src/index.ts';
import { openShop, type Shop } from '../lib/shop.ts';
import { until } from '../lib/wait.ts';
import { cents, fiat, openAccount, same, tellWhatWasHeard } from './parts.ts';
import type { Place } from './stage.ts';
import type { Telling } from './telling.ts';

/** The people of the story. */
type Cast = {
  readonly tell: Telling;
  readonly merchant: Client;
  readonly shop: Shop;
  readonly subscriptionId: string;
  /** The customer's. */
  readonly wallet: string;
  /** Prints new events and the merchant's balance after them. */
  readonly tellNews: () => Promise<void>;
};

const DAY_SECONDS = 86_400;
const PRICE = 25;
/** The number of charges before the month with an empty wallet. */
const BEFORE = 6;
const HEARD_WITHIN_MS = 15_000;
const POLL_MS = 20;

/**
 * Tells a year of a subscription against the service at `baseUrl`. Throws an Error that names what was not as expected.
 */
export async function tellYear({ baseUrl, dataDir }: Place, tell: Telling): Promise<void> {
  let merchantId = '';
  const shop = await openShop(() => ({ baseUrl, merchantId }));
  try {
    const merchant = createClient({ baseUrl });
    merchantId = await openAccount(merchant, shop, tell);
    const cast = await subscribe(merchant, shop, tell);
    const begun = new Date((await merchant.sandbox.clock.get()).now);
    await paysEveryMonth(cast);
    await hasNothingLeft(cast);
    await isFilledAgain(cast);
    await restOfTheYear(cast, begun);
    await lookBack(cast);
    if (dataDir !== undefined) await checkTheBooks(dataDir, tell);
  } finally {
    await shop.close();
  }
}

async function subscribe(merchant: Client, shop: Shop, tell: Telling): Promise<Cast> {
  tell.step('It offers a subscription');
  const plan = await merchant.plans.create({ name: 'Tea club', amount: PRICE, currency: 'USD', interval: 'monthly' });
  tell.say(`"${plan.name}" costs ${fiat(plan)} a month, paid in ${plan.token} on ${plan.network}.`);

  tell.step('A customer subscribes and agrees with their wallet');
  const nimal = { customerName: 'Nimal Perera', customerEmail: 'nimal@example.org' };
  const { subscription, wallet } = await merchant.sandbox.plans.subscribe(plan.id, nimal);
  const { terms } = await merchant.public.subscriptions.get(subscription.id);
  tell.say(`Their page is ${subscription.authorizeUrl}`);
  tell.say(
    `It told them what they sign: at most ${terms.mostPerCharge} ${plan.token} for every ${terms.windowDays} days, to this tea house's platform and nobody else, until ${dateOf(terms.until)} or until they revoke it.`,
  );
  const cast: Cast = {
    ...{ tell, merchant, shop, subscriptionId: subscription.id, wallet: wallet.address },
    tellNews: createNews(merchant, shop, tell),
  };
  await untilHeard(cast, 'subscription.activated', 1);
  tell.say('The first month is charged at once:');
  await cast.tellNews();
  return cast;
}

async function paysEveryMonth(cast: Cast): Promise<void> {
  const { tell, merchant, subscriptionId } = cast;
  tell.step('The months go by, each in a call of the sandbox clock');
  for (let paid = 1; paid < BEFORE; paid += 1) {
    const { currentPeriodEnd } = await merchant.subscriptions.get(subscriptionId);
    await goTo(merchant, new Date(currentPeriodEnd));
    await untilHeard(cast, 'subscription.renewed', paid);
    await cast.tellNews();
  }
}

async function hasNothingLeft(cast: Cast): Promise<void> {
  const { tell, merchant, subscriptionId, wallet } = cast;
  tell.step('A month in which the wallet is empty');
  const { balance, token } = await merchant.sandbox.wallets.update(wallet, { balance: '3' });
  tell.say(`The customer has ${balance} ${token} left.`);
  const { currentPeriodEnd } = await merchant.subscriptions.get(subscriptionId);
  await goTo(merchant, new Date(currentPeriodEnd));
  await untilHeard(cast, 'subscription.past_due', 1);
  await cast.tellNews();
  const late = await merchant.subscriptions.get(subscriptionId);
  same('it failed because of', late.failureCode, 'insufficient_balance');
  tell.say(
    `It is ${late.status}: ${late.failureCode}. It is tried again, the first time at ${timeOf(late.nextRetryAt ?? '')}.`,
  );
  await goTo(merchant, new Date(Date.parse(currentPeriodEnd) + 2 * DAY_SECONDS * 1000));
  await untilHeard(cast, 'subscription.charge_failed', 4);
  await cast.tellNews();
}

async function isFilledAgain(cast: Cast): Promise<void> {
  const { tell, merchant, wallet, subscriptionId } = cast;
  tell.step('The customer fills the wallet');
  await merchant.sandbox.wallets.update(wallet, { balance: '10000' });
  tell.say('The service sees it on the chain and does not wait for the next try:');
  await untilHeard(cast, 'subscription.renewed', BEFORE);
  await cast.tellNews();
  same('the subscription is', (await merchant.subscriptions.get(subscriptionId)).status, 'active');
}

async function restOfTheYear(cast: Cast, begun: Date): Promise<void> {
  const { tell, merchant, subscriptionId } = cast;
  tell.step('The rest of the year in one go, and then they leave');
  const end = new Date(begun);
  end.setUTCFullYear(end.getUTCFullYear() + 1, end.getUTCMonth(), end.getUTCDate() - 1);
  await goTo(merchant, end);
  await untilHeard(cast, 'subscription.renewed', 11);
  await cast.tellNews();
  const { currentPeriodEnd } = await merchant.subscriptions.cancel(subscriptionId);
  await goTo(merchant, new Date(currentPeriodEnd));
  await untilHeard(cast, 'subscription.expired', 1);
  await cast.tellNews();
}

async function lookBack({ tell, merchant, shop, subscriptionId }: Cast): Promise<void> {
  tell.step('Every charge, as the merchant reads it');
  const charges = (await merchant.subscriptions.charges.list(subscriptionId, { limit: 100 })).data.toReversed();
  tell.table(
    charges.map(({ number, periodStart, status, attempts }) => {
      const tries = attempts.length === 1 ? 'at the first try' : `after ${attempts.length} tries`;
      return [`${number}`.padStart(2), `${dateOf(periodStart)}  ${fiat({ amount: PRICE })}  ${status} ${tries}`];
    }),
  );
  same(
    'the charges are numbered and paid',
    charges.map(({ number, status }) => `${number} ${status}`),
    charges.map((_, index) => `${index + 1} succeeded`),
  );
  const { availableBalance } = await merchant.settlements.balance();
  same('the balance is', cents(availableBalance), charges.length * cents(PRICE));
  tell.say(`${charges.length} charges make ${fiat({ amount: availableBalance })}, which is what the tea house has.`);
  tellWhatWasHeard(shop, tell);
}

async function checkTheBooks(dataDir: string, tell: Telling): Promise<void> {
  tell.step('npx kasi reconcile');
  const script = fileURLToPath(new URL('../reconcile.ts', import.meta.url));
  const env = { ...process.env, KASI_DATA_DIR: dataDir };
  const { stdout } = await promisify(execFile)(process.execPath, [script], { env });
  tell.say(stdout.trim());
}

/** Repeats the call, because one call moves the clock for some seconds only. */
async function goTo(merchant: Client, time: Date): Promise<void> {
  const to = new Date(time.getTime() + 1000).toISOString();
  while ((await merchant.sandbox.clock.advance({ to })).now < to);
}

/** Waits until that many events of a type have reached the shop. */
async function untilHeard({ shop }: Cast, type: WebhookEvent['type'], count: number): Promise<void> {
  const heard = (): number => shop.events.filter((event) => event.type === type).length;
  await until(`the shop hears ${type} ${count} times`, HEARD_WITHIN_MS, () => heard() >= count, POLL_MS);
}

/** Prints the events since the last call, and the balance after them. */
function createNews(merchant: Client, shop: Shop, tell: Telling): () => Promise<void> {
  let told = 0;
  return async () => {
    const news = shop.events.slice(told).filter(({ type }) => type.startsWith('subscription.'));
    told = shop.events.length;
    const rows = news.map((event) => [dateOf(event.timestamp), sayingOf(event)] as const);
    const { availableBalance } = await merchant.settlements.balance();
    tell.table([...rows, ['', `balance: ${fiat({ amount: availableBalance })}`]]);
  };
}

function sayingOf({ type, data }: WebhookEvent): string {
  if (type === 'subscription.charge_failed' && 'failureCode' in data) return `${type}: ${data.failureCode}`;
  return type;
}

const dateOf = (iso: string): string => iso.slice(0, 10);
const timeOf = (iso: string): string => `${dateOf(iso)} ${iso.slice(11, 16)} UTC`;
