import { createAdminClient } from '../../clients/typescript/src/admin.ts';
import { type Client, createClient, type Payment } from '../../clients/typescript/src/index.ts';
import { openShop, type Shop } from '../lib/shop.ts';
import { cents, fiat, openAccount, same, tellWhatWasHeard } from './parts.ts';
import { payTooLittle } from './refund.ts';
import type { Place } from './stage.ts';
import type { Telling } from './telling.ts';
import { payInEveryToken } from './tokens.ts';

/** The people of the story. The payer's client has no credentials: it shows what anyone with the address can see. */
type Cast = {
  readonly tell: Telling;
  readonly merchant: Client;
  readonly merchantId: string;
  readonly payer: Client;
  readonly shop: Shop;
  readonly admin: ReturnType<typeof createAdminClient> | undefined;
};

const SHOP = 'https://shop.example';
const MINUTE_SECONDS = 60;

/** Tells a shop's first day against the service at `baseUrl`. Throws an Error that names what was not as expected. */
export async function tellStory({ baseUrl, administrator }: Place, tell: Telling): Promise<void> {
  let merchantId = '';
  const shop = await openShop(() => ({ baseUrl, merchantId }));
  try {
    const merchant = createClient({ baseUrl });
    merchantId = await openAccount(merchant, shop, tell);
    const admin = administrator && createAdminClient({ baseUrl, ...administrator });
    const cast: Cast = { tell, merchant, merchantId, payer: createClient({ baseUrl }), shop, admin };
    const bought = await payByLink(cast);
    await payBySession(cast);
    await payTooMuch(cast);
    await payTooLittle(cast);
    await payInEveryToken(cast);
    await payNothing(cast);
    await lookBack(cast, bought);
  } finally {
    await shop.close();
  }
}

/** A link, paid in two parts: first too little. */
async function payByLink({ tell, merchant, payer, shop }: Cast): Promise<Payment> {
  tell.step('It shares a payment link');
  const link = await merchant.paymentLinks.create({ title: 'A pound of Ceylon tea', amount: 25, currency: 'USD' });
  tell.say(`"${link.title}" for ${fiat(link)}: ${link.url}`);

  tell.step('A payer opens the link');
  const started = await payer.public.paymentLinks.startPayment(link.slug, { customerEmail: 'nimal@example.org' });
  const { id } = started;
  const watched = watch(payer, id);
  tell.say(`Their page asks for ${started.tokenAmount} ${started.token} and has a QR code for their wallet:`);
  tell.say(started.paymentUri);

  tell.step('They send too little, as people do');
  const first = await merchant.sandbox.payments.pay(id, { amount: '20' });
  const short = await payer.public.payments.get(id);
  same('the payment is', short.status, 'pending');
  same('missing is', short.tokenAmountDue, '5.000000');
  tell.say(`${first.amount} ${first.token} were seen in block ${first.block} of the chain.`);
  tell.say(`The page says what is missing: ${short.tokenAmountDue} ${short.token}, ${fiat(short, short.amountDue)}.`);

  tell.step('They send the rest');
  await merchant.sandbox.payments.pay(id, { confirm: false });
  const { status, confirmations } = await payer.public.payments.get(id);
  tell.say(`Enough has arrived: ${status}, ${confirmations.seen} of ${confirmations.required} blocks confirm it.`);
  // On a shared service, blocks of others may have confirmed it already.
  if (status !== 'paid') await merchant.sandbox.chain.mine({ blocks: 1 });
  const paid = await merchant.payments.get(id);
  same('the payment is', paid.status, 'paid');
  same('its page shows at last', (await watched).at(-1), 'paid');
  tell.say(`One more block, and it is ${paid.status}. The open page showed by itself: ${(await watched).join(', ')}.`);

  tell.step('The shop hears of it');
  const event = await shop.expect('payment.completed', id);
  same('the event says', event.data.status, 'paid');
  tell.say(`${event.type} came as a webhook. verifyWebhook() found its Ed25519 signature good.`);
  const { availableBalance, pendingBalance } = await merchant.settlements.balance();
  same('the available balance is', availableBalance, 25);
  tell.say(
    `The balance: ${fiat({ amount: availableBalance })} available, ${fiat({ amount: pendingBalance })} pending.`,
  );
  return paid;
}

/** A shop's own way: a session in its currency, with its order number. */
async function payBySession({ tell, merchant, shop }: Cast): Promise<void> {
  tell.step('The shop sells by itself, in rupees');
  const { sessionId, checkoutUrl } = await merchant.checkout.sessions.create({
    amount: 4500,
    currency: 'LKR',
    successUrl: `${SHOP}/thanks`,
    cancelUrl: `${SHOP}/cart`,
    metadata: { orderId: 'A-1001', gift: true },
  });
  const { paymentId } = await merchant.checkout.sessions.get(sessionId);
  const { tokenAmount, rate } = await merchant.payments.get(paymentId);
  tell.say(`A checkout session over LKR 4500.00 is ${tokenAmount} USDT at the locked rate of ${Number(rate.value)}:`);
  tell.say(checkoutUrl);
  await merchant.sandbox.payments.pay(paymentId, { token: 'USDC' });
  const event = await shop.expect('checkout.session.completed', sessionId);
  same('the event brings back', event.data.metadata, { orderId: 'A-1001', gift: true });
  tell.say(`Paid at once, in USDC. ${event.type} brings back the order: ${JSON.stringify(event.data.metadata)}.`);
}

async function payTooMuch({ tell, merchant, shop }: Cast): Promise<void> {
  tell.step('Somebody pays too much');
  const { id } = await merchant.payments.create({ amount: 10, currency: 'USD', description: 'Two cups of tea' });
  await merchant.sandbox.payments.pay(id, { amount: '12' });
  const event = await shop.expect('payment.completed', id);
  same('the exception is', event.data.exception, 'overpaid');
  const before = await merchant.settlements.balance();
  tell.say(
    `12 USDT for USD 10.00: paid, and marked "${event.data.exception}". The surplus waits, visible, for a decision.`,
  );
  await merchant.payments.resolve(id, { action: 'accept' });
  const { availableBalance } = await merchant.settlements.balance();
  same('accepted were', cents(availableBalance - before.availableBalance), 200);
  tell.say(`The tea house accepts it: ${fiat({ amount: 2 })} more, ${fiat({ amount: availableBalance })} available.`);
}

async function payNothing({ tell, merchant, shop }: Cast): Promise<void> {
  tell.step('Somebody never pays');
  const asked = await merchant.payments.create({ amount: 7.5, currency: 'USD', expiresInMinutes: 10 });
  tell.say(`${fiat(asked)} is asked until ${timeOf(asked.expiresAt)}. The sandbox clock moves on by eleven minutes …`);
  const { now } = await merchant.sandbox.clock.advance({ seconds: 11 * MINUTE_SECONDS });
  same('the payment is', (await merchant.payments.get(asked.id)).status, 'expired');
  const event = await shop.expect('payment.expired', asked.id);
  tell.say(`It is ${timeOf(now)}: ${event.type}, and nothing to clean up.`);
}

async function lookBack({ tell, merchant, shop }: Cast, bought: Payment): Promise<void> {
  tell.step('The story of the first payment, as the merchant reads it');
  const { data: entries } = await merchant.payments.timeline(bought.id);
  tell.table(entries.map(({ at, text }) => [timeOf(at), text]));

  tellWhatWasHeard(shop, tell);
}

/** What the payer's page shows until the payment is paid. */
async function watch(payer: Client, id: string): Promise<string[]> {
  const seen: string[] = [];
  for await (const { status } of payer.public.payments.events(id)) {
    if (seen.at(-1) !== status) seen.push(status);
    if (status === 'paid') break;
  }
  return seen;
}

const timeOf = (iso: string): string => `${iso.slice(11, 19)} UTC`;
