/** Events are queued and sealed a statement at a time: renewals announce hundreds at once. */
export const name = '0026-events-together';

export const up = `
drop trigger queue_event on events;

-- The application may announce events, not queue them: this runs with the owner's rights. \`added\` has them as they were inserted.
create or replace function queue_event() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into unsealed_events (event_id) select id from added;
  return null;
end $$;
create trigger queue_event after insert on events referencing new table as added
  for each statement execute function queue_event();

-- Each event's hash needs the one before, so they are made one by one; they are stored together.
create or replace function seal_events(at_most integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  taken bigint[];
  event record;
  merchant text;
  place bigint;
  current bytea;
  merchants text[] := '{}';
  places bigint[] := '{}';
  sealed text[] := '{}';
  previous bytea[] := '{}';
  hashes bytea[] := '{}';
begin
  -- One at a time. The next begins after this one's commit, and so goes on from where it ended.
  if not pg_try_advisory_xact_lock(hashtext('seal_events'), 0) then
    return 0;
  end if;
  taken := array(select id from unsealed_events order by id limit at_most);
  for event in
    select e.id, e.merchant_id, e.body from unsealed_events u join events e on e.id = u.event_id
     where u.id = any (taken) order by e.merchant_id, u.id
  loop
    if event.merchant_id is distinct from merchant then
      merchant := event.merchant_id;
      select f.position, f.hash into place, current from event_feed f where f.merchant_id = merchant order by f.position desc limit 1;
      if not found then
        place := 0;
        current := decode(repeat('00', 32), 'hex');
      end if;
    end if;
    place := place + 1;
    previous := array_append(previous, current);
    current := sha256('event-v1\\000'::bytea || int8send(place) || current || event.body);
    merchants := array_append(merchants, merchant);
    places := array_append(places, place);
    sealed := array_append(sealed, event.id);
    hashes := array_append(hashes, current);
  end loop;
  insert into event_feed (merchant_id, position, event_id, previous_hash, hash)
  select * from unnest(merchants, places, sealed, previous, hashes);
  delete from unsealed_events where id = any (taken);
  return cardinality(taken);
end $$;
`;
