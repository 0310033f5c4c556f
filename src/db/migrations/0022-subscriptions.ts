/** Plans, subscriptions, the mandates that customers sign, and what is charged by them. */
export const name = '0022-subscriptions';

export const up = `
create table plans (
  id text primary key check (id like 'plan\\_%'),
  merchant_id text not null references merchants (id),
  name text not null,
  description text,
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null check (currency in ('USD', 'LKR')),
  interval text not null check (interval in ('daily', 'weekly', 'monthly', 'yearly')),
  trial_days integer not null default 0 check (trial_days between 0 and 730),
  token text not null check (token in ('USDT', 'USDC')),
  network text not null,
  active boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index plans_by_merchant on plans (merchant_id, created_at desc, id desc);

-- What it costs stands here as it was agreed. Period n runs from boundary n - 1 to boundary n, counted from the anchor. Times are business
-- time.
create table subscriptions (
  id text primary key check (id like 'sub\\_%'),
  merchant_id text not null references merchants (id),
  plan_id text not null references plans (id),
  customer_email text not null,
  customer_name text not null,
  -- Lower-case hex.
  wallet text not null check (wallet ~ '^0x[0-9a-f]{40}$'),
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null check (currency in ('USD', 'LKR')),
  interval text not null check (interval in ('daily', 'weekly', 'monthly', 'yearly')),
  token text not null check (token in ('USDT', 'USDC')),
  network text not null,
  status text not null check (status in ('active', 'trialing', 'past_due', 'cancelled', 'expired')),
  mandate_status text not null check (mandate_status in ('pending', 'active', 'revoked', 'expired')),
  -- The mandate that counts, which is the newest.
  mandate_id text,
  anchor_at timestamptz not null,
  trial_end timestamptz,
  trial_reminder_sent boolean not null,
  authorize_by timestamptz,
  -- The last period that was paid, 0 for the trial; and the lowest one that may still be charged.
  period_number integer not null check (period_number >= 0),
  current_period_start timestamptz not null,
  current_period_end timestamptz not null,
  next_number integer not null check (next_number > 0),
  ever_charged boolean not null,
  -- Where the charge of next_number is.
  charge text not null check (charge in ('none', 'due', 'in_flight')),
  first_failed_at timestamptz,
  failures integer not null check (failures >= 0),
  last_failure text,
  -- Since when charges wait for a merchant who may not collect.
  paused_since timestamptz,
  cancel_requested_at timestamptz,
  cancelled_at timestamptz,
  cancel_reason text check (cancel_reason in ('requested', 'not_authorized', 'payment_failed', 'merchant_terminated')),
  -- When the sweep looks at it.
  next_action_at timestamptz,
  event_sequence integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (current_period_end >= current_period_start),
  check ((status in ('cancelled', 'expired')) = (cancelled_at is not null)),
  check (status not in ('cancelled', 'expired') or (cancel_reason is not null and charge = 'none')),
  check ((status = 'expired') = (next_action_at is null)),
  check (status <> 'trialing' or trial_end is not null)
  -- Room for another version of a row beside it: some changes touch no index.
) with (fillfactor = 80);
create index subscriptions_by_merchant on subscriptions (merchant_id, created_at desc, id desc);
create index subscriptions_by_merchant_status on subscriptions (merchant_id, status, created_at desc, id desc);
create index subscriptions_by_plan on subscriptions (plan_id, created_at desc, id desc);
create index subscriptions_counted on subscriptions (plan_id) where status = 'active';
-- The sweep reads this alone: its cost follows what is due, not what there is.
create index subscriptions_due on subscriptions (next_action_at, id) where next_action_at is not null;
create index subscriptions_paused on subscriptions (merchant_id) where paused_since is not null;
-- Whom money that reaches a wallet may help.
create index subscriptions_short on subscriptions (wallet, network) where status = 'past_due';
create unique index subscription_once on subscriptions (plan_id, wallet) where status in ('active', 'trialing', 'past_due');

create function subscription_moves() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if new.status <> old.status and not (old.status || '>' || new.status = any (array[
    'trialing>active', 'trialing>past_due', 'trialing>cancelled', 'active>past_due', 'active>cancelled',
    'past_due>active', 'past_due>cancelled', 'cancelled>expired'])) then
    raise exception 'subscription % can not move from % to %', old.id, old.status, new.status using errcode = 'check_violation';
  end if;
  if (new.id, new.merchant_id, new.plan_id, new.wallet, new.amount_minor, new.currency, new.interval, new.token, new.network,
      new.created_at)
      is distinct from (old.id, old.merchant_id, old.plan_id, old.wallet, old.amount_minor, old.currency, old.interval, old.token,
      old.network, old.created_at) then
    raise exception 'subscription % can not change what was agreed', old.id using errcode = 'check_violation';
  end if;
  if new.next_number < old.next_number or new.period_number < old.period_number then
    raise exception 'subscription % can not go back to period %', old.id, new.next_number using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger subscription_moves before update on subscriptions for each row execute function subscription_moves();

-- What a customer is asked to sign, or has signed. id: the EIP-712 hash of the terms, by which the contract knows it. A mandate that was
-- revoked is dead; the next one of its subscription is another row.
create table mandates (
  id text primary key check (id ~ '^0x[0-9a-f]{64}$'),
  subscription_id text not null references subscriptions (id),
  network text not null,
  collector text not null check (collector ~ '^0x[0-9a-f]{40}$'),
  payer text not null check (payer ~ '^0x[0-9a-f]{40}$'),
  token_contract text not null check (token_contract ~ '^0x[0-9a-f]{40}$'),
  ref text not null check (ref ~ '^0x[0-9a-f]{64}$'),
  max_units numeric(78, 0) not null check (max_units > 0),
  -- Seconds, as the contract counts: the length of a window, the beginning of the first one and the end of the last.
  window_seconds bigint not null check (window_seconds > 0),
  starts_at bigint not null check (starts_at > 0),
  ends_at bigint not null check (ends_at > starts_at),
  carry smallint not null check (carry between 0 and 255),
  -- What the customer signed, once they have; it is relayed to the chain from here.
  signature text,
  submitted_at timestamptz,
  relayed_by text,
  authorized_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null,
  check ((signature is null) = (submitted_at is null))
);
create index mandates_by_subscription on mandates (subscription_id, created_at desc);
create index mandates_to_relay on mandates (network, submitted_at)
  where signature is not null and relayed_by is null and authorized_at is null and revoked_at is null;
create index mandates_relayed on mandates (relayed_by) where relayed_by is not null;

-- One period of a subscription to be paid for, whatever it takes: tried again under the same number.
create table charges (
  id text primary key check (id like 'chg\\_%'),
  subscription_id text not null references subscriptions (id),
  merchant_id text not null references merchants (id),
  number integer not null check (number > 0),
  period_start timestamptz not null,
  period_end timestamptz not null check (period_end > period_start),
  status text not null check (status in ('due', 'sending', 'confirming', 'succeeded', 'failed', 'void')),
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null check (currency in ('USD', 'LKR')),
  network text not null,
  token text not null,
  -- When it is to be sent.
  due_at timestamptz,
  -- What is asked of the chain, as it was quoted for the present try.
  rate jsonb,
  amount_micro bigint check (amount_micro > 0),
  units numeric(78, 0) check (units > 0),
  mandate_id text references mandates (id),
  -- The operator's transaction that collects it.
  transaction_id text,
  -- Tries that the chain judged.
  attempts integer not null default 0 check (attempts >= 0),
  last_attempt_at timestamptz,
  failure_code text check (failure_code in ('mandate_missing', 'mandate_revoked', 'insufficient_balance', 'insufficient_allowance',
    'token_blocked', 'network_unavailable')),
  void_reason text check (void_reason in ('not_authorized', 'unpaid', 'paused', 'late', 'cancelled')),
  payment_id text unique references payments (id),
  tx_hash text,
  locked_by text,
  locked_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  finished_at timestamptz,
  constraint charge_once unique (subscription_id, number),
  check ((status in ('succeeded', 'void')) = (finished_at is not null)),
  check ((status = 'due') = (due_at is not null)),
  check ((status = 'void') = (void_reason is not null)),
  check ((status = 'sending') <= (transaction_id is not null and units is not null)),
  check ((status in ('confirming', 'succeeded')) <= (payment_id is not null)),
  check ((status = 'failed') <= (failure_code is not null)),
  check ((locked_by is null) = (locked_until is null))
) with (fillfactor = 80);
create index charges_due on charges (network, due_at, id) where status = 'due';
create index charges_by_subscription on charges (subscription_id, created_at desc, id desc);
create index charges_in_flight on charges (transaction_id) where status = 'sending';
-- A subscription has one charge at a time on its way to the chain. Several may wait there to be confirmed, when the database came back older.
create unique index charge_in_turn on charges (subscription_id) where status in ('due', 'sending');
create index charges_confirming on charges (updated_at) where status = 'confirming';

create function charge_moves() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if new.status <> old.status and not (old.status || '>' || new.status = any (array[
    'due>sending', 'due>failed', 'due>void', 'due>confirming', 'due>succeeded', 'sending>due', 'sending>failed', 'sending>void',
    'sending>confirming', 'sending>succeeded', 'confirming>succeeded', 'confirming>due', 'confirming>void', 'failed>due', 'failed>void', 'failed>confirming',
    'failed>succeeded', 'void>due', 'void>confirming', 'void>succeeded'])) then
    raise exception 'charge % can not move from % to %', old.id, old.status, new.status using errcode = 'check_violation';
  end if;
  if (new.subscription_id, new.number, new.merchant_id, new.amount_minor, new.currency)
      is distinct from (old.subscription_id, old.number, old.merchant_id, old.amount_minor, old.currency) then
    raise exception 'charge % can not change what it asks', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger charge_moves before update on charges for each row execute function charge_moves();
create trigger charges_stay before delete on charges for each row execute function refuse_change();

create table charge_attempts (
  charge_id text not null references charges (id),
  attempt integer not null check (attempt > 0),
  started_at timestamptz not null,
  finished_at timestamptz,
  outcome text check (outcome in ('collected', 'failed', 'deferred', 'lost')),
  failure_code text,
  tx_hash text,
  primary key (charge_id, attempt)
);

-- What the contract said about mandates that are ours, once for each block that ever contained it. applied_at: since when its effect is
-- what \`canonical\` says; null while it waits for that.
create table collector_events (
  id bigint generated always as identity primary key,
  subscription_id text not null references subscriptions (id),
  mandate_id text not null references mandates (id),
  kind text not null check (kind in ('authorized', 'revoked', 'collected', 'collect_failed')),
  network text not null,
  tx_hash text not null,
  -- Among the logs of the contract in its transaction.
  place integer not null check (place >= 0),
  block_hash text not null,
  block_number bigint not null,
  block_time timestamptz not null,
  -- Whatever the contract takes for one, which is more than a charge of ours ever has.
  number bigint,
  -- What reached the treasury by it.
  units numeric(78, 0),
  reason integer,
  -- The transfer that a collection made, by its place among the allow-listed ones of its transaction.
  transfer_index integer,
  recipient text,
  canonical boolean not null default true,
  seen_at timestamptz not null,
  applied_at timestamptz,
  parked_at timestamptz,
  failure text,
  constraint collector_event_once unique (network, block_hash, tx_hash, place),
  check ((kind in ('collected', 'collect_failed')) = (number is not null)),
  check ((kind = 'collected') = (units is not null)),
  check ((kind = 'collect_failed') = (reason is not null))
);
create unique index collector_events_canonical_once on collector_events (network, tx_hash, place) where canonical;
create index collector_events_due on collector_events (id) where applied_at is null and parked_at is null;
create index collector_events_by_block on collector_events (network, block_number) where canonical;
create index collector_events_by_subscription on collector_events (subscription_id, block_number, id);
-- Money is collected once for a number, whatever was sent how often.
create unique index collected_once on collector_events (mandate_id, number) where kind = 'collected' and canonical;

-- Something happened that a subscription may care for: its own job looks at it.
create table subscription_signals (
  subscription_id text not null references subscriptions (id),
  kind text not null check (kind in ('funds', 'charge_moved')),
  ref text not null default '',
  created_at timestamptz not null,
  primary key (subscription_id, kind, ref)
);
create index subscription_signals_by_time on subscription_signals (created_at);

alter table payments drop constraint payments_source_check;
alter table payments add constraint payments_source_check check (source in ('direct', 'link', 'session', 'subscription'));
alter table payments add column subscription_id text references subscriptions (id);
alter table payments add column charge_id text unique references charges (id);
alter table payments add check ((source = 'subscription') = (subscription_id is not null and charge_id is not null));
create index payments_by_subscription on payments (subscription_id, created_at desc) where subscription_id is not null;
`;
