/** The audit log in one order without gaps, each entry with the hash of the one before, and the signed ends of that chain. */
export const name = '0016-audit-chain';

export const up = `
-- Entries that have no place yet. Not a foreign key, so that nothing is locked for it: the row comes and goes with functions of ours.
create table unsealed_audit_entries (
  id bigint generated always as identity primary key,
  entry_id text not null
);
alter table unsealed_audit_entries set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

create table audit_chain (
  sequence bigint primary key check (sequence > 0),
  entry_id text not null unique references audit_log (id),
  -- The entry as canonical JSON (RFC 8785): the bytes that are hashed.
  body bytea not null,
  hash bytea not null check (length(hash) = 32)
);
create trigger audit_chain_append_only before update or delete on audit_chain for each row execute function refuse_change();
create trigger audit_chain_no_truncate before truncate on audit_chain for each statement execute function refuse_change();

-- The ends of the chain as they were signed, one with every batch. The database has no key: it can not make one of these.
create table audit_checkpoints (
  sequence bigint primary key references audit_chain (sequence),
  hash bytea not null check (length(hash) = 32),
  public_key bytea not null check (length(public_key) = 32),
  signature bytea not null check (length(signature) = 64),
  created_at timestamptz not null
);
create trigger audit_checkpoints_append_only before update or delete on audit_checkpoints
  for each row execute function refuse_change();
create trigger audit_checkpoints_no_truncate before truncate on audit_checkpoints
  for each statement execute function refuse_change();

create index audit_log_by_actor on audit_log (actor_id, created_at desc, id desc);
create index audit_log_by_action on audit_log (resource_type, action, created_at desc, id desc);

insert into unsealed_audit_entries (entry_id) select id from audit_log order by created_at, id;

-- With the owner's rights: the application can not write an entry past the chain, nor take back what waits for it.
create function queue_audit_entry() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into unsealed_audit_entries (entry_id) values (new.id);
  return null;
end $$;
create trigger queue_audit_entry after insert on audit_log for each row execute function queue_audit_entry();

-- What the body of an entry says.
create function audit_entry_json(entry audit_log) returns jsonb language sql stable set search_path = public, pg_temp as $$
  select jsonb_build_object(
    'id', entry.id, 'actorType', entry.actor_type, 'actorId', entry.actor_id, 'action', entry.action,
    'resourceType', entry.resource_type, 'resourceId', entry.resource_id, 'merchantId', entry.merchant_id,
    'ipAddress', entry.ip_address, 'userAgent', entry.user_agent, 'requestId', entry.request_id, 'metadata', entry.metadata,
    'timestamp', regexp_replace(to_char(entry.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '000$', '') || 'Z')
$$;

create function audit_hash(sequence bigint, previous bytea, body bytea) returns bytea
language sql immutable set search_path = public, pg_temp as $$
  select sha256('audit-v1\\000'::bytea || int8send(sequence) || previous || body)
$$;

-- Gives entries that wait their places behind the last one, in the order given, and tells where the chain ends then. Only this function
-- writes the chain, and what it takes for an entry's bytes must say what the entry says: whoever may call it can seal what was written,
-- and nothing else.
create function seal_audit(waiting bigint[], bodies bytea[]) returns table (sequence bigint, hash bytea)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  place bigint;
  current bytea;
  entry audit_log;
begin
  perform pg_advisory_xact_lock(hashtext('seal_audit'), 0);
  select c.sequence, c.hash into place, current from audit_chain c order by c.sequence desc limit 1;
  if not found then
    place := 0;
    current := decode(repeat('00', 32), 'hex');
  end if;
  for n in 1 .. cardinality(waiting) loop
    select a.* into entry from unsealed_audit_entries u join audit_log a on a.id = u.entry_id where u.id = waiting[n];
    if not found then
      raise exception 'no audit entry waits as number %', waiting[n];
    end if;
    if convert_from(bodies[n], 'UTF8')::jsonb is distinct from audit_entry_json(entry) then
      raise exception 'these are not the bytes of audit entry %', entry.id;
    end if;
    place := place + 1;
    current := audit_hash(place, current, bodies[n]);
    insert into audit_chain (sequence, entry_id, body, hash) values (place, entry.id, bodies[n], current);
    delete from unsealed_audit_entries where id = waiting[n];
  end loop;
  return query select place, current;
end $$;

-- Temporary tables go before all others unless they are named last, and everybody may make one: a table of that kind with the name of ours
-- would be what our guards look at. So they are told where to look.
do $$
declare
  guard regprocedure;
begin
  for guard in select oid::regprocedure from pg_proc where pronamespace = 'public'::regnamespace and prokind = 'f' loop
    execute format('alter function %s set search_path = public, pg_temp', guard);
  end loop;
end $$;
`;
