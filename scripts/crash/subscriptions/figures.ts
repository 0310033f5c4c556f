import { sql } from 'kysely';
import type { Db } from '../../../src/lib/db-types.ts';

export type SubscriptionCrashFigures = {
  readonly kills: number;
  readonly early: number;
  readonly outages: number;
  readonly reorgs: number;
  readonly subscriptions: number;
  readonly charges: Readonly<Record<string, number>>;
  readonly failures: Readonly<Record<string, number>>;
  /** Attempts that a reorg or a crash undid. */
  readonly lost: number;
  /** Charges that failed at first and were paid later. */
  readonly recovered: number;
  readonly cancelled: Readonly<Record<string, number>>;
  readonly acts: Readonly<Record<string, number>>;
  readonly days: number;
  readonly seconds: number;
  readonly faults: readonly string[];
};

/** The figures in the database at the end. */
export async function readFigures(db: Db) {
  const count = async (from: ReturnType<typeof sql>): Promise<Record<string, number>> => {
    const { rows } = await sql<{ name: string; n: number }>`
      select name, count(*)::int as n from (${from}) counted where name is not null group by name
        order by name`.execute(db);
    return Object.fromEntries(rows.map(({ name, n }) => [name, n]));
  };
  const recovered = await count(sql`
    select 'recovered' as name from charges c where status = 'succeeded' and exists (
      select from charge_attempts where charge_id = c.id and outcome = 'failed')`);
  const lost = await count(sql`select 'lost' as name from charge_attempts where outcome = 'lost'`);
  const subscriptions = await count(sql`select 'all' as name from subscriptions`);
  return {
    subscriptions: subscriptions['all'] ?? 0,
    charges: await count(sql`select status || coalesce(' ' || void_reason, '') as name from charges`),
    failures: await count(sql`select failure_code as name from charge_attempts where outcome = 'failed'`),
    lost: lost['lost'] ?? 0,
    recovered: recovered['recovered'] ?? 0,
    cancelled: await count(sql`select cancel_reason as name from subscriptions`),
  };
}
