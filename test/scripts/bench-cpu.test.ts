import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { costOf, findPostmaster, readCpuMs } from '../../scripts/bench/cpu.ts';

/** What the clock of /proc can be wrong by, at both ends. */
const TICKS_MS = 20;

test('what a connection used is counted although it ends with the load', async () => {
  const { url } = inject('postgres');
  const postmaster = await findPostmaster(url);
  const missed: number[] = [];
  for (let round = 0; round < 12; round += 1) {
    let usedMs = 0;
    const { databaseUs } = await costOf(process.pid, postmaster, async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query('select count(*), pg_backend_pid() as pid from generate_series(1, 500000)');
      usedMs = await readCpuMs(rows[0].pid);
      await client.end();
      return { requests: 1, perSecond: 1 };
    });
    missed.push(usedMs - databaseUs / 1000);
  }
  expect(Math.max(...missed)).toBeLessThanOrEqual(TICKS_MS);
});
