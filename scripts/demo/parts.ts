import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Client, WebhookEvent } from '../../clients/typescript/src/index.ts';
import type { Shop } from '../lib/shop.ts';
import type { Telling } from './telling.ts';

/** A tea house opens an account and a shop that takes webhooks. Returns the merchant's id. */
export async function openAccount(merchant: Client, shop: Shop, tell: Telling): Promise<string> {
  tell.step('A tea house opens an account');
  const { merchant: account } = await merchant.auth.register({
    businessName: 'Ceylon Tea House',
    email: `owner-${randomBytes(4).toString('hex')}@example.com`,
    password: `Str0ng-${randomBytes(6).toString('hex')}`,
    phone: '+94771234567',
    businessType: 'company',
  });
  tell.say(`${account.businessName} is ${account.id}. A sandbox lets it take payments at once.`);
  await merchant.merchants.update(account.id, { webhookUrl: shop.url });
  tell.say(`Its shop waits for webhooks at ${shop.url}: that is this script.`);
  return account.id;
}

/** Shows every event that the shop received. Throws if one was refused, is missing or out of order. */
export function tellWhatWasHeard(shop: Shop, tell: Telling): void {
  tell.step('Everything that the shop was told');
  same('the webhooks that were refused are', shop.refusals, []);
  tell.table(counted(inOrder(shop.events)));
  const repeats = shop.repeats() === 0 ? 'none came twice' : `${shop.repeats()} came twice`;
  tell.say(`${shop.events.length} events, complete and numbered, every signature good; ${repeats}.`);
}

/** The event types of each resource by sequence; resources in order of their first event. Throws if one is missing. */
function inOrder(events: readonly WebhookEvent[]): [string, string][] {
  const resources = new Map<string, WebhookEvent[]>();
  for (const event of events) resources.set(event.data.id, [...(resources.get(event.data.id) ?? []), event]);
  return [...resources].map(([id, own]) => {
    const sorted = own.toSorted((a, b) => a.sequence - b.sequence);
    const numbers = sorted.map(({ sequence }) => sequence);
    same(
      `the events of ${id} are numbered`,
      numbers,
      [...numbers.keys()].map((index) => index + 1),
    );
    return [nameOf(own[0] as WebhookEvent), sorted.map(({ type }) => type.split('.').at(-1)).join(', ')];
  });
}

/** Equal ones share a line, with their number. */
function counted(rows: readonly [name: string, value: string][]): [string, string][] {
  const lines = new Map<string, { readonly row: [string, string]; count: number }>();
  for (const row of rows) {
    const line = lines.get(row.join()) ?? { row, count: 0 };
    line.count += 1;
    lines.set(row.join(), line);
  }
  return [...lines.values()].map(({ row: [name, value], count }) => [count === 1 ? name : `${count} × ${name}`, value]);
}

/** The subject of an event: `payment of USD 25.00`. */
function nameOf({ type, data }: WebhookEvent): string {
  const noun = type.split('.').slice(0, -1).join(' ').replace('_', ' ');
  return 'amount' in data ? `${noun} of ${fiat(data)}` : noun;
}

/** Throws unless both are equal. */
export function same(what: string, found: unknown, wanted: unknown): void {
  if (isDeepStrictEqual(found, wanted)) return;
  throw new Error(`Expected that ${what} ${JSON.stringify(wanted)}, but it is ${JSON.stringify(found)}.`);
}

type Priced = { readonly amount: number; readonly currency?: string };
export const fiat = ({ amount, currency = 'USD' }: Priced, value = amount): string => `${currency} ${value.toFixed(2)}`;
export const cents = (amount: number): number => Math.round(amount * 100);
