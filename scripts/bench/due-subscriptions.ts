import { sql } from 'kysely';
import { openDatabase } from '../../src/db/database.ts';
import { createEvents } from '../../src/events/record.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { defaultSettings } from '../../src/settings/settings.ts';
import { type AdvanceDeps, advanceDue } from '../../src/subscriptions/advance.ts';
import { fanOutToEndpoints } from '../../src/webhooks/fan-out.ts';
import { type Figure, median } from './figure.ts';
import { type BenchService, createBenchDatabase, type Endings, vacuum } from './service.ts';

const FEW = 10_000;
const MANY = 1_000_000;
const DUE = 1_000;
const ROUNDS = 8;
/** Rounds before measuring, in which the code is still being compiled. */
const WARM_UP = 2;
/** Rows per statement, because statements time out. */
const BULK_MAX = 20_000;

/** Measures ordering the charges of 1,000 due subscriptions among a million, against the same among 10,000. */
export async function benchDueSubscriptions(service: BenchService, endings: Endings): Promise<Figure> {
  const few = await openWorld(service, FEW, endings);
  const many = await openWorld(service, MANY, endings);
  const [fewMs, manyMs]: [number[], number[]] = [[], []];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    // Alternate the order, so that noise hits both sides.
    for (const [advance, times] of round % 2 === 0
      ? [[few, fewMs] as const, [many, manyMs] as const]
      : [[many, manyMs] as const, [few, fewMs] as const]) {
      const took = await advance(round);
      if (round >= WARM_UP) times.push(took);
    }
  }
  return {
    name: 'Advancing due ones among 1,000,000 subscriptions, against 10,000',
    value: median(manyMs) / median(fewMs),
    limit: { atMost: 1.2 },
    detail: `${DUE} that are due in ${median(manyMs).toFixed(0)} ms to ${median(fewMs).toFixed(0)} ms`,
  };
}

/** Makes other subscriptions due in each round and returns the milliseconds that ordering their charges took. */
type Round = (round: number) => Promise<number>;

async function openWorld(service: BenchService, count: number, endings: Endings): Promise<Round> {
  const url = await createBenchDatabase(service, `kasi_due_${count}`);
  const db = openDatabase({ url, poolMax: 2, applicationName: 'bench', onError: () => {} });
  endings.push(() => db.destroy());
  await fill(db, count);
  await vacuum(url);
  const settings = defaultSettings(false, ['devnet']);
  const deps = {
    ...{ db, events: createEvents({ livemode: false, fanOut: fanOutToEndpoints }), checkoutUrl: 'http://localhost' },
    ...{ networks: [], chains: { openCollector: () => null } },
    settings: { current: async () => settings, latest: () => settings },
    log: (error: unknown) => {
      throw error;
    },
  } as unknown as AdvanceDeps;
  return async (round) => {
    await sql`
      update subscriptions set next_action_at = now() - interval '1 second'
       where id in (select 'sub_' || (n * ${count / DUE} + ${round}) from generate_series(0, ${DUE - 1}) n)`.execute(
      db,
    );
    const began = performance.now();
    const now = new Date();
    await advanceDue(deps, { now, real: now, signal: new AbortController().signal });
    const took = performance.now() - began;
    const { rows } = await sql<{ due: number }>`select count(*)::integer as due from charges`.execute(db);
    if (rows[0]?.due !== DUE * (round + 1)) throw new Error(`${rows[0]?.due} charges were ordered`);
    return took;
  };
}

/** Inserts subscriptions whose next period begins within a month. */
async function fill(db: Db, count: number): Promise<void> {
  await sql`
    insert into merchants (id, business_name, email, password_hash, phone, business_type, status, created_at,
      updated_at)
    values ('mer_bench', 'Bench', 'bench@example.org', 'none', '+94112345678', 'company', 'active', now(),
      now())`.execute(db);
  await sql`
    insert into plans (id, merchant_id, name, amount_minor, currency, interval, token, network, created_at, updated_at)
    values ('plan_bench', 'mer_bench', 'Bench', 2500, 'USD', 'monthly', 'USDT', 'devnet', now(), now())`.execute(db);
  for (let from = 0; from < count; from += BULK_MAX) {
    await sql`
      insert into subscriptions (id, merchant_id, plan_id, customer_email, customer_name, wallet, amount_minor,
        currency, interval,
        token, network, status, mandate_status, anchor_at, trial_reminder_sent, period_number, current_period_start,
        current_period_end, next_number, ever_charged, charge, failures, next_action_at, event_sequence, created_at,
          updated_at)
      select 'sub_' || n, 'mer_bench', 'plan_bench', '', '', '0xce' || lpad(to_hex(n), 38, '0'), 2500, 'USD', 'monthly',
        'USDT', 'devnet', 'active', 'active', now() - interval '45 days', true, 1, now() - interval '45 days',
        now() - interval '15 days', 2, true, 'none', 0, now() + interval '1 hour' + n % 720 * interval '1 hour', 1,
          now(), now()
        from generate_series(${from}::integer, ${Math.min(count, from + BULK_MAX) - 1}::integer) n`.execute(db);
  }
}
