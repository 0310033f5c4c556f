/** The outbox of events and the deliveries of webhooks. */
export const name = '0006-events';

export const up = `
create table events (
  id text primary key check (id like 'evt\\_%'),
  merchant_id text not null references merchants (id),
  type text not null,
  resource_id text not null,
  sequence integer not null check (sequence > 0),
  body bytea not null check (length(body) <= 32768),
  created_at timestamptz not null,
  constraint event_once unique (resource_id, sequence)
);
create index events_by_merchant on events (merchant_id, created_at desc, id desc);
create trigger events_append_only before update on events for each row execute function refuse_change();

-- The merchant's webhookUrl, stored once.
create table webhook_endpoints (
  merchant_id text primary key references merchants (id),
  url text not null check (length(url) <= 2048),
  event_types text[],
  status text not null check (status in ('enabled', 'disabled')),
  disabled_reason text,
  failing_since timestamptz,
  updated_at timestamptz not null,
  check ((status = 'disabled') = (disabled_reason is not null))
);

create table webhook_keys (
  id text primary key check (id like 'whk\\_%'),
  merchant_id text not null references merchants (id),
  public_key bytea not null check (length(public_key) = 32),
  sealed_seed bytea not null,
  created_at timestamptz not null,
  retires_at timestamptz
);
create index webhook_keys_by_merchant on webhook_keys (merchant_id, created_at desc);
create unique index webhook_keys_active on webhook_keys (merchant_id) where retires_at is null;

create table webhook_deliveries (
  id text primary key check (id like 'whd\\_%'),
  event_id text not null references events (id),
  merchant_id text not null references merchants (id),
  event_type text not null,
  url text not null,
  status text not null default 'pending' check (status in ('pending', 'success', 'failed')),
  status_code integer,
  response_time_ms integer not null default 0 check (response_time_ms >= 0),
  attempts integer not null default 0 check (attempts >= 0),
  failure text,
  redelivery_of text references webhook_deliveries (id),
  -- Of a test call, which sends it itself, once: the worker never takes it.
  is_test boolean not null default false,
  -- Business time. The lease below is in the database's time.
  next_attempt_at timestamptz,
  locked_by text,
  locked_until timestamptz,
  created_at timestamptz not null,
  finished_at timestamptz,
  check ((status = 'pending') = (next_attempt_at is not null)),
  check ((status = 'pending') = (finished_at is null)),
  check ((locked_by is null) = (locked_until is null)),
  check (locked_by is null or status = 'pending')
);
create index webhook_deliveries_by_merchant on webhook_deliveries (merchant_id, created_at desc, id desc);
create index webhook_deliveries_due on webhook_deliveries (merchant_id, next_attempt_at) where status = 'pending';
-- What is in flight is counted here, however long the merchant's queue is.
create index webhook_deliveries_leased on webhook_deliveries (merchant_id, locked_until) where locked_until is not null;
-- Every delivery leaves dead entries in the queue's indexes: they are to be cleared long before a fifth of the history has changed.
alter table webhook_deliveries set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

create table webhook_attempts (
  delivery_id text not null references webhook_deliveries (id),
  attempt integer not null check (attempt > 0),
  url text not null,
  status_code integer,
  response_time_ms integer not null,
  failure text,
  response_excerpt text,
  started_at timestamptz not null,
  primary key (delivery_id, attempt)
);
`;
