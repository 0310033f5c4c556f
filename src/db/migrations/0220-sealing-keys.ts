/** Which master key each running process seals by, so that a former one is not given up while a process still has it first. */
export const name = '0220-sealing-keys';

export const up = `
-- A process notes itself each minute, and goes when it is stopped; one that was killed is as old as its last note.
create table sealing_keys (
  worker text not null,
  key text not null,
  seen_at timestamptz not null default clock_timestamp(),
  -- Two containers may call their processes the same.
  primary key (worker, key)
);
`;
