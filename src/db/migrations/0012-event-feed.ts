/** The feed: every event of a merchant in one order without gaps, each with the hash of the one before. */
export const name = '0012-event-feed';

export const up = `
-- Events that have no position yet. Not a foreign key, so that nothing is locked for it: the row comes and goes with a trigger of ours.
create table unsealed_events (
  id bigint generated always as identity primary key,
  event_id text not null
);
alter table unsealed_events set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

create table event_feed (
  -- As the event says, which refers to the merchant: another reference would wait here for whoever has locked that row.
  merchant_id text not null,
  position bigint not null check (position > 0),
  event_id text not null unique references events (id),
  previous_hash bytea not null check (length(previous_hash) = 32),
  hash bytea not null check (length(hash) = 32),
  primary key (merchant_id, position)
);
create trigger event_feed_append_only before update or delete on event_feed for each row execute function refuse_change();
create trigger event_feed_no_truncate before truncate on event_feed for each statement execute function refuse_change();

-- What was announced stays.
drop trigger events_append_only on events;
create trigger events_append_only before update or delete on events for each row execute function refuse_change();
create trigger events_no_truncate before truncate on events for each statement execute function refuse_change();

insert into unsealed_events (event_id) select id from events order by created_at, resource_id, sequence;

-- With the owner's rights: the application can not announce anything past the feed, nor take back what waits for it.
create function queue_event() returns trigger language plpgsql security definer set search_path = public as $$
begin
  insert into unsealed_events (event_id) values (new.id);
  return null;
end $$;
create trigger queue_event after insert on events for each row execute function queue_event();

-- Gives up to at_most events their positions and hashes, and tells how many; 0 when none waits, or while somebody else is at it. It runs
-- with the owner's rights and nobody else may write the feed, so that a position comes with the right hash or not at all.
-- The lowest numbers go first: what was committed before another event was announced has the lower one, and is seen when that one is,
-- so it stands before it.
create function seal_events(at_most integer) returns integer
language plpgsql security definer set search_path = public as $$
declare
  taken bigint[];
  event record;
  merchant text;
  place bigint;
  previous bytea;
  current bytea;
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
    previous := current;
    current := sha256('event-v1\\000'::bytea || int8send(place) || previous || event.body);
    insert into event_feed (merchant_id, position, event_id, previous_hash, hash) values (merchant, place, event.id, previous, current);
  end loop;
  delete from unsealed_events where id = any (taken);
  return cardinality(taken);
end $$;
`;
