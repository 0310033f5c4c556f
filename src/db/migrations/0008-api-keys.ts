/** Keys for merchants' servers. */
export const name = '0008-api-keys';

export const up = `
-- Secrets are sealed, and gone once their key is revoked: what is not there can't leak.
create table api_keys (
  id text primary key check (id like 'key\\_%'),
  merchant_id text not null references merchants (id),
  name text not null check (length(name) between 1 and 120),
  api_key text not null unique check (api_key ~ '^pk_(sandbox|live)_[0-9a-f]{32}$'),
  sealed_secret bytea,
  permissions text[] not null check (cardinality(permissions) > 0 and permissions <@ array[
    'payments:read', 'payments:write', 'settlements:read', 'settlements:write', 'webhooks:manage']),
  allowed_ips text[] not null default '{}' check (cardinality(allowed_ips) <= 20),
  expires_at timestamptz,
  rotated_from text references api_keys (id),
  last_used_at timestamptz,
  created_at timestamptz not null,
  revoked_at timestamptz,
  check ((revoked_at is null) = (sealed_secret is not null))
);
create index api_keys_live on api_keys (merchant_id, created_at desc, id desc) where revoked_at is null;
create index api_keys_expiring on api_keys (expires_at) where revoked_at is null and expires_at is not null;

create function api_key_is_final() returns trigger language plpgsql as $$
begin
  if old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at then
    raise exception 'api key % is revoked for good', old.id using errcode = 'check_violation';
  end if;
  if (new.merchant_id, new.api_key, new.permissions, new.created_at)
      is distinct from (old.merchant_id, old.api_key, old.permissions, old.created_at) then
    raise exception 'what api key % is and may do never changes', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger api_key_is_final before update on api_keys for each row execute function api_key_is_final();
`;
