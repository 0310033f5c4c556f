/** The bytes of an audit entry are made when it is written, and sealed as they are. */
export const name = '0167-sealed-as-written';

export const up = `
-- The bytes that will be sealed. Null where the entry has no canonical metadata: seal_audit_entries makes them then.
alter table unsealed_audit_entries add column body bytea;

-- The fields stand in the order of canonical JSON (RFC 8785), which row_to_json keeps, and which writes strings as it
-- does. It copies the text of metadata as it is. A check of the table would do the same as the comparison, for more: it
-- is made anew for each statement.
create or replace function queue_audit_entry() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.canonical_metadata is null then
    insert into unsealed_audit_entries (entry_id) values (new.id);
    return null;
  end if;
  if new.canonical_metadata::jsonb <> new.metadata then
    raise exception 'the canonical metadata of audit entry % say something else than its metadata', new.id
      using errcode = 'check_violation';
  end if;
  insert into unsealed_audit_entries (entry_id, body)
  select new.id, convert_to(row_to_json(b)::text, 'UTF8')
    from (select new.action, new.actor_id as "actorId", new.actor_type as "actorType", new.id,
                 new.ip_address as "ipAddress", new.merchant_id as "merchantId", new.canonical_metadata as metadata,
                 new.request_id as "requestId", new.resource_id as "resourceId", new.resource_type as "resourceType",
                 regexp_replace(to_char(new.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '000$', '')
                   || 'Z' as "timestamp",
                 new.user_agent as "userAgent") b;
  return null;
end $$;

-- Gives the entries that have waited longest their places in the chain, and tells how many, and where the chain ends
-- then: 0 where none waits or another process is sealing, null where the bytes of one of them are still to be made.
-- A caller chooses neither entries nor bytes.
create function seal_written_entries(at_most integer) returns table (sealed integer, sequence bigint, hash bytea)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  taken bigint[];
  entry record;
  before bigint;
  place bigint;
  current bytea;
  entries text[] := '{}';
  bodies bytea[] := '{}';
  hashes bytea[] := '{}';
begin
  -- One at a time. The next begins after this one's commit, and so goes on from where it ended.
  if not pg_try_advisory_xact_lock(hashtext('seal_audit'), 0) then
    return query select 0, null::bigint, null::bytea;
    return;
  end if;
  taken := array(select u.id from unsealed_audit_entries u order by u.id limit at_most);
  select c.sequence, c.hash into place, current from audit_chain c order by c.sequence desc limit 1;
  if not found then
    place := 0;
    current := decode(repeat('00', 32), 'hex');
  end if;
  before := place;
  for entry in
    select u.entry_id, u.body from unsealed_audit_entries u where u.id = any (taken) order by u.id
  loop
    if entry.body is null then
      return query select null::integer, null::bigint, null::bytea;
      return;
    end if;
    place := place + 1;
    current := sha256('audit-v1\\000'::bytea || int8send(place) || current || entry.body);
    entries := array_append(entries, entry.entry_id);
    bodies := array_append(bodies, entry.body);
    hashes := array_append(hashes, current);
  end loop;
  insert into audit_chain (sequence, entry_id, body, hash)
  select before + w.n, w.entry_id, w.body, w.hash
    from unnest(entries, bodies, hashes) with ordinality as w (entry_id, body, hash, n);
  delete from unsealed_audit_entries where id = any (taken);
  return query select cardinality(taken), place, current;
end $$;
`;
