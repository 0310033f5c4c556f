import { randomUUID } from 'node:crypto';
import { type Figure, median } from './figure.ts';
import { load, postAs } from './load.ts';
import { type BenchService, registerBenchMerchant } from './service.ts';

const CONNECTIONS = 20;
/** Many short rounds instead of a few long ones, so that the machine's noise hits both sides. */
const SECONDS = 2;
const ROUNDS = 9;
const BODY = { amount: 49.99, currency: 'USD', metadata: { orderId: 'A-1001' } };

/**
 * Measures creating payments with a new idempotency key each, against without; alternating, so that noise hits both.
 * Without a key, an ignored header carries as many bytes.
 */
export async function benchIdempotency(service: BenchService): Promise<Figure> {
  const { token } = await registerBenchMerchant(service);
  const rounds: { readonly keyed: number; readonly plain: number }[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const plain = await createPayments(service, token, 'x-ignored-header');
    const keyed = await createPayments(service, token, 'idempotency-key');
    if (round > 0) rounds.push({ keyed, plain }); // Warm-up: in the first round both are still being compiled.
  }
  const [ours, theirs] = [median(rounds.map(({ keyed }) => keyed)), median(rounds.map(({ plain }) => plain))];
  return {
    name: 'POST payment with a key, against without',
    value: median(rounds.map(({ keyed, plain }) => keyed / plain)),
    limit: { atLeast: 0.8 },
    detail: `${Math.round(ours)} to ${Math.round(theirs)} payments a second`,
  };
}

async function createPayments(service: BenchService, token: string, header: string): Promise<number> {
  const post = postAs(token, '/v1/payments', BODY);
  const next = () => ({ ...post, headers: { ...post.headers, [header]: randomUUID() } });
  return (await load(service.url, next, { connections: CONNECTIONS, seconds: SECONDS })).perSecond;
}
