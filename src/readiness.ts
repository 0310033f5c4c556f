import { migrationNames } from './db/migrate.ts';
import { describeVerdict, judgeSchema, readSchema } from './db/schema-state.ts';
import type { Check, Health } from './http/health.ts';
import type { Platform } from './platform.ts';
import type { Scheduler } from './scheduler/scheduler.ts';

const HEARTBEAT_MAX_MS = 30_000;

/** The readiness checks of this process. */
export const createHealth = (platform: Platform, running: Scheduler): Health => ({
  checks: async () => {
    const checks = await Promise.all([database(platform), notifications(platform), scheduler(platform, running)]);
    return checks.flat();
  },
  networks: platform.reach.list,
  answered: platform.meters.request,
});

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

/**
 * Without notifications a process serves, later by the seconds after which listeners look by themselves. So this makes
 * it degraded, not unready: what loses them is mostly lost for all processes at once, and with none of them ready the
 * proxy would refuse everything.
 */
async function notifications({ echo }: Platform): Promise<Check[]> {
  const ok = await echo();
  return [{ name: 'notifications', ok, required: false, ...(ok ? {} : { detail: 'none comes back' }) }];
}

async function scheduler(platform: Platform, running: Scheduler): Promise<Check[]> {
  if (!platform.config.roles.includes('scheduler')) return [];
  const last = running.lastTick();
  const ok = last !== null && platform.clock.real().getTime() - last.getTime() < HEARTBEAT_MAX_MS;
  return [
    { name: 'scheduler', ok, ...(ok ? {} : { detail: last ? `no tick since ${last.toISOString()}` : 'no tick yet' }) },
  ];
}
