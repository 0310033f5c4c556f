/** Payments, their deposit addresses and the transfers that arrived. */
export const name = '0005-payments';

export const up = `
create table payments (
  id text primary key check (id like 'pay\\_%'),
  merchant_id text not null references merchants (id),
  status text not null check (status in ('initiated', 'pending', 'confirming', 'paid', 'failed', 'expired')),
  reason text,
  exception text check (exception in ('underpaid', 'overpaid', 'late', 'wrong_token')),
  source text not null check (source in ('direct', 'link', 'session')),
  link_id text,
  session_id text,
  link_snapshot jsonb,
  success_url text,
  cancel_url text,
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null check (currency in ('USD', 'LKR')),
  amount_micro bigint not null check (amount_micro > 0),
  tolerance_micro bigint not null check (tolerance_micro >= 0 and tolerance_micro < amount_micro),
  fee_bps integer not null default 0 check (fee_bps between 0 and 10000),
  late_window_ms bigint not null check (late_window_ms >= 0),
  rate jsonb not null,
  description text,
  customer_email text,
  metadata jsonb not null default '{}',
  options jsonb not null check (jsonb_array_length(options) > 0),
  chosen integer check (chosen >= 0),
  factory_address text not null,
  tx_hash text,
  seen_e18 numeric(78, 0) not null default 0,
  confirmed_e18 numeric(78, 0) not null default 0,
  credit_count integer not null default 0,
  booked_suspense bigint not null default 0 check (booked_suspense >= 0),
  booked_pending bigint not null default 0 check (booked_pending >= 0),
  booked_available bigint not null default 0 check (booked_available >= 0),
  -- What the merchant is owed: of the transfers that count, and of those in a token that was not offered but was accepted afterwards.
  settled_micro bigint not null default 0 check (settled_micro >= 0),
  settled_wrong_micro bigint not null default 0 check (settled_wrong_micro >= 0),
  fee_micro bigint not null default 0 check (fee_micro >= 0),
  moves integer not null default 0,
  event_sequence integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz not null,
  confirming_at timestamptz,
  paid_at timestamptz,
  check ((status = 'paid') = (paid_at is not null)),
  check (status <> 'confirming' or confirming_at is not null)
);
create index payments_by_merchant on payments (merchant_id, created_at desc, id desc);
create index payments_by_merchant_status on payments (merchant_id, status, created_at desc, id desc);
create index payments_open on payments (expires_at) where status in ('initiated', 'pending');
create index payments_confirming on payments (confirming_at) where status = 'confirming';
create index payments_earned on payments (merchant_id) include (booked_available, fee_micro) where booked_available > 0;

create function payment_moves() returns trigger language plpgsql as $$
begin
  if new.status <> old.status and not (old.status || '>' || new.status = any (array[
    'initiated>pending', 'initiated>confirming', 'initiated>paid', 'initiated>expired',
    'pending>confirming', 'pending>paid', 'pending>expired',
    'confirming>paid', 'confirming>pending', 'confirming>failed',
    'expired>confirming', 'expired>paid'])) then
    raise exception 'payment % can not move from % to %', old.id, old.status, new.status using errcode = 'check_violation';
  end if;
  if new.merchant_id <> old.merchant_id or new.amount_minor <> old.amount_minor or new.currency <> old.currency
     or new.amount_micro <> old.amount_micro then
    raise exception 'payment % can not change what it asks', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger payment_moves before update on payments for each row execute function payment_moves();

-- kind: the family of networks on which the address means the same (one EVM address serves every EVM network).
create table deposit_addresses (
  kind text not null check (kind in ('evm', 'bitcoin')),
  address text not null,
  payment_id text not null references payments (id),
  primary key (kind, address)
);
create index deposit_addresses_by_payment on deposit_addresses (payment_id);

-- A transfer of an allow-listed token to a deposit address, once for each block that ever contained it.
create table credits (
  id text primary key check (id like 'crd\\_%'),
  payment_id text not null references payments (id),
  network text not null,
  tx_hash text not null,
  transfer_index integer not null check (transfer_index >= 0),
  block_hash text not null,
  block_number bigint not null,
  block_time timestamptz not null,
  token text not null,
  contract text not null,
  sender text not null,
  recipient text not null,
  amount_units numeric(78, 0) not null check (amount_units > 0),
  decimals integer not null,
  -- Wide enough for 2^256 units at 6 decimals: a watcher must be able to store whatever a contract can emit.
  value_e18 numeric(96, 0) not null check (value_e18 >= 0),
  -- Whether it counts towards its payment: not so for a token that the payment does not offer. Known once applied.
  counted boolean,
  canonical boolean not null default true,
  inclusion integer not null default 1,
  seen_at timestamptz not null,
  confirmed_at timestamptz,
  applied_at timestamptz,
  parked_at timestamptz,
  failure text,
  -- What of it stands in the ledger; null when nothing does.
  booked_micro bigint check (booked_micro >= 0),
  constraint credit_once unique (network, block_hash, tx_hash, transfer_index)
);
create unique index credits_canonical_once on credits (network, tx_hash, transfer_index) where canonical;
create index credits_by_payment on credits (payment_id, block_number, id);
create index credits_due on credits (seen_at) where applied_at is null and parked_at is null;
create index credits_unconfirmed on credits (network, block_number) where canonical and confirmed_at is null;
create index credits_by_block on credits (network, block_number) where canonical;
`;
