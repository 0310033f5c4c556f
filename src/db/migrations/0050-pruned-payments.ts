/** Payments that payers began through links and that nobody paid go away after a while; what comes late still finds them. */
export const name = '0050-pruned-payments';

export const up = `
create table pruned_payments (
  payment_id text primary key,
  merchant_id text not null,
  -- Its row, without nulls and without the payer's e-mail address. Money that comes late brings the payment back from it.
  row_then jsonb not null,
  pruned_at timestamptz not null,
  -- When money came after all. Its row is in payments again.
  revived_at timestamptz
);
create index pruned_payments_by_merchant on pruned_payments (merchant_id) where revived_at is null;
create trigger pruned_payments_stay before delete on pruned_payments for each row execute function refuse_change();
create trigger pruned_payments_no_truncate before truncate on pruned_payments
  for each statement execute function refuse_change();

-- The addresses of a pruned payment stay, so that they are watched and never given to another payment.
alter table deposit_addresses drop constraint deposit_addresses_payment_id_fkey;

-- The body of an announced event may be emptied, and nothing else of it can change. Only prune_payments does that:
-- the application's role may not update events.
drop trigger events_append_only on events;
create trigger events_append_only before update on events for each row
  when ((new.id, new.merchant_id, new.type, new.resource_id, new.sequence, new.created_at)
    is distinct from (old.id, old.merchant_id, old.type, old.resource_id, old.sequence, old.created_at)
    or length(new.body) > 0)
  execute function refuse_change();
create trigger events_stay before delete on events for each row execute function refuse_change();

-- Takes away payments that were begun through links, ended unpaid more than 30 days ago, and can not be paid late any
-- more. It looks at the first at_most of those whose ids lie between two, and tells the last one, so that the next call
-- goes on behind it. It runs with the owner's rights, because the application may not delete payments. So it doubts its
-- caller: a live deployment's money is judged by the database's clock whatever date is told, at most 1,000 payments go
-- at once, and in the first 7 days of this schema none does, because processes of the release before may still run.
-- Each statement sees what was committed before it. So rows are locked first, and then asked what came meanwhile: a
-- credit refers to its payment, a delivery to its event, and neither can be added while these are locked.
create function prune_payments(
  as_of timestamptz, at_most integer, after_id text, before_id text,
  out pruned integer, out looked_at integer, out last_id text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  due text[];
  taken text[];
begin
  pruned := 0;
  looked_at := 0;
  if exists (select from deployment where mode = 'live') then
    as_of := least(as_of, clock_timestamp());
    if exists (select from kysely_migration where name = '0050-pruned-payments'
        and timestamp::timestamptz > clock_timestamp() - interval '7 days') then
      return;
    end if;
  end if;
  due := array(
    select p.id from payments p
     where p.source = 'link' and p.status = 'expired' and p.credit_count = 0
       and p.id > after_id and p.id < before_id
       and p.updated_at <= as_of - interval '30 days'
       and p.expires_at + p.late_window_ms * interval '1 millisecond' <= as_of
     order by p.id limit greatest(0, least(at_most, 1000)));
  looked_at := cardinality(due);
  last_id := due[looked_at];
  taken := array(
    select p.id from payments p
     where p.id = any (due) and p.source = 'link' and p.status = 'expired' and p.credit_count = 0
       and p.updated_at <= as_of - interval '30 days'
       and not exists (select from credits c where c.payment_id = p.id)
       and not exists (select from journals j where j.payment_id = p.id)
       and not exists (select from deposit_addresses a join unexplained_holdings h on h.address = a.address
         where a.payment_id = p.id)
       and not exists (select from incidents i where i.subject = p.id and i.resolved_at is null)
       and not exists (select from events e where e.resource_id = p.id
         and (not exists (select from event_feed f where f.event_id = e.id)
           or exists (select from webhook_deliveries d where d.event_id = e.id and d.status = 'pending')))
     order by p.id for update of p skip locked);
  perform from events where resource_id = any (taken) for update;
  perform from webhook_deliveries d join events e on e.id = d.event_id
    where e.resource_id = any (taken) for update of d;
  taken := array(
    select id from unnest(taken) as t (id)
     where not exists (select from credits c where c.payment_id = t.id)
       and not exists (select from events e join webhook_deliveries d on d.event_id = e.id
         where e.resource_id = t.id and d.status = 'pending'));
  insert into pruned_payments (payment_id, merchant_id, row_then, pruned_at)
    select p.id, p.merchant_id, kept.row_then, as_of from payments p cross join lateral (
      select jsonb_object_agg(key, value) as row_then from jsonb_each(to_jsonb(p) - 'customer_email')
       where value <> 'null') as kept
     where p.id = any (taken);
  delete from webhook_attempts a using webhook_deliveries d, events e
    where a.delivery_id = d.id and d.event_id = e.id and e.resource_id = any (taken);
  delete from webhook_deliveries d using events e where d.event_id = e.id and e.resource_id = any (taken);
  update events set body = '' where resource_id = any (taken);
  delete from payments where id = any (taken);
  pruned := cardinality(taken);
end $$;
-- The application's role is granted it by grantRights.
revoke execute on function prune_payments(timestamptz, integer, text, text) from public;

-- Brings a pruned payment back when a transfer to it is stored, whatever code stores it, before the reference to it is
-- checked. Who comes while it is being pruned waits for that commit, and then finds what it left. Columns that are
-- newer than the stored row get their defaults.
create function revive_payment() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  stored jsonb;
  columns text;
begin
  perform from payments where id = new.payment_id for key share;
  if found then
    return new;
  end if;
  update pruned_payments set revived_at = new.seen_at
   where payment_id = new.payment_id and revived_at is null returning row_then into stored;
  if found then
    select string_agg(quote_ident(attname), ', ') into columns from pg_attribute
     where attrelid = 'payments'::regclass and attnum > 0 and not attisdropped and stored ? attname::text;
    execute format('insert into payments (%1$s) select %1$s from jsonb_populate_record(null::payments, $1)', columns)
      using stored;
  end if;
  return new;
end $$;
create trigger revive_payment before insert on credits for each row execute function revive_payment();
`;
