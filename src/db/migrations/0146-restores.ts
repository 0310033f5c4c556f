/** What was restored into this database. No process starts while the newest restore is not released. */
export const name = '0146-restores';

export const up = `
create table restores (
  id bigint generated always as identity primary key,
  -- Of the backup.
  file_id text not null,
  taken_at timestamptz not null,
  restored_at timestamptz not null default clock_timestamp(),
  -- What schema_compatibility said before: meanwhile it refuses releases that do not know this table.
  runs_since text not null,
  -- When an operator said that the copy takes the place of the original, or stands beside it for good.
  released_at timestamptz
);
`;
