import { sql } from 'kysely';
import pg from 'pg';
import { createClient } from '../../clients/typescript/src/index.ts';
import { findFreePort } from '../../src/db/daemon.ts';
import { openDatabase } from '../../src/db/database.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { startServiceProcess } from '../lib/service-process.ts';
import { postBare } from './bare-deliveries.ts';
import { deliver, MERCHANTS, prepare, readPosts, registerListener, startReceiver } from './deliver-webhooks.ts';
import { type Figure, median } from './figure.ts';
import type { BenchService, Endings } from './service.ts';

const ROUNDS = 3;
const FINISHED = 1_000_000;
const INSERTED_AT_ONCE = 20_000;

/**
 * Measures deliveries per second with one, two and four processes, against the bare loop; then with four processes and
 * a million finished deliveries in the table, against the rate before. Measure it last, because the table stays long.
 */
export async function benchDeliverScale(service: BenchService, endings: Endings): Promise<Figure[]> {
  const receiver = await startReceiver();
  endings.push(async () => receiver.close());
  const db = openDatabase({ url: service.databaseUrl, poolMax: 2, applicationName: 'bench', onError: () => undefined });
  endings.push(() => db.destroy());
  const merchants: string[] = [];
  for (let i = 0; i < MERCHANTS; i += 1) merchants.push(await registerListener(service, receiver.url));
  const measure = async (): Promise<{ readonly us: number; readonly them: number }> => {
    const rounds: { us: number; them: number }[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const waiting = await prepare(db, merchants);
      const us = await deliver(db, receiver, merchants, waiting);
      const them = await postBare(receiver, await readPosts(db, waiting));
      if (round > 0) rounds.push({ us, them }); // The first round warms the new process up.
    }
    return { us: median(rounds.map(({ us }) => us)), them: median(rounds.map(({ them }) => them)) };
  };
  const figures: Figure[] = [];
  let before = Number.NaN;
  for (const [workers, more] of [
    [1, 0],
    [2, 1],
    [4, 2],
  ] as const) {
    for (let i = 0; i < more; i += 1) await startWorker(service, endings);
    const { us, them } = await measure();
    before = us;
    figures.push({
      name: `Webhook deliveries by ${workers} process${workers > 1 ? 'es' : ''}, against a bare loop`,
      value: us / them,
      // The bare loop shares its machine with no database, so how much more processes help depends on the number of
      // cores.
      limit: null,
      detail: `${Math.round(us)} to ${Math.round(them)} deliveries a second`,
    });
  }
  await finish(db, service.ownerUrl, merchants);
  const { us } = await measure();
  figures.push({
    name: 'Webhook deliveries beside a million finished ones, against none',
    value: us / before,
    limit: { atLeast: 0.9 },
    detail: `${Math.round(us)} to ${Math.round(before)} deliveries a second`,
  });
  return figures;
}

/** Another process that delivers, on the same database and chain. */
async function startWorker(service: BenchService, endings: Endings): Promise<void> {
  const { networks } = await createClient({ baseUrl: service.url }).sandbox.get();
  const worker = await startServiceProcess({
    dataDir: service.dataDir, // It needs the key that decrypts the merchants' signing keys.
    port: await findFreePort(),
    env: {
      KASI_ROLES: 'scheduler',
      DATABASE_URL: service.databaseUrl,
      DATABASE_OWNER_URL: service.ownerUrl,
      EVM_RPC_URL: networks[0]?.rpcUrl ?? '',
      LOG_LEVEL: 'error',
    },
  });
  endings.push(worker.stop);
  await worker.ready();
}

/** A long history of finished deliveries, spread over the merchants. */
async function finish(db: Db, ownerUrl: string, merchants: readonly string[]): Promise<void> {
  const events: string[] = [];
  for (const merchantId of merchants) {
    const { id } = await db
      .selectFrom('events')
      .select('id')
      .where('merchant_id', '=', merchantId)
      .limit(1)
      .executeTakeFirstOrThrow();
    events.push(id);
  }
  for (let done = 0; done < FINISHED; done += INSERTED_AT_ONCE) {
    await sql`
      insert into webhook_deliveries (id, event_id, merchant_id, event_type, url, status, status_code, attempts,
        created_at, finished_at)
      select 'whd_old' || (${done}::int + n), (${events}::text[])[1 + n % ${events.length}::int],
             (${merchants}::text[])[1 + n % ${merchants.length}::int], 'payment.completed', 'http://127.0.0.1/hooks',
               'success', 204, 1,
             now() - interval '1 day', now() - interval '1 day'
        from generate_series(1, ${INSERTED_AT_ONCE}::int) n`.execute(db);
  }
  // PostgreSQL would do this by itself within minutes, possibly during the measurement.
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  await owner.query('vacuum (freeze, analyze) webhook_deliveries');
  await owner.end();
}
