import { randomUUID } from 'node:crypto';
import autocannon from 'autocannon';
import { type Figure, median } from './figure.ts';
import { type BenchService, registerBenchMerchant } from './service.ts';

const CONNECTIONS = 20;
const SECONDS = 5;
const ROUNDS = 3;
const BODY = JSON.stringify({ amount: 49.99, currency: 'USD', metadata: { orderId: 'A-1001' } });

/**
 * Creating payments with a key of its own for each against creating them without; in turns, so that noise hits both. Without, as many
 * bytes come in a header that nobody reads.
 */
export async function benchIdempotency(service: BenchService): Promise<Figure> {
  const { token } = await registerBenchMerchant(service);
  const keyed: number[] = [];
  const plain: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const without = await createPayments(service, token, 'x-ignored-header');
    const withKey = await createPayments(service, token, 'idempotency-key');
    if (round === 0) continue; // Both are still being compiled.
    keyed.push(withKey);
    plain.push(without);
  }
  const [ours, theirs] = [median(keyed), median(plain)];
  return {
    name: 'POST payment with a key, against without',
    value: ours / theirs,
    limit: { atLeast: 0.8 },
    detail: `${Math.round(ours)} to ${Math.round(theirs)} payments a second`,
  };
}

async function createPayments(service: BenchService, token: string, header: string): Promise<number> {
  const result = await autocannon({
    url: `${service.url}/v1/payments`,
    connections: CONNECTIONS,
    duration: SECONDS,
    requests: [
      {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: BODY,
        setupRequest: (request) => ({ ...request, headers: { ...request.headers, [header]: randomUUID() } }),
      },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refusals, ${result.errors} errors`);
  return result.requests.average;
}
