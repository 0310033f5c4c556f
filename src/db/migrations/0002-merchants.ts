/** Merchants, administrators and their sessions. */
export const name = '0002-merchants';

export const up = `
create table merchants (
  id text primary key check (id like 'mer\\_%'),
  business_name text not null,
  email text not null unique check (email = lower(email)),
  password_hash text not null,
  phone text not null,
  business_type text not null check (business_type in ('individual', 'company', 'nonprofit')),
  status text not null check (status in ('pending_verification', 'active', 'rejected', 'frozen', 'terminated')),
  status_reason text,
  wallet_address text,
  two_factor_enabled boolean not null default false,
  payment_tolerance_bps integer check (payment_tolerance_bps between 0 and 500),
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create function merchant_moves() returns trigger language plpgsql as $$
begin
  if new.status <> old.status and not (old.status || '>' || new.status = any (array[
    'pending_verification>active', 'pending_verification>rejected', 'pending_verification>terminated',
    'rejected>pending_verification', 'rejected>terminated',
    'active>frozen', 'active>terminated', 'frozen>active', 'frozen>terminated'])) then
    raise exception 'merchant % can not move from % to %', old.id, old.status, new.status using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger merchant_moves before update on merchants for each row execute function merchant_moves();

create table admins (
  id text primary key check (id like 'adm\\_%'),
  email text not null unique check (email = lower(email)),
  name text not null,
  password_hash text not null,
  role text not null,
  status text not null check (status in ('active', 'deactivated')),
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- A session is a family of refresh tokens; ending it ends its access tokens too.
create table sessions (
  id text primary key check (id like 'ses\\_%'),
  principal_type text not null check (principal_type in ('merchant', 'admin')),
  principal_id text not null,
  ip_address text not null,
  user_agent text not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  idle_expires_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  ended_reason text check (ended_reason in ('logout', 'revoked', 'reuse', 'password_changed', 'terminated')),
  check ((ended_at is null) = (ended_reason is null))
);
create index sessions_by_principal on sessions (principal_id, created_at desc, id desc);

create table refresh_tokens (
  token_hash bytea primary key check (length(token_hash) = 32),
  session_id text not null references sessions (id),
  created_at timestamptz not null,
  used_at timestamptz
);
create unique index refresh_tokens_live on refresh_tokens (session_id) where used_at is null;
create index refresh_tokens_by_session on refresh_tokens (session_id);

-- Failures in a row per account (HMAC of the e-mail, known or not) and per address.
create table login_throttle (
  key text primary key,
  failures integer not null check (failures >= 0),
  window_start timestamptz not null,
  blocked_until timestamptz
);
`;
