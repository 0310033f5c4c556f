/** What customers do with nothing but a wallet: subscribe on a plan's page, see their subscriptions, cancel them. */
export const name = '0103-customers';

export const up = `
-- Texts that wallets are asked to sign. Each is good for one use.
create table wallet_challenges (
  id text primary key check (id like 'wch\\_%'),
  purpose text not null check (purpose in ('subscribe', 'sign_in', 'cancel')),
  wallet text not null check (wallet ~ '^0x[0-9a-f]{40}$'),
  -- The plan or the subscription that it is about.
  subject text check ((purpose = 'sign_in') = (subject is null)),
  -- Where the signature is verified; null: on every network that collects.
  network text check ((purpose = 'sign_in') = (network is null)),
  message text not null check (length(message) <= 4000),
  -- Times of the real clock.
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  used_at timestamptz
);
create index wallet_challenges_by_end on wallet_challenges (expires_at);

create table customer_sessions (
  -- SHA-256 of the token.
  token_hash bytea primary key check (length(token_hash) = 32),
  wallet text not null check (wallet ~ '^0x[0-9a-f]{40}$'),
  -- A wallet that is a contract has another owner on every network, perhaps.
  networks text[] not null check (cardinality(networks) > 0),
  challenge_id text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  constraint customer_session_once unique (challenge_id)
);
create index customer_sessions_by_end on customer_sessions (expires_at);

alter table subscriptions add column subscribed_by text not null default 'merchant';
-- Not validated: rows that were there have the default, and no reason that is new.
alter table subscriptions add constraint subscription_by check (subscribed_by in ('merchant', 'customer')) not valid;
alter table subscriptions drop constraint subscriptions_cancel_reason_check;
alter table subscriptions add constraint subscription_cancel_reason
  check (cancel_reason in ('requested', 'customer_requested', 'not_authorized', 'payment_failed', 'merchant_terminated'))
  not valid;
create trigger subscription_origin before update on subscriptions for each row
  when (new.subscribed_by is distinct from old.subscribed_by)
  execute function refuse_rewrite('subscription', 'who made it');
`;
