import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '../../clients/typescript/src/index.ts';
import { until } from '../lib/wait.ts';
import { startReceiver } from './deliver-webhooks.ts';
import type { Figure } from './figure.ts';
import { type LoadOptions, load, postAs, readAs } from './load.ts';
import { type BenchService, readResidentMb, registerBenchMerchant } from './service.ts';

const SETTLES_WITHIN_MS = 15_000;
const IDLE_MS = 5_000;
/** Of each kind. */
const LOAD: LoadOptions = { connections: 16, seconds: 20 };
const LOOK_EVERY_MS = 100;
const DELIVERED_WITHIN_MS = 120_000;

/** Measures the peak memory of the service's process when idle and under load. Measure a fresh service. */
export async function benchMemory(service: BenchService): Promise<Figure[]> {
  await sleep(SETTLES_WITHIN_MS);
  const idle = await watchResident(service.pid, sleep(IDLE_MS));
  const receiver = await startReceiver();
  try {
    const { most, result } = await watchResident(service.pid, work(service, receiver.url));
    return [
      { name: 'Resident memory, idle', value: idle.most, unit: 'MB', limit: { atMost: 190 }, goal: 180, detail: '' },
      {
        name: 'Resident memory, under load',
        value: most,
        unit: 'MB',
        limit: { atMost: 310 },
        goal: 300,
        detail: result,
      },
    ];
  } finally {
    receiver.close();
  }
}

/** Loads the service with reads, new sessions and their webhooks at once; returns what was done, in words. */
async function work(service: BenchService, webhookUrl: string): Promise<string> {
  const { id, token } = await registerBenchMerchant(service);
  const client = createClient({ baseUrl: service.url, token });
  await client.merchants.update(id, { webhookUrl });
  const payment = await client.payments.create({ amount: 25, currency: 'USD' });
  const body = {
    amount: 49.99,
    currency: 'USD',
    successUrl: 'https://shop.example/ok',
    cancelUrl: 'https://shop.example/no',
  };
  const [reads, posts] = await Promise.all([
    load(service.url, readAs(token, `/v1/payments/${payment.id}`), LOAD),
    load(service.url, postAs(token, '/v1/checkout/sessions', body), LOAD),
  ]);
  const webhooks = await untilDelivered(client);
  return `${reads.requests} reads, ${posts.requests} sessions, ${webhooks} webhooks`;
}

/** Waits for every webhook, so that none is left for the next part; returns their number. */
async function untilDelivered({ webhooks }: Client): Promise<number> {
  const count = async (status: 'pending' | 'success') =>
    (await webhooks.deliveries.list({ status, limit: 1 })).pagination.total;
  await until('every webhook is delivered', DELIVERED_WITHIN_MS, async () => (await count('pending')) === 0);
  return count('success');
}

async function watchResident<T>(pid: number, work: Promise<T>): Promise<{ readonly most: number; readonly result: T }> {
  let [most, busy] = [0, true];
  const watching = (async () => {
    for (; busy; await sleep(LOOK_EVERY_MS)) most = Math.max(most, await readResidentMb(pid));
  })();
  try {
    const result = await work;
    return { most, result };
  } finally {
    busy = false;
    await watching;
  }
}
