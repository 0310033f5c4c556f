/** The second factor of merchants and administrators: codes of an authenticator app, and codes to write down. */
export const name = '0017-second-factor';

export const up = `
-- Whether it is on stands in one place from now on.
alter table merchants drop column two_factor_enabled;

create table second_factors (
  holder_id text primary key check (holder_id ~ '^(mer|adm)_'),
  sealed_secret bytea not null,
  -- Set up, and waiting until then for its first code; null once that came.
  pending_until timestamptz,
  enabled_at timestamptz,
  -- The time step of the newest code that was taken. Only later ones are.
  last_step bigint,
  check ((pending_until is null) = (enabled_at is not null)),
  check ((enabled_at is null) = (last_step is null))
);

create function second_factor_goes_forward() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if new.holder_id <> old.holder_id then
    raise exception 'a second factor stays with %', old.holder_id using errcode = 'check_violation';
  end if;
  if old.enabled_at is not null
      and (new.enabled_at is distinct from old.enabled_at or new.last_step is null or new.last_step < old.last_step) then
    raise exception 'the second factor of % can not go back', old.holder_id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger second_factor_goes_forward before update on second_factors
  for each row execute function second_factor_goes_forward();

-- Hashes of codes that work once each.
create table recovery_codes (
  holder_id text not null references second_factors (holder_id) on delete cascade,
  code_hash bytea not null check (length(code_hash) = 32),
  used_at timestamptz,
  primary key (holder_id, code_hash)
);

create function recovery_code_works_once() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if old.used_at is not null or new.holder_id <> old.holder_id or new.code_hash <> old.code_hash then
    raise exception 'a recovery code of % works once', old.holder_id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger recovery_code_works_once before update on recovery_codes
  for each row execute function recovery_code_works_once();
`;
