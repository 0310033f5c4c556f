import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type VerifyWebhookOptions, verifyWebhook, type WebhookEvent } from '../../clients/typescript/src/index.ts';

/** A shop's own server: it takes webhooks as any integrator would, and believes only those whose signature is good. */
export type Shop = {
  /** Where it takes webhooks. */
  readonly url: string;
  /** Every genuine event, once, as it came first. */
  readonly events: readonly WebhookEvent[];
  /** How many requests brought an event that was known already. */
  readonly repeats: () => number;
  /** Why a request was refused, for each that was. */
  readonly refusals: readonly string[];
  /** The event of that type about that resource, as soon as it is here; throws when it does not come. */
  readonly expect: <T extends WebhookEvent['type']>(
    type: T,
    resourceId: string,
  ) => Promise<Extract<WebhookEvent, { type: T }>>;
  readonly close: () => Promise<void>;
};

const ARRIVES_WITHIN_MS = 15_000;

/**
 * Opens a shop on a free port of this machine; `issuer` tells whose signature to accept, and is asked for each request. It believes a
 * webhook at once and answers after `answerAfterMs()`.
 */
export async function openShop(issuer: () => VerifyWebhookOptions, answerAfterMs = () => 0): Promise<Shop> {
  const events: WebhookEvent[] = [];
  const known = new Set<string>();
  const refusals: string[] = [];
  const waiting = new Set<() => void>();
  let repeats = 0;

  const take = async (request: IncomingMessage): Promise<number> => {
    try {
      const event = await verifyWebhook(await buffer(request), request.headers, issuer());
      if (known.has(event.id)) repeats += 1;
      else events.push(event);
      known.add(event.id);
      for (const look of waiting) look();
      return 204;
    } catch (error) {
      refusals.push(String(error));
      return 400;
    }
  };
  const server = createServer(async (request, response) => {
    const status = await take(request);
    await sleep(answerAfterMs());
    response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    events,
    refusals,
    repeats: () => repeats,
    expect: (type, resourceId) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = events.find((event) => event.type === type && event.data.id === resourceId);
          if (!found) return;
          clearTimeout(timer);
          waiting.delete(look);
          resolve(found as Extract<WebhookEvent, { type: typeof type }>);
        };
        const timer = setTimeout(() => {
          waiting.delete(look);
          const why = refusals.length > 0 ? ` Refused were: ${refusals.join('; ')}` : '';
          reject(new Error(`The shop did not receive ${type} about ${resourceId}.${why}`));
        }, ARRIVES_WITHIN_MS);
        waiting.add(look);
        look();
      }),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
