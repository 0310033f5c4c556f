/** PostgreSQL makes the sealed bytes of audit entries; the service passes only the canonical form of their metadata. */
export const name = '0160-sealed-bodies';

export const up = `
-- A caller can seal entries that were written and wait, and nothing else: all of the bytes come from the row, except for the metadata,
-- whose text has to say what the row says. The fields stand in the order of canonical JSON (RFC 8785), which row_to_json keeps, and which writes strings as it does.
-- An entry that is named twice fails at the second place, by the keys of audit_chain. seal_audit(bigint[], bytea[]) stays for processes
-- of the release before.
create function seal_audit_entries(waiting bigint[], metadatas json) returns table (sequence bigint, hash bytea)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  place bigint;
  current bytea;
  body bytea;
  before bigint;
  entries text[];
  bodies bytea[];
  hashes bytea[] := '{}';
  wrong text;
begin
  perform pg_advisory_xact_lock(hashtext('seal_audit'), 0);
  select c.sequence, c.hash into place, current from audit_chain c order by c.sequence desc limit 1;
  if not found then
    place := 0;
    current := decode(repeat('00', 32), 'hex');
  end if;
  before := place;
  if cardinality(waiting) <> json_array_length(metadatas) then
    raise exception '% entries and metadata of %', cardinality(waiting), json_array_length(metadatas);
  end if;
  select array_agg(e.id), array_agg(e.body),
         min('these are not the metadata of audit entry ' || e.id) filter (where e.differs)
    into entries, bodies, wrong
    from (
      select a.id, w.said::jsonb is distinct from a.metadata as differs,
             convert_to(row_to_json(b)::text, 'UTF8') as body
        from rows from (unnest(waiting), json_array_elements(metadatas)) with ordinality as w (id, said, n)
        join unsealed_audit_entries u on u.id = w.id
        join audit_log a on a.id = u.entry_id
       cross join lateral (
         select a.action, a.actor_id as "actorId", a.actor_type as "actorType", a.id, a.ip_address as "ipAddress",
                a.merchant_id as "merchantId", w.said as metadata, a.request_id as "requestId",
                a.resource_id as "resourceId", a.resource_type as "resourceType",
                regexp_replace(to_char(a.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '000$', '')
                  || 'Z' as "timestamp",
                a.user_agent as "userAgent") b
       order by w.n) e;
  if cardinality(coalesce(entries, '{}')) <> cardinality(waiting) then
    select 'no audit entry waits as number ' || coalesce(w.id::text, 'null') into wrong
      from unnest(waiting) with ordinality as w (id, n)
     where not exists (select from unsealed_audit_entries u join audit_log a on a.id = u.entry_id where u.id = w.id)
     order by w.n limit 1;
  end if;
  if wrong is not null then
    raise exception '%', wrong;
  end if;
  foreach body in array coalesce(bodies, '{}') loop
    place := place + 1;
    current := sha256('audit-v1\\000'::bytea || int8send(place) || current || body);
    hashes := array_append(hashes, current);
  end loop;
  insert into audit_chain (sequence, entry_id, body, hash)
  select before + w.n, w.entry, w.body, w.hash
    from unnest(entries, bodies, hashes) with ordinality as w (entry, body, hash, n);
  delete from unsealed_audit_entries where id = any (waiting);
  return query select place, current;
end $$;

-- Nothing but these functions writes the chain, from entries that they have just read, and those never go away.
alter table audit_chain drop constraint audit_chain_entry_id_fkey;
`;
