/** What merchants' endpoints were tried with, and how they did. */
export const name = '0013-certifications';

export const up = `
create table webhook_certifications (
  id text primary key check (id like 'crt\\_%'),
  merchant_id text not null references merchants (id),
  url text not null,
  status text not null default 'running' check (status in ('running', 'completed', 'interrupted')),
  verdict text check (verdict in ('passed', 'failed')),
  -- As the contract shows them, in the order in which they are played.
  checks jsonb not null,
  -- How often it was begun: a process that died in the middle is followed by another, once.
  plays integer not null default 0 check (plays >= 0),
  -- The lease of the process that plays it, in the database's time.
  locked_by text,
  locked_until timestamptz,
  created_at timestamptz not null,
  finished_at timestamptz,
  check ((status = 'completed') = (verdict is not null)),
  check ((status = 'running') = (finished_at is null)),
  check ((locked_by is null) = (locked_until is null)),
  check (locked_by is null or status = 'running')
);
-- An endpoint is tried by one at a time.
create unique index webhook_certifications_running on webhook_certifications (merchant_id) where status = 'running';
create index webhook_certifications_by_merchant on webhook_certifications (merchant_id, created_at desc, id desc);
`;
