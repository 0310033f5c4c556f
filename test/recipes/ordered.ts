import type { Reply, SentRequest } from '../client/fake-service.ts';

type Ordered = {
  readonly answer: (request: SentRequest) => Reply;
  /** The keys under which sessions were asked for. */
  readonly keys: () => (string | undefined)[];
};

/** A service whose every session has a payment of its own, and that says in turn how the payment asked for stands. */
export function serveOrder(statuses: readonly string[]): Ordered {
  const keys: (string | undefined)[] = [];
  let reads = 0;
  const answer = ({ method, url, headers }: SentRequest): Reply => {
    if (method === 'POST') {
      keys.push(headers['idempotency-key'] as string | undefined);
      const id = `cs_${keys.length}`;
      return { status: 201, body: { id, paymentId: `pay_${keys.length}`, checkoutUrl: `https://pay.example/${id}` } };
    }
    const id = url.split('/').at(-1);
    const status = statuses[reads];
    reads += 1;
    return { body: { id, status, checkoutUrl: `https://pay.example/${id}` } };
  };
  return { answer, keys: () => keys };
}
