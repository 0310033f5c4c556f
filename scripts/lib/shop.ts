import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type VerifyWebhookOptions, verifyWebhook, type WebhookEvent } from '../../clients/typescript/src/index.ts';

/** A shop's server: it takes webhooks like any integration and accepts only valid signatures. */
export type Shop = {
  /** The URL for webhooks. */
  readonly url: string;
  /** Every genuine event, once, as first received. */
  readonly events: readonly WebhookEvent[];
  /** The number of requests with an event that was known already. */
  readonly repeats: () => number;
  /** The reason for each refused request. */
  readonly refusals: readonly string[];
  /** Resolves with the event of that type about that resource once it has arrived. Throws if it does not arrive. */
  readonly expect: <T extends WebhookEvent['type']>(
    type: T,
    resourceId: string,
  ) => Promise<Extract<WebhookEvent, { type: T }>>;
  readonly close: () => Promise<void>;
};

const ARRIVES_WITHIN_MS = 15_000;

/**
 * Opens a shop on a free local port. `issuer` returns whose signatures to accept, and is called for each request. The
 * shop records a webhook at once and answers after `answerAfterMs()`.
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
