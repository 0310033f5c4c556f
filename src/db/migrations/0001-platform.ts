/** What every feature stands on: settings, audit, limits, incidents, the scheduler's ticks and the sandbox's clock. */
export const name = '0001-platform';

export const up = `
create table platform_settings (
  id integer primary key default 1 check (id = 1),
  version integer not null default 1 check (version > 0),
  overrides jsonb not null default '{}' check (jsonb_typeof(overrides) = 'object'),
  updated_at timestamptz not null
);

create table audit_log (
  id text primary key check (id like 'log\\_%'),
  actor_type text not null check (actor_type in ('admin', 'merchant', 'system')),
  actor_id text not null,
  action text not null check (action ~ '^[a-z_]+\\.[a-z_]+$'),
  resource_type text not null,
  resource_id text not null,
  merchant_id text,
  ip_address text not null,
  user_agent text not null,
  request_id text not null,
  metadata jsonb not null default '{}',
  created_at timestamptz not null
);
create index audit_log_by_time on audit_log (created_at desc, id desc);
create index audit_log_by_merchant on audit_log (merchant_id, created_at desc, id desc);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'integrity_constraint_violation';
end $$;
create trigger audit_log_append_only before update or delete on audit_log for each row execute function refuse_change();
create trigger audit_log_no_truncate before truncate on audit_log for each statement execute function refuse_change();

-- Counters of limits that must be exact (login, registration, payment starts): one row a name, key and window.
create unlogged table limit_counters (
  name text not null,
  key text not null,
  window_start timestamptz not null,
  count integer not null check (count > 0),
  primary key (name, key, window_start)
);
create index limit_counters_by_window on limit_counters (window_start);

create table incidents (
  id bigint generated always as identity primary key,
  kind text not null,
  subject text not null,
  message text not null,
  detail jsonb not null default '{}',
  opened_at timestamptz not null,
  resolved_at timestamptz
);
create unique index incidents_open on incidents (kind, subject) where resolved_at is null;

create table job_ticks (
  job text primary key,
  slot timestamptz not null,
  worker text not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  failure text
);

create table sandbox_clock (
  id integer primary key default 1 check (id = 1),
  offset_ms bigint not null default 0 check (offset_ms >= 0)
);

-- Prices of one unit of base in quote, at scale 8, as a job last fetched them.
create table rates (
  base text not null,
  quote text not null,
  value_e8 bigint not null check (value_e8 > 0),
  source text not null,
  quoted_at timestamptz not null,
  primary key (base, quote)
);
`;
