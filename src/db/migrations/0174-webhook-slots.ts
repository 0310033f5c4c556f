/** What is in flight at an endpoint is noted beside deliveries: to lease one by its own row writes all of its indexes. */
export const name = '0174-webhook-slots';

export const up = `
-- The places in which a merchant's deliveries are in flight, ten at most. Rows are used again and again and only their
-- key is in an index, so a change writes none.
create table webhook_slots (
  merchant_id text not null references merchants (id),
  slot smallint not null check (slot between 1 and 10),
  -- Null while the slot is free.
  delivery_id text,
  -- Counts the delivery's attempts from 1.
  attempt integer check (attempt > 0),
  worker text,
  -- In the database's time. A slot whose lease has ended is free, too; it still says which attempt was lost.
  ends_at timestamptz,
  primary key (merchant_id, slot),
  check (num_nulls(delivery_id, attempt, worker, ends_at) in (0, 4))
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

-- The release before leases a delivery by its own row and knows no slots: it passes over what is in flight in one. It
-- does so with the owner's rights, because the application's role gets its own only after the last migration.
create function pass_over_delivery_in_slot() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from webhook_slots
              where merchant_id = new.merchant_id and delivery_id = new.id and ends_at > clock_timestamp()) then
    return null;
  end if;
  return new;
end $$;
revoke execute on function pass_over_delivery_in_slot from public;
create trigger in_slot before update of locked_until on webhook_deliveries for each row
  when (new.locked_until is not null and new.locked_until is distinct from old.locked_until)
  execute function pass_over_delivery_in_slot();
`;
