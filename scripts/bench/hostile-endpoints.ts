import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '../../src/db/database.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { announce, measureDelays, registerListener, startReceiver } from './deliver-webhooks.ts';
import { type Figure, median, percentile } from './figure.ts';
import { type BenchService, readResidentMb } from './service.ts';

const HOSTILE_RECEIVER = fileURLToPath(new URL('hostile-receiver.ts', import.meta.url));
/** Per endpoint: more than it can finish during the measurement. */
const HOSTILE_EVENTS = 60;
const EVENTS = 300;
/** Time until hostile endpoints occupy all slots that they may have. */
const WARM_UP_MS = 1500;

/**
 * Measures the latency from commit to receipt of a merchant's webhooks while five others have endpoints that hang,
 * drip, flood, reset and show a bad certificate, against the latency before; and the service's additional memory.
 */
export async function benchHostileEndpoints(service: BenchService): Promise<Figure[]> {
  const receiver = await startReceiver();
  const hostile = fork(HOSTILE_RECEIVER);
  const db = openDatabase({ url: service.databaseUrl, poolMax: 2, applicationName: 'bench', onError: () => undefined });
  try {
    const urls = await urlsOf(hostile);
    const good = await registerListener(service, receiver.url);
    const bad = await Promise.all(urls.map((url) => registerListener(service, url)));
    await measureDelays(db, receiver, good, EVENTS / 3); // Warm-up: everything is still being compiled.
    const before = await measureDelays(db, receiver, good, EVENTS);
    const memoryBefore = await readResidentMb(service.pid);
    for (const merchantId of bad) {
      await inTransaction(db, async (trx) => {
        for (let i = 0; i < HOSTILE_EVENTS; i += 1) await announce(trx, merchantId);
      });
    }
    await sleep(WARM_UP_MS);
    const beside = await measureDelays(db, receiver, good, EVENTS);
    const memory = (await readResidentMb(service.pid)) - memoryBefore;
    const [ours, theirs] = [percentile(beside, 0.99), percentile(before, 0.99)];
    return [
      {
        name: 'Webhook p99 beside five hostile endpoints, against without',
        value: ours / theirs,
        limit: { atMost: 1.2 },
        detail: `p99 ${ours.toFixed(0)} to ${theirs.toFixed(0)} ms, half within ${median(beside).toFixed(1)} to ${median(before).toFixed(1)} ms`,
      },
      { name: 'Memory that hostile endpoints cost', value: memory, unit: 'MB', limit: { atMost: 40 }, detail: '' },
    ];
  } finally {
    await db.destroy();
    hostile.kill();
    receiver.close();
  }
}

async function urlsOf(child: ChildProcess): Promise<string[]> {
  const [{ urls }] = (await once(child, 'message')) as [{ urls: string[] }];
  return urls;
}
