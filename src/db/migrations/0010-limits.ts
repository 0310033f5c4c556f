/** Buckets of the limits that are counted in leases. */
export const name = '0010-limits';

export const up = `
-- What is lost with a crash of the server is only how much of a limit was used. Tokens fall below nothing while leases are paid for late.
create unlogged table limit_buckets (
  name text not null,
  key text not null,
  tokens double precision not null,
  refilled_at timestamptz not null,
  primary key (name, key)
);
create index limit_buckets_by_time on limit_buckets (refilled_at);
`;
