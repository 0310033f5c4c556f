import { createHash, createHmac, randomUUID } from 'node:crypto';
import { createClient } from '../../clients/typescript/src/index.ts';
import { type Cost, costInTurn, costOf, findPostmaster, inWords, type Load, totalUs } from './cpu.ts';
import type { Figure } from './figure.ts';
import { type LoadRequest, load } from './load.ts';
import { type BenchService, registerBenchMerchant } from './service.ts';

const CONNECTIONS = 20;
/** Many short rounds instead of a few long ones, so that the machine's noise hits both sides. */
const SECONDS = 2;
const ROUNDS = 15;
const WARM_UP_SECONDS = 8;

type Headers = Readonly<Record<string, string>>;

/** How one side authenticates: the headers of its next request. */
type Side = (method: string, target: string, body: string) => Headers;

type Wanted = { readonly method: 'GET' | 'POST'; readonly target: string; readonly body: () => string };

/** Each is another, because the same bytes in the same second have the same signature and get the stored answer. */
const newOrder = (): string => JSON.stringify({ amount: 49.99, currency: 'USD', metadata: { orderId: randomUUID() } });

/**
 * Measures the CPU time of the same requests signed with an API key against sent with an access token. Both sides sign
 * and send as many headers, so that the load generator's cost is the same. Neither side sends an idempotency key. A
 * signed POST is stored under its signature nevertheless; that is part of what signing costs.
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
    await compare(service, { name: 'GET one payment, signed', atLeast: 0.92, goal: 0.95 }, get, signed, bearer),
    await compare(service, { name: 'POST payment, signed', atLeast: 0.8, goal: 0.85 }, post, signed, bearer),
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

type Promised = { readonly name: string; readonly atLeast: number; readonly goal: number };

async function compare(
  service: BenchService,
  { name, atLeast, goal }: Promised,
  wanted: Wanted,
  ours: Side,
  theirs: Side,
): Promise<Figure> {
  const postmaster = await findPostmaster(service.databaseUrl);
  const costWith =
    (side: Side) =>
    (isWarmUp: boolean): Promise<Cost> =>
      costOf(service.pid, postmaster, () => ask(service, wanted, side, isWarmUp ? WARM_UP_SECONDS : SECONDS));
  const { us, them, ratio } = await costInTurn(ROUNDS, costWith(ours), costWith(theirs));
  return {
    name: `${name}, CPU of Bearer to signed`,
    value: 1 / ratio(totalUs),
    ...{ limit: { atLeast }, goal },
    detail: `${inWords(us)} to ${inWords(them)}`,
  };
}

/** Each request is signed anew. */
function ask(service: BenchService, { method, target, body }: Wanted, side: Side, seconds: number): Promise<Load> {
  const next = (): LoadRequest => {
    const sent = body();
    return { method, path: target, headers: side(method, target, sent), body: sent };
  };
  return load(service.url, next, { connections: CONNECTIONS, seconds });
}
