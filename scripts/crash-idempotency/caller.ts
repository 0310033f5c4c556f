import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** An answer that can be compared. */
export type Told = { readonly status: number; readonly text: string; readonly replayed: boolean };

export type Market = {
  readonly baseUrl: string;
  readonly token: () => string;
  /** Called before a request is sent. */
  readonly onSend: () => void;
};

/** What one customer's order came to: every answer to its two requests. */
export type Order = { readonly id: string; readonly created: readonly Told[]; readonly cancelled: readonly Told[] };

const ANSWER_WITHIN_MS = 5_000;
const TRY_AGAIN_MS = 50;
const PAUSE_MAX_MS = 30;

/**
 * Asks for a payment and cancels it, each under a key of its own and each twice; what has no answer, or one that says "try again", is sent
 * again as it was. Throws on every other refusal.
 */
export async function placeOrder(market: Market, id: string): Promise<Order> {
  const body = JSON.stringify({ amount: 10, currency: 'USD', metadata: { orderId: id } });
  const created = await askTwice(market, '/v1/payments', `${id}-create`, body);
  const payment = JSON.parse(created[0]?.text ?? '') as { id: string };
  const cancelled = await askTwice(market, `/v1/payments/${payment.id}/cancel`, `${id}-cancel`);
  return { id, created, cancelled };
}

async function askTwice(market: Market, path: string, key: string, body?: string): Promise<Told[]> {
  const first = await ask(market, path, key, body);
  await sleep(randomInt(PAUSE_MAX_MS));
  return [first, await ask(market, path, key, body)];
}

async function ask(market: Market, path: string, key: string, body?: string): Promise<Told> {
  for (;;) {
    const told = await send(market, path, key, body).catch(() => undefined); // Nobody is there, or no longer.
    if (told && told.status < 300) return told;
    if (told && !isPassing(told))
      throw new Error(`${path} under ${key} was answered with ${told.status}: ${told.text}`);
    await sleep(TRY_AGAIN_MS);
  }
}

async function send(market: Market, path: string, key: string, body?: string): Promise<Told> {
  market.onSend();
  const response = await fetch(`${market.baseUrl}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${market.token()}`,
      'idempotency-key': key,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  });
  const text = await response.text();
  return { status: response.status, text, replayed: response.headers.get('idempotent-replayed') === 'true' };
}

/** An access token lives for a quarter of an hour; somebody else sees to a new one. */
const isPassing = ({ status, text }: Told): boolean =>
  status === 503 || (status === 409 && text.includes('IDEMPOTENCY_IN_PROGRESS')) || text.includes('token_expired');
