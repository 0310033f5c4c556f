/**
 * Which releases can run on this schema, so that a process of the release before comes up while another is being
 * introduced.
 */
export const name = '0036-schema-compatibility';

export const up = `
create table schema_compatibility (
  one boolean primary key default true check (one),
  -- A migration: code that does not know it can not run on this schema.
  runs_since text not null,
  set_at timestamptz not null default clock_timestamp()
);
`;
