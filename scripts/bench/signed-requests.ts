import { createHash, createHmac, randomUUID } from 'node:crypto';
import autocannon from 'autocannon';
import { createClient } from '../../clients/typescript/src/index.ts';
import { type Figure, median } from './figure.ts';
import { type BenchService, registerBenchMerchant } from './service.ts';

const CONNECTIONS = 20;
const SECONDS = 5;
const ROUNDS = 5;

type Headers = Readonly<Record<string, string>>;

/** How one side authenticates: the headers of its next request. */
type Side = (method: string, target: string, body: string) => Headers;

type Wanted = { readonly method: 'GET' | 'POST'; readonly target: string; readonly body: () => string };

/** Each is another, because the same bytes in the same second have the same signature and get the stored answer. */
const newOrder = (): string => JSON.stringify({ amount: 49.99, currency: 'USD', metadata: { orderId: randomUUID() } });

/**
 * Measures the same requests signed with an API key against sent with an access token. Both sides sign and send as many
 * headers, so that the load generator's cost is the same. Neither side sends an idempotency key. A signed POST is
 * stored under its signature nevertheless; that is part of what signing costs.
 */
export async function benchSignedRequests(service: BenchService): Promise<Figure[]> {
  const { token } = await registerBenchMerchant(service);
  const client = createClient({ baseUrl: service.url, token });
  const key = await client.apiKeys.create({ name: 'Bench' });
  const payment = await client.payments.create({ amount: 25, currency: 'USD' });
  const sign = signerOf(key);
  const signed: Side = (...request) => ({ ...sign(...request), 'x-ignored-header': `Bearer ${token}` });
  const bearer: Side = (...request) => {
    const headers = Object.entries(sign(...request));
    return {
      ...Object.fromEntries(headers.map(([name, value]) => [`${name}-ignored`, value])),
      authorization: `Bearer ${token}`,
    };
  };
  const get = { method: 'GET', target: `/v1/payments/${payment.id}`, body: () => '' } as const;
  const post = { method: 'POST', target: '/v1/payments', body: newOrder } as const;
  return [
    await compare(service, { name: 'GET one payment, signed', atLeast: 0.85 }, get, signed, bearer),
    await compare(service, { name: 'POST payment, signed', atLeast: 0.5 }, post, signed, bearer),
  ];
}

function signerOf({ apiKey, apiSecret }: { readonly apiKey: string; readonly apiSecret: string }): Side {
  return (method, target, body) => {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const digest = createHash('sha256').update(body).digest('hex');
    const text = [timestamp, method, target, digest, ''].join('\n');
    const signature = createHmac('sha256', apiSecret).update(text).digest('hex');
    return { 'x-api-key': apiKey, 'x-timestamp': timestamp, 'x-signature': signature };
  };
}

type Promised = { readonly name: string; readonly atLeast: number };

async function compare(
  service: BenchService,
  { name, atLeast }: Promised,
  wanted: Wanted,
  ours: Side,
  theirs: Side,
): Promise<Figure> {
  const rounds: { readonly us: number; readonly them: number }[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const sides = [ours, theirs];
    const rates = new Map<Side, number>();
    for (const side of round % 2 === 0 ? sides : sides.reverse()) rates.set(side, await load(service, wanted, side));
    // Warm-up: in the first round both are still being compiled.
    if (round > 0) rounds.push({ us: rates.get(ours) ?? 0, them: rates.get(theirs) ?? 0 });
  }
  return {
    name: `${name}, against Bearer`,
    value: median(rounds.map(({ us, them }) => us / them)),
    limit: { atLeast },
    goal: 0.85,
    detail: `${Math.round(median(rounds.map(({ us }) => us)))} to ${Math.round(median(rounds.map(({ them }) => them)))} a second`,
  };
}

async function load(service: BenchService, { method, target, body }: Wanted, side: Side): Promise<number> {
  const result = await autocannon({
    url: `${service.url}${target}`,
    connections: CONNECTIONS,
    duration: SECONDS,
    requests: [
      {
        method,
        setupRequest: (request) => {
          const sent = body();
          const headers = { ...side(method, target, sent), ...(sent && { 'content-type': 'application/json' }) };
          return { ...request, headers, ...(sent && { body: sent }) };
        },
      },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refusals, ${result.errors} errors`);
  return result.requests.average;
}
