import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { createClient } from '../../../clients/typescript/src/index.ts';
import { findFreePort } from '../../../src/db/daemon.ts';
import { openDatabase } from '../../../src/db/database.ts';
import { findEmbeddedPostgres } from '../../../src/db/embedded.ts';
import { inTransaction } from '../../../src/db/transaction.ts';
import { createEvents } from '../../../src/events/record.ts';
import type { Db } from '../../../src/lib/db-types.ts';
import { fanOutToEndpoints } from '../../../src/webhooks/fan-out.ts';
import { simulatePayment } from '../../../src/webhooks/simulated.ts';
import {
  makeDataFolder,
  removeDataFolder,
  type ServiceProcess,
  startServiceProcess,
} from '../../lib/service-process.ts';
import type { Endings } from '../stage.ts';
import { type FlakyReceiver, startFlakyReceiver } from './receiver.ts';

export type WebhookCrashOptions = {
  readonly events: number;
  readonly merchants: number;
  readonly workers: number;
  readonly kills: number;
  /** The number of requests in a hundred that the endpoint answers with an error. */
  readonly faultsOfHundred: number;
  readonly progress: (text: string) => void;
};

export type WebhookCrashFigures = {
  readonly kills: number;
  readonly events: number;
  /** Events that were received twice, three times, and more often. */
  readonly twice: number;
  readonly thrice: number;
  readonly oftener: number;
  readonly refused: number;
  readonly seconds: number;
  /** The faults, in words; empty if all is well. */
  readonly faults: readonly string[];
};

const SETTLED_WITHIN_MS = 240_000;
/** Slow enough that some are always in flight at a kill. */
const ANSWER_MAX_MS = 500;
/** The longest pause between two kills. */
const LIFE_MAX_MS = 900;
/** Events are spread over half a minute, so that each kill interrupts something. */
const PUBLISHED_IN = 10;
const PAUSE_MAX_MS = 600;

/**
 * Announces events of many merchants while the processes that deliver them are killed with SIGKILL at random moments
 * and restarted. Resolves when no delivery is pending; the sandbox's clock skips the retries' delays.
 */
export async function runWebhookCrash(options: WebhookCrashOptions, endings: Endings): Promise<WebhookCrashFigures> {
  const receiver = await startFlakyReceiver(options.faultsOfHundred, ANSWER_MAX_MS);
  endings.push(receiver.close);
  const { baseUrl, db, startWorker } = await openService(endings);
  const merchants = await registerMerchants(baseUrl, receiver.url, options.merchants);
  const startedAt = performance.now();
  const workers = await Promise.all(Array.from({ length: options.workers }, startWorker));
  await Promise.all([publish(db, merchants, options.events), killAtRandom(workers, startWorker, options)]);
  const settled = await settle(baseUrl, db, options);
  return {
    kills: options.kills,
    events: options.events,
    ...countRepeats(receiver),
    refused: receiver.refused(),
    seconds: (performance.now() - startedAt) / 1000,
    faults: [...settled, ...(await judge(db, receiver, merchants, options))],
  };
}

/** A process that serves the API and runs the database, and the means to start others that deliver. */
async function openService(endings: Endings) {
  const dataDir = makeDataFolder();
  endings.push(() => removeDataFolder(dataDir));
  const main = await startServiceProcess({ dataDir, port: await findFreePort(), env: { KASI_ROLES: 'api,watcher' } });
  endings.push(main.stop);
  await main.ready();
  const database = findEmbeddedPostgres(dataDir);
  if (!database) throw new Error('the service has no database');
  const db = openDatabase({ url: database.url, poolMax: 3, applicationName: 'kasi-crash', onError: () => undefined });
  endings.push(() => db.destroy());
  const { networks } = await createClient({ baseUrl: main.url }).sandbox.get();
  const startWorker = async (): Promise<ServiceProcess> => {
    const env = {
      KASI_ROLES: 'scheduler',
      DATABASE_URL: database.url,
      DATABASE_OWNER_URL: database.ownerUrl,
      EVM_RPC_URL: networks[0]?.rpcUrl ?? '',
      LOG_LEVEL: 'silent',
    };
    const worker = await startServiceProcess({ dataDir, port: await findFreePort(), env });
    endings.push(worker.kill);
    return worker;
  };
  return { baseUrl: main.url, db, startWorker };
}

async function registerMerchants(baseUrl: string, webhookUrl: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const client = createClient({ baseUrl });
    const { merchant } = await client.auth.register({
      businessName: `Tea house ${i}`,
      email: `crash-${i}@example.org`,
      password: 'Str0ng-enough',
      phone: '+94112345678',
      businessType: 'company',
    });
    await client.merchants.update(merchant.id, { webhookUrl });
    ids.push(merchant.id);
  }
  return ids;
}

/** Announces events in small commits, as in a day of trade. */
async function publish(db: Db, merchants: readonly string[], count: number): Promise<void> {
  const { record } = createEvents({ livemode: false, fanOut: fanOutToEndpoints });
  for (let done = 0; done < count; done += PUBLISHED_IN) {
    await inTransaction(db, async (trx) => {
      for (let i = done; i < Math.min(done + PUBLISHED_IN, count); i += 1) {
        const now = new Date();
        const data = simulatePayment({ publicUrl: 'http://localhost', checkoutUrl: 'http://localhost/checkout' }, now);
        const merchantId = merchants[i % merchants.length] ?? '';
        await record(trx, { merchantId, type: 'payment.completed', resourceId: data.id, sequence: 1, data }, now);
      }
    });
    await sleep(randomInt(PAUSE_MAX_MS));
  }
}

async function killAtRandom(
  workers: ServiceProcess[],
  startWorker: () => Promise<ServiceProcess>,
  { kills, progress }: WebhookCrashOptions,
): Promise<void> {
  for (let kill = 1; kill <= kills; kill += 1) {
    const victim = randomInt(workers.length);
    // Two of three are busy when they are killed; the others may still be starting.
    if (kill % 3 > 0) await workers[victim]?.ready();
    await sleep(randomInt(LIFE_MAX_MS));
    await workers[victim]?.kill();
    workers[victim] = await startWorker();
    progress(`killed ${kill} of ${kills} times`);
  }
}

/** Waits until all is delivered: leases expire, and the retries' delays are skipped. */
async function settle(baseUrl: string, db: Db, { progress }: WebhookCrashOptions): Promise<string[]> {
  const { sandbox } = createClient({ baseUrl });
  const until = performance.now() + SETTLED_WITHIN_MS;
  for (;;) {
    const { pending, waiting } = await countPending(db, new Date((await sandbox.clock.get()).now));
    progress(`${pending} deliveries are pending, ${waiting} of them wait for a retry`);
    if (pending === 0) return [];
    if (performance.now() > until) return [`${pending} deliveries are still pending`];
    if (waiting === pending) await sandbox.clock.advance({ seconds: 60 });
    else await sleep(250);
  }
}

async function countPending(db: Db, now: Date): Promise<{ readonly pending: number; readonly waiting: number }> {
  const { rows } = await sql<{ pending: number; waiting: number }>`
    select count(*)::int as pending, count(*) filter (where next_attempt_at > ${now})::int as waiting
      from webhook_deliveries where status = 'pending'`.execute(db);
  return rows[0] ?? { pending: 0, waiting: 0 };
}

function countRepeats({ taken }: FlakyReceiver) {
  const counts = [...taken.values()];
  const times = (wanted: (count: number) => boolean): number => counts.filter(wanted).length;
  return { twice: times((n) => n === 2), thrice: times((n) => n === 3), oftener: times((n) => n > 3) };
}

async function judge(
  db: Db,
  { taken }: FlakyReceiver,
  merchants: readonly string[],
  options: WebhookCrashOptions,
): Promise<string[]> {
  const rows = await db
    .selectFrom('webhook_deliveries')
    .select(['event_id', 'status'])
    .where('merchant_id', 'in', merchants)
    .where('event_type', '=', 'payment.completed')
    .execute();
  const lost = rows.filter(({ event_id }) => !taken.has(event_id));
  const unfinished = rows.filter(({ status }) => status !== 'success');
  const often = [...taken].filter(([, count]) => count > 3);
  return [
    ...(rows.length === options.events ? [] : [`${rows.length} deliveries for ${options.events} events`]),
    ...lost.map(({ event_id }) => `${event_id} was never received`),
    ...unfinished.map(({ event_id, status }) => `the delivery of ${event_id} ended as ${status}`),
    ...often.map(([id, count]) => `${id} was taken ${count} times`),
  ];
}
