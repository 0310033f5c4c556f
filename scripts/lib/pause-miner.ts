import { sql } from 'kysely';
import type { Db } from '../../src/lib/db-types.ts';

/**
 * Pauses the sandbox's miner for some seconds by claiming its tick ahead of time. The scheduler ignores claims more
 * than ten seconds ahead, so call again for a longer pause.
 */
export const pauseSandboxMiner = (db: Db): Promise<unknown> =>
  sql`insert into job_ticks (job, slot, worker, started_at)
      values ('sandbox.mine', clock_timestamp() + interval '9 seconds', 'script', clock_timestamp())
      on conflict (job) do update set slot = excluded.slot, worker = excluded.worker`.execute(db);
