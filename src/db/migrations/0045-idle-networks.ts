/**
 * A network on which nothing waits is read more rarely and some blocks behind its head; cursors and ticks say by
 * themselves whether a process looks after them. See decision chains/idle-is-read-later.
 */
export const name = '0045-idle-networks';

export const up = `
alter table chain_cursors
  -- So many blocks below the head the scan stays while nothing waits on the network; null: it follows the head.
  add column idle_depth integer check (idle_depth > 0),
  -- The time in the newest block that a look has shown, scanned or not.
  add column head_time timestamptz,
  -- When a process last tried to look, whether the node answered or not.
  add column watched_at timestamptz;

-- When the job's next tick is due by its cron pattern, so that a job that stands still is seen without the code.
alter table job_ticks add column next_at timestamptz;
`;
