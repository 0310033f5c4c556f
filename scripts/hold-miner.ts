import { sql } from 'kysely';
import type { Db } from '../src/lib/db-types.ts';

/**
 * Has the sandbox's miner, which makes a block when somebody waits for one, stand still for some seconds: its tick is taken. A tick that is taken
 * for longer than ten seconds ahead is not believed, so who needs more calls again.
 */
export const holdSandboxMiner = (db: Db): Promise<unknown> =>
  sql`insert into job_ticks (job, slot, worker, started_at)
      values ('sandbox.mine', clock_timestamp() + interval '9 seconds', 'script', clock_timestamp())
      on conflict (job) do update set slot = excluded.slot, worker = excluded.worker`.execute(db);
