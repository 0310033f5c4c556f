/** Audit entries get their places in the chain a batch at a time, as events do: only the hashes go one after the other. */
export const name = '0130-sealed-together';

export const up = `
-- The same promises as before: whoever may call it can seal what was written and waits, with the bytes that say what the
-- entry says, and nothing else. An entry that is named twice fails at the second place, by the keys of audit_chain.
create or replace function seal_audit(waiting bigint[], bodies bytea[]) returns table (sequence bigint, hash bytea)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  place bigint;
  current bytea;
  body bytea;
  before bigint;
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
  if cardinality(waiting) <> cardinality(bodies) then
    raise exception '% entries and % bodies', cardinality(waiting), cardinality(bodies);
  end if;
  select 'no audit entry waits as number ' || coalesce(w.id::text, 'null') into wrong
    from unnest(waiting) with ordinality as w (id, n)
   where not exists (select from unsealed_audit_entries u join audit_log a on a.id = u.entry_id where u.id = w.id)
   order by w.n limit 1;
  if wrong is null then
    select 'these are not the bytes of audit entry ' || a.id into wrong
      from unnest(waiting, bodies) with ordinality as w (id, body, n)
      join unsealed_audit_entries u on u.id = w.id join audit_log a on a.id = u.entry_id
     where convert_from(w.body, 'UTF8')::jsonb is distinct from audit_entry_json(a)
     order by w.n limit 1;
  end if;
  if wrong is not null then
    raise exception '%', wrong;
  end if;
  foreach body in array bodies loop
    place := place + 1;
    current := sha256('audit-v1\\000'::bytea || int8send(place) || current || body);
    hashes := array_append(hashes, current);
  end loop;
  insert into audit_chain (sequence, entry_id, body, hash)
  select before + w.n, u.entry_id, w.body, w.hash
    from unnest(waiting, bodies, hashes) with ordinality as w (id, body, hash, n)
    join unsealed_audit_entries u on u.id = w.id order by w.n;
  delete from unsealed_audit_entries where id = any (waiting);
  return query select place, current;
end $$;
`;
