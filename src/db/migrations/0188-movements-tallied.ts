/** The movements of a merchant's statements are tallied: journals, which are written once. */
export const name = '0188-movements-tallied';

export const up = `
set local lock_timeout = '100ms';
-- With the owner's rights, as those of migration 0120.
create function tally_added_journals() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into tally_deltas (list, owner, slice, day, count, amount)
  select 'movements', merchant_id, '{}', (created_at at time zone 'UTC')::date, count(*), 0 from written
   where merchant_id is not null group by 2, 4;
  return null;
end $$;
revoke execute on function tally_added_journals from public;
create trigger tally_added after insert on journals referencing new table as written
  for each statement execute function tally_added_journals();

-- Each row as its list counts it. The triggers above and of migrations 0120 and 0132 say the same of what is written.
create or replace view tallied_rows as
select 'payments' as list, id, null::bigint as number, merchant_id as owner,
       array[status, source, currency, coalesce(exception, ''),
             case when booked_suspense > 0 and status in ('paid', 'expired', 'failed') then 'waiting' else '' end] as slice,
       created_at as at, greatest(booked_available, 0) as amount from payments
union all
select 'pruned_payments', payment_id, null, merchant_id, '{}', null, 0 from pruned_payments where revived_at is null
union all
select 'entries', null, id, account_id, '{}', created_at, 0 from entries
union all
select 'deliveries', id, null, merchant_id, array[status], created_at, 0 from webhook_deliveries
union all
select 'audit', id, null, '', array[actor_type, resource_type, action], created_at, 0 from audit_log
union all
select 'audit', id, null, merchant_id, array[actor_type, resource_type, action], created_at, 0 from audit_log
 where merchant_id is not null
union all
select 'links', id, null, merchant_id, array[case when disabled then 'disabled' else '' end,
       case when expiry_announced_at is null then '' else 'announced' end], created_at, 0
  from payment_links where deleted_at is null
union all
select 'link_expiries', id, null, merchant_id, '{}', expires_at, 0
  from payment_links where deleted_at is null and not disabled and expires_at is not null
union all
select 'link_payments', payment_id, null, link_id, '{}', null, amount_minor from payment_link_totals
union all
select 'plans', id, null, merchant_id, array[case when active then 'active' else '' end], created_at, 0 from plans
union all
select 'subscriptions', id, null, merchant_id,
       array[status, case when cancel_requested_at is null then '' else 'leaving' end], created_at, 0 from subscriptions
union all
select 'subscriptions', id, null, plan_id,
       array[status, case when cancel_requested_at is null then '' else 'leaving' end], created_at, 0 from subscriptions
union all
select 'merchants', id, null, '', array[status], created_at, 0 from merchants
union all
select 'withdrawals', id, null, merchant_id, array[status], created_at, 0 from withdrawals
union all
select 'withdrawals', id, null, '', array[status], created_at, 0 from withdrawals
union all
select 'refunds', id, null, merchant_id, array[status], created_at, 0 from refunds
union all
select 'movements', id, null, merchant_id, '{}', created_at, 0 from journals where merchant_id is not null;
`;
