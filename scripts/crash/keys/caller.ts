import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, askUntilAnswered, type Desk } from '../ask.ts';

/** One customer's order: all answers to its two requests. */
export type Order = { readonly id: string; readonly created: readonly Answer[]; readonly cancelled: readonly Answer[] };

const PAUSE_MAX_MS = 30;

/**
 * Requests a payment and cancels it, each under its own key and each twice. Repeats a request unchanged if it got no
 * answer, or one that says "try again". Throws for every other refusal.
 */
export async function placeOrder(desk: Desk, id: string): Promise<Order> {
  const body = { amount: 10, currency: 'USD', metadata: { orderId: id } };
  const created = await askTwice(desk, '/v1/payments', `${id}-create`, body);
  const payment = JSON.parse(created[0]?.text ?? '') as { id: string };
  const cancelled = await askTwice(desk, `/v1/payments/${payment.id}/cancel`, `${id}-cancel`);
  return { id, created, cancelled };
}

async function askTwice(desk: Desk, path: string, key: string, body?: object): Promise<Answer[]> {
  const first = await ask(desk, path, key, body);
  await sleep(randomInt(PAUSE_MAX_MS));
  return [first, await ask(desk, path, key, body)];
}

async function ask(desk: Desk, path: string, key: string, body?: object): Promise<Answer> {
  const answer = await askUntilAnswered(desk, { method: 'POST', path, key, ...(body && { body }) });
  if (answer.status < 300) return answer;
  throw new Error(`${path} under ${key} was answered with ${answer.status}: ${answer.text}`);
}
