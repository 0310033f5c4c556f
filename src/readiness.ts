import { sql } from 'kysely';
import { Gauge } from 'prom-client';
import type { WatchJob } from './chains/watch-job.ts';
import { migrationNames } from './db/migrate.ts';
import { describeVerdict, judgeSchema, readSchema } from './db/schema-state.ts';
import type { Check, Health } from './http/health.ts';
import { operatorGauges } from './operator-gauges.ts';
import type { Platform } from './platform.ts';
import type { Scheduler } from './scheduler/scheduler.ts';

const HEARTBEAT_MAX_MS = 30_000;

/** The readiness checks and the metrics of this process. */
export function createHealth(
  platform: Platform,
  parts: { readonly watch: WatchJob; readonly scheduler: Scheduler },
): Health {
  const flag = (name: 'open' | 'watched') => async (each: Gauge) => {
    for (const state of platform.reach.list()) each.set({ network: state.network }, state[name] ? 1 : 0);
  };
  return {
    checks: async () => {
      const checks = await Promise.all([database(platform), scheduler(platform, parts.scheduler)]);
      return checks.flat();
    },
    networks: platform.reach.list,
    gauges: (registry) => {
      const gauge = (
        name: string,
        help: string,
        labelNames: string[],
        collect: (gauge: Gauge) => Promise<void>,
      ): void => {
        new Gauge({
          name,
          help,
          labelNames,
          registers: [registry],
          collect() {
            return collect(this);
          },
        });
      };
      gauge(
        'kasi_watcher_blocks_behind',
        'Blocks between the head of a chain and the last one scanned.',
        ['network'],
        async (lag) => {
          for (const { network, blocks } of await parts.watch.lag()) if (blocks !== null) lag.set({ network }, blocks);
        },
      );
      gauge('kasi_network_open', 'Whether payments are offered on a network: 1 or 0.', ['network'], flag('open'));
      gauge('kasi_network_watched', 'Whether any process watches a network: 1 or 0.', ['network'], flag('watched'));
      gauge('kasi_webhook_deliveries_due', 'Deliveries whose next attempt is due.', [], async (due) => {
        due.set(
          await count(
            platform,
            sql`webhook_deliveries where status = 'pending' and next_attempt_at <= ${platform.clock.now()}`,
          ),
        );
      });
      gauge('kasi_incidents_open', 'Incidents that nobody has resolved.', [], async (open) => {
        open.set(await count(platform, sql`incidents where resolved_at is null`));
      });
      for (const { name, help, labelNames, read } of operatorGauges(platform)) {
        gauge(name, help, [...labelNames], async (each) => {
          each.reset(); // A label that is gone shows nothing.
          for (const { labels, value } of await read()) each.set(labels, value);
        });
      }
    },
  };
}

async function count(platform: Platform, from: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ count: bigint }>`select count(*) as count from ${from}`.execute(platform.db);
  return Number(rows[0]?.count ?? 0);
}

async function database(platform: Platform): Promise<Check[]> {
  try {
    const problem = describeVerdict(judgeSchema(await readSchema(platform.db), migrationNames()));
    const migrated: Check = { name: 'migrations', ok: problem === null, ...(problem ? { detail: problem } : {}) };
    return [{ name: 'database', ok: true }, migrated];
  } catch (error) {
    // The error may name hosts and roles, and readiness is public: it goes to the log only.
    platform.log(error, 'readiness: the database does not answer');
    return [{ name: 'database', ok: false, detail: 'does not answer' }];
  }
}

async function scheduler(platform: Platform, running: Scheduler): Promise<Check[]> {
  if (!platform.config.roles.includes('scheduler')) return [];
  const last = running.lastTick();
  const ok = last !== null && platform.clock.real().getTime() - last.getTime() < HEARTBEAT_MAX_MS;
  return [
    { name: 'scheduler', ok, ...(ok ? {} : { detail: last ? `no tick since ${last.toISOString()}` : 'no tick yet' }) },
  ];
}
