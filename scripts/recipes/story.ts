import { signTestWebhook, type WebhookEvent } from '../../clients/typescript/src/index.ts';
import { until } from '../lib/wait.ts';
import type { Cast } from './merchant.ts';

export type OrderStatus = 'open' | 'paid' | 'held' | 'refunding' | 'partly refunded' | 'refunded';

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
  /** Gives the money of an order back, all that is left of it; what the shop says to its owner. Null where it can't. */
  readonly refund: ((orderId: string) => Promise<string>) | null;
  /** What the shop has logged so far. */
  readonly logged: () => string;
};

/** What the merchant gives back of each order first; every shop sells for 25 dollars. */
const PART_BACK = 10;
const WITHIN_MS = 30_000;
const CERTIFIED_WITHIN_MS = 90_000;
/** As many as the sandbox waits for. */
const REORG_BLOCKS = 2;

/**
 * The story that every shop of a recipe goes through: an order is paid, and nothing but a genuine webhook makes it so.
 * Throws an Error that names what was not as it should be.
 */
export async function playStory(shop: Shop, cast: Cast): Promise<void> {
  const { merchant } = cast;
  const { checkoutUrl, sessionId, payment, orderId } = await order(shop, cast);
  const paymentId = payment.id;
  const look = (): Promise<OrderStatus> => shop.look(orderId, sessionId);

  same('Before anybody pays the order is', await look(), 'open');
  same('Who presses twice is sent to', await shop.payAgain(orderId), checkoutUrl);
  await refuses(shop, { ...payment, status: 'paid' });
  same('After forged webhooks the order is', await look(), 'open');

  await merchant.sandbox.payments.pay(paymentId);
  await until('the order is paid', WITHIN_MS, async () => (await look()) === 'paid');
  await certify(cast);
  same('After strange webhooks the order is', await look(), 'paid');
  await until('the shop logs a payment that fits no order', WITHIN_MS, async () =>
    /Payment \w+ fits no/.test(shop.logged()),
  );

  if (shop.refund) {
    const part = { amount: PART_BACK, reason: 'One box was broken.' };
    await giveBack(cast, String((await merchant.refunds.create(paymentId, part)).claimUrl));
    await until('a part of the money went back', WITHIN_MS, async () => (await look()) === 'partly refunded');
    await giveBack(cast, await shop.refund(orderId));
    await until('the money went back', WITHIN_MS, async () => (await look()) === 'refunded');
  }
  await sendAgain(cast);
  same('After the same event again the order is', await look(), shop.refund ? 'refunded' : 'paid');
  await comeBackLate(shop, cast);
  await refundFirst(shop, cast);
}

/**
 * What follows the story in every shop: the chain takes back what was paid, and has it again. It does so to all that
 * was paid at that time, so no other shop may be open on the same service.
 */
export async function playReorg(shop: Shop, cast: Cast): Promise<void> {
  const { sandbox } = cast.merchant;
  const { sessionId, payment, orderId } = await order(shop, cast);
  const becomes = (status: OrderStatus): Promise<void> =>
    until(`the order is ${status}`, WITHIN_MS, async () => (await shop.look(orderId, sessionId)) === status);
  await sandbox.payments.pay(payment.id);
  await becomes('paid');
  await sandbox.chain.reorg({ depth: REORG_BLOCKS, keepTransactions: false });
  await becomes('held');
  await sandbox.payments.pay(payment.id, { amount: String(payment.amount) });
  await becomes('paid');
}

/** Orders something, as far as the checkout. */
async function order(shop: Shop, { merchant }: Cast) {
  const checkoutUrl = await shop.buy();
  const sessionId = sessionIn(checkoutUrl);
  const { paymentId } = await merchant.checkout.sessions.get(sessionId);
  const payment = await merchant.payments.get(paymentId);
  return { checkoutUrl, sessionId, payment, orderId: String(payment.metadata['orderId']) };
}

function sessionIn(checkoutUrl: string): string {
  const [, sessionId] = /\/checkout\/session\/(cs_\w+)$/.exec(checkoutUrl) ?? [];
  if (sessionId) return sessionId;
  throw new Error(`The shop sends its customer to ${checkoutUrl}, which is no checkout.`);
}

/** The customer comes back when the session is over, and can pay all the same. */
async function comeBackLate(shop: Shop, cast: Cast): Promise<void> {
  const { merchant } = cast;
  const { sessionId, orderId } = await order(shop, cast);
  await merchant.checkout.sessions.expire(sessionId);
  const { status } = await merchant.checkout.sessions.get(sessionIn(await shop.payAgain(orderId)));
  same('Who comes back late is sent to a session that is', status, 'open');
}

/** The shop hears of a payment after the money went back, as when its server was away. */
async function refundFirst(shop: Shop, cast: Cast): Promise<void> {
  const { merchant } = cast;
  const { sessionId, payment, orderId } = await order(shop, cast);
  const since = payment.createdAt;
  const { eventTypes } = await merchant.webhooks.endpoint.get();
  await merchant.webhooks.endpoint.update({ eventTypes: ['refund.completed'] });
  await merchant.sandbox.payments.pay(payment.id);
  await until(
    'the payment is paid',
    WITHIN_MS,
    async () => (await merchant.payments.get(payment.id)).status === 'paid',
  );
  const { claimUrl } = await merchant.refunds.create(payment.id, { amount: 'all', reason: 'Sold out.' });
  await giveBack(cast, String(claimUrl));
  const arrived = async (type: string): Promise<boolean> => {
    const { deliveries } = await merchant.webhooks.deliveries.list({ limit: 100 });
    return deliveries.some((each) => each.event === type && each.createdAt >= since && each.status === 'success');
  };
  await until('the shop hears of the refund', WITHIN_MS, () => arrived('refund.completed'));
  await merchant.webhooks.endpoint.update({ eventTypes });
  await merchant.webhooks.recover({ since });
  await until('the shop hears of the payment', WITHIN_MS, () => arrived('payment.completed'));
  same('When the refund is heard of first the order is', await shop.look(orderId, sessionId), 'refunded');
}

/** Sends the shop what is not genuine: without a signature, and with that of somebody else. */
async function refuses({ hooks }: Shop, data: object): Promise<void> {
  const event = { id: 'evt_forged', type: 'payment.completed', sequence: 9, data } as unknown as WebhookEvent;
  const { body, headers } = signTestWebhook(event);
  for (const forged of [{}, headers]) {
    const init = { method: 'POST', body, headers: { 'content-type': 'application/json', ...forged } };
    const answer = await fetch(hooks, init);
    same('A forged webhook is answered with', answer.status, 400);
    // The list of deliveries shows it: a shop whose clock is wrong would refuse everything, and not say why.
    const said = await answer.text();
    if (!/webhook-id|signature/.test(said)) throw new Error(`The answer to a forged webhook names no cause: ${said}`);
  }
}

/** Lets the service try the shop's endpoint with what it will meet one day. */
async function certify({ merchant }: Cast): Promise<void> {
  const { id } = await merchant.webhooks.certify();
  const read = () => merchant.webhooks.certifications.get(id);
  await until('the certification ends', CERTIFIED_WITHIN_MS, async () => (await read()).status !== 'running');
  const { status, verdict, checks } = await read();
  const advice = checks.flatMap(({ title, observed, advice }) => (advice ? [`${title}: ${observed} ${advice}`] : []));
  same(`The certification (${advice.join(' ')}) ends with`, [status, verdict], ['completed', 'passed']);
}

/** The payer takes each link that the shop told its owner, and gets the money. */
async function giveBack({ merchant, payer, admin }: Cast, said: string): Promise<void> {
  const tokens = [...said.matchAll(/\/checkout\/refund\/([\w-]+)/g)].map(([, token = '']) => token);
  if (tokens.length === 0) throw new Error(`The shop's refund said no link:\n${said}`);
  for (const token of tokens) {
    const { address } = await payer.sandbox.wallets.create();
    await payer.public.refunds.claim(token, { destinationAddress: address });
    const { refunds } = await merchant.refunds.list();
    const id = refunds.find((each) => each.destinationAddress === address)?.id ?? '';
    const { txHash } = await merchant.sandbox.refunds.pay(id);
    await admin.refunds.complete(id, { txHash });
  }
}

/** The service delivers the event of the payment again, as after a broken connection. */
async function sendAgain({ merchant }: Cast): Promise<void> {
  const { deliveries } = await merchant.webhooks.deliveries.list({ limit: 100 });
  const first = deliveries.find(({ event }) => event === 'payment.completed');
  if (!first) throw new Error('The service knows no delivery of payment.completed.');
  const again = await merchant.webhooks.deliveries.redeliver(first.id);
  const read = () => merchant.webhooks.deliveries.get(again.id);
  await until('the event is delivered again', WITHIN_MS, async () => (await read()).status === 'success');
}

function same(what: string, found: unknown, wanted: unknown): void {
  const [here, there] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (here !== there) throw new Error(`${what} ${here}, and should be ${there}.`);
}
