import { setTimeout as sleep } from 'node:timers/promises';
import { signTestWebhook, type WebhookEvent } from '../../clients/typescript/src/index.ts';
import type { Cast } from './merchant.ts';

export type OrderStatus = 'open' | 'paid' | 'refunded';

/** A shop as its customers and its owner see it. */
export type Shop = {
  /** Where Kasi sends webhooks to. */
  readonly hooks: string;
  /** Orders something; where the shop sends the customer to. */
  readonly buy: () => Promise<string>;
  /** Presses the button on the page of an order; where the shop sends the customer to. */
  readonly payAgain: (orderId: string) => Promise<string>;
  /** What the page of an order says, to whoever comes back from `sessionId`. */
  readonly look: (orderId: string, sessionId: string) => Promise<OrderStatus>;
  /** Gives the money of an order back; what the shop says to its owner. Null where it can't. */
  readonly refund: ((orderId: string) => Promise<string>) | null;
};

const WITHIN_MS = 30_000;
const CERTIFIED_WITHIN_MS = 90_000;

/**
 * The story that every shop of a recipe goes through: an order is paid, and nothing but a genuine webhook makes it so.
 * Throws an Error that names what was not as it should be.
 */
export async function playStory(shop: Shop, cast: Cast): Promise<void> {
  const { merchant } = cast;
  const checkoutUrl = await shop.buy();
  const sessionId = /\/checkout\/session\/(cs_\w+)$/.exec(checkoutUrl)?.[1];
  if (!sessionId) throw new Error(`The shop sends its customer to ${checkoutUrl}, which is no checkout.`);
  const { paymentId } = await merchant.checkout.sessions.get(sessionId);
  const payment = await merchant.payments.get(paymentId);
  const orderId = String(payment.metadata['orderId']);
  const look = (): Promise<OrderStatus> => shop.look(orderId, sessionId);

  same('Before anybody pays the order is', await look(), 'open');
  same('Who presses twice is sent to', await shop.payAgain(orderId), checkoutUrl);
  await refuses(shop, { ...payment, status: 'paid' });
  same('After forged webhooks the order is', await look(), 'open');

  await merchant.sandbox.payments.pay(paymentId);
  await until('the order is paid', async () => (await look()) === 'paid');
  await certify(cast);
  same('After strange webhooks the order is', await look(), 'paid');

  if (shop.refund) {
    await giveBack(cast, await shop.refund(orderId));
    await until('the money went back', async () => (await look()) === 'refunded');
  }
  await sendAgain(cast);
  same('After the same event again the order is', await look(), shop.refund ? 'refunded' : 'paid');
}

/** Sends the shop what is not genuine: without a signature, and with that of somebody else. */
async function refuses({ hooks }: Shop, data: object): Promise<void> {
  const event = { id: 'evt_forged', type: 'payment.completed', sequence: 9, data } as unknown as WebhookEvent;
  const { body, headers } = signTestWebhook(event);
  for (const forged of [{}, headers]) {
    const init = { method: 'POST', body, headers: { 'content-type': 'application/json', ...forged } };
    same('A forged webhook is answered with', (await fetch(hooks, init)).status, 400);
  }
}

/** Lets the service try the shop's endpoint with what it will meet one day. */
async function certify({ merchant }: Cast): Promise<void> {
  const { id } = await merchant.webhooks.certify();
  const read = () => merchant.webhooks.certifications.get(id);
  await until('the certification ends', async () => (await read()).status !== 'running', CERTIFIED_WITHIN_MS);
  const { status, verdict, checks } = await read();
  const advice = checks.flatMap(({ title, observed, advice }) => (advice ? [`${title}: ${observed} ${advice}`] : []));
  same(`The certification (${advice.join(' ')}) ends with`, [status, verdict], ['completed', 'passed']);
}

/** The payer takes the link that the shop told its owner, and gets the money. */
async function giveBack({ merchant, payer, admin }: Cast, said: string): Promise<void> {
  const [, token] = /\/checkout\/refund\/([\w-]+)/.exec(said) ?? [];
  if (!token) throw new Error(`The shop's refund said no link:\n${said}`);
  const { address } = await payer.sandbox.wallets.create();
  await payer.public.refunds.claim(token, { destinationAddress: address });
  const { refunds } = await merchant.refunds.list();
  const id = refunds[0]?.id ?? '';
  const { txHash } = await merchant.sandbox.refunds.pay(id);
  await admin.refunds.complete(id, { txHash });
}

/** The service delivers the event of the payment again, as after a broken connection. */
async function sendAgain({ merchant }: Cast): Promise<void> {
  const { deliveries } = await merchant.webhooks.deliveries.list({ limit: 100 });
  const first = deliveries.find(({ event }) => event === 'payment.completed');
  if (!first) throw new Error('The service knows no delivery of payment.completed.');
  const again = await merchant.webhooks.deliveries.redeliver(first.id);
  const read = () => merchant.webhooks.deliveries.get(again.id);
  await until('the event is delivered again', async () => (await read()).status === 'success');
}

async function until(what: string, isSo: () => Promise<boolean>, withinMs = WITHIN_MS): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`It did not happen in time that ${what}.`);
    await sleep(100);
  }
}

function same(what: string, found: unknown, wanted: unknown): void {
  const [here, there] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (here !== there) throw new Error(`${what} ${here}, and should be ${there}.`);
}
