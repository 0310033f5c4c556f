import { sql } from 'kysely';
import { sealAudit } from '../../src/audit/seal.ts';
import { openDatabase } from '../../src/db/database.ts';
import { sealEvents } from '../../src/events/seal.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { signingKey } from '../../src/lib/standard-webhooks.ts';
import { type Figure, median } from './figure.ts';
import { type BenchService, createBenchDatabase, type Endings } from './service.ts';

const ENTRIES = 10_000;
const BATCH = 500;
const ROUNDS = 5;

/** Measures how many audit entries are sealed in a second, against events, whose chain the database makes by itself. */
export async function benchSealing(service: BenchService, endings: Endings): Promise<Figure> {
  const url = await createBenchDatabase(service, 'kasi_sealing');
  const db = openDatabase({ url, poolMax: 2, applicationName: 'bench', onError: () => {} });
  endings.push(() => db.destroy());
  await sql`
    insert into merchants (id, business_name, email, password_hash, phone, business_type, status, created_at,
      updated_at)
    values ('mer_bench', 'Bench', 'bench@example.org', 'none', '+94112345678', 'company', 'active', now(),
      now())`.execute(db);
  const key = signingKey(Buffer.alloc(32, 1));
  const [audit, events]: [number[], number[]] = [[], []];
  for (let round = 0; round <= ROUNDS; round += 1) {
    await writeEntries(db, round);
    await writeEvents(db, round);
    const auditRate = await rateOf(() => sealAudit(db, key, BATCH, new Date()));
    const eventRate = await rateOf(() => sealEvents(db, BATCH));
    if (round === 0) continue; // Warms up.
    audit.push(auditRate);
    events.push(eventRate);
  }
  return {
    name: 'Audit entries sealed, against events',
    value: median(audit) / median(events),
    limit: { atLeast: 0.7 },
    detail: `${Math.round(median(audit))} to ${Math.round(median(events))} a second`,
  };
}

async function rateOf(seal: () => Promise<number>): Promise<number> {
  const began = performance.now();
  let sealed = 0;
  for (let last = BATCH; last === BATCH; sealed += last) last = await seal();
  if (sealed !== ENTRIES) throw new Error(`${sealed} were sealed`);
  return (sealed * 1000) / (performance.now() - began);
}

async function writeEntries(db: Db, round: number): Promise<void> {
  await sql`
    insert into audit_log (id, actor_type, actor_id, action, resource_type, resource_id, merchant_id, ip_address,
                           user_agent, request_id, metadata, canonical_metadata, created_at)
    select 'log_' || ${round}::int || '_' || n, 'merchant', 'mer_bench', 'payment.create', 'payment', 'pay_' || n,
           'mer_bench', '203.0.113.9', 'kasi-typescript/0.1.0', 'req_' || n,
           '{"amount":"25.00","currency":"USD"}', '{"amount":"25.00","currency":"USD"}', now()
      from generate_series(1, ${ENTRIES}::int) n`.execute(db);
}

async function writeEvents(db: Db, round: number): Promise<void> {
  await sql`
    insert into events (id, merchant_id, type, resource_id, sequence, body, created_at)
    select 'evt_' || ${round}::int || '_' || n, 'mer_bench', 'payment.created', 'pay_' || ${round}::int || '_' || n, 1,
           convert_to(repeat('x', 1000), 'UTF8'), now()
      from generate_series(1, ${ENTRIES}::int) n`.execute(db);
}
