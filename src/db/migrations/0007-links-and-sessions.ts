/** Payment links and checkout sessions. */
export const name = '0007-links-and-sessions';

export const up = `
-- A deleted link stays as an empty shell that its payments point to. "expired" is a matter of the clock, not of a column.
create table payment_links (
  id text primary key check (id like 'plink\\_%'),
  merchant_id text not null references merchants (id),
  title text not null,
  description text,
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null check (currency = 'USD'),
  accepted_tokens text[] not null check (cardinality(accepted_tokens) > 0),
  slug text,
  disabled boolean not null default false,
  expires_at timestamptz,
  expiry_announced_at timestamptz,
  event_sequence integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  check ((deleted_at is null) = (slug is not null))
);
create unique index payment_links_slug on payment_links (slug) where deleted_at is null;
create index payment_links_by_merchant on payment_links (merchant_id, created_at desc, id desc) where deleted_at is null;
create index payment_links_expiring on payment_links (expires_at)
  where deleted_at is null and expires_at is not null and expiry_announced_at is null;

-- One row for each paid payment of a link; the totals are sums of it, so that no row is hot.
create table payment_link_totals (
  payment_id text primary key references payments (id),
  link_id text not null references payment_links (id),
  amount_minor bigint not null,
  paid_at timestamptz not null
);
create index payment_link_totals_by_link on payment_link_totals (link_id) include (amount_minor);

create table checkout_sessions (
  id text primary key check (id like 'cs\\_%'),
  merchant_id text not null references merchants (id),
  payment_id text not null unique references payments (id),
  amount_minor bigint not null,
  currency text not null,
  success_url text not null check (length(success_url) <= 2048),
  cancel_url text not null check (length(cancel_url) <= 2048),
  metadata jsonb not null default '{}',
  status text not null default 'open' check (status in ('open', 'completed', 'expired')),
  event_sequence integer not null default 0,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  check ((status = 'open') = (finished_at is null))
);
create index checkout_sessions_by_merchant on checkout_sessions (merchant_id, created_at desc, id desc);
create index checkout_sessions_open on checkout_sessions (expires_at) where status = 'open';

-- A session's payment moved: the session's own job goes on from here.
create table checkout_session_moves (
  session_id text not null references checkout_sessions (id),
  outcome text not null check (outcome in ('completed', 'expired')),
  created_at timestamptz not null,
  primary key (session_id, outcome)
);
`;
