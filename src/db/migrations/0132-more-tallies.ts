/** Withdrawals and refunds are tallied, links also by whether their expiry was announced; merchants keep their terms. */
export const name = '0132-more-tallies';

const DAY = `(created_at at time zone 'UTC')::date`;
const COLUMNS = 'r (list, owner, slice, day, amount)';

/** A row as its lists count it; the view below says the same. */
type Listed = { readonly table: string; readonly rows: (from: string) => string };

const WITHDRAWALS: Listed = {
  table: 'withdrawals',
  rows: (from) => `
      select 'withdrawals', merchant_id, array[status], ${DAY}, 0::bigint from ${from}
      union all
      select 'withdrawals', '', array[status], ${DAY}, 0 from ${from}`,
};

const REFUNDS: Listed = {
  table: 'refunds',
  rows: (from) => `select 'refunds', merchant_id, array[status], ${DAY}, 0::bigint from ${from}`,
};

const LINKS: Listed = {
  table: 'payment_links',
  rows: (from) => `
      select 'links', merchant_id, array[case when disabled then 'disabled' else '' end,
             case when expiry_announced_at is null then '' else 'announced' end], ${DAY}, 0::bigint
        from ${from} where deleted_at is null
      union all
      select 'link_expiries', merchant_id, '{}'::text[], (expires_at at time zone 'UTC')::date, 0
        from ${from} where deleted_at is null and not disabled and expires_at is not null`,
};

const functionOf = (name: string, select: string): string => `
create or replace function ${name}() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into tally_deltas (list, owner, slice, day, count, amount) ${select};
  return null;
end $$;`;

const summed = (rows: string, sign: '' | '-'): string => `
  select list, owner, slice, day, ${sign}count(*), ${sign}sum(amount) from (${rows}) as ${COLUMNS}
   group by list, owner, slice, day`;

/** Rows that change nothing that is counted leave nothing. */
const changed = (rows: Listed['rows']): string => `
  select list, owner, slice, day, sum(count), sum(amount) from (
    select r.*, 1 as count from (${rows('written')}) as r (list, owner, slice, day, amount)
    union all
    select list, owner, slice, day, -amount, -1 from (${rows('replaced')}) as ${COLUMNS}
  ) as c (list, owner, slice, day, amount, count)
  group by list, owner, slice, day having sum(count) <> 0 or sum(amount) <> 0`;

const functionsOf = ({ table, rows }: Listed): string => `
${functionOf(`tally_added_${table}`, summed(rows('written'), ''))}
${functionOf(`tally_changed_${table}`, changed(rows))}
${functionOf(`tally_removed_${table}`, summed(rows('replaced'), '-'))}`;

const triggersOf = ({ table }: Listed): string => `
create trigger tally_added after insert on ${table} referencing new table as written
  for each statement execute function tally_added_${table}();
create trigger tally_changed after update on ${table} referencing old table as replaced new table as written
  for each statement execute function tally_changed_${table}();
create trigger tally_removed after delete on ${table} referencing old table as replaced
  for each statement execute function tally_removed_${table}();`;

/** The locks of all tables are held together, so none of them is waited for long; the migration is tried again. */
export const up = `
-- Whoever has written a link by the functions of before commits first, so that 0133 counts it.
lock table payment_links in share row exclusive mode;
set local lock_timeout = '100ms';
${[WITHDRAWALS, REFUNDS, LINKS].map(functionsOf).join('\n')}
${[WITHDRAWALS, REFUNDS].map(triggersOf).join('\n')}

-- Each row as its list counts it. The triggers above and of migration 0120 say the same of rows that are written.
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
select 'refunds', id, null, merchant_id, array[status], created_at, 0 from refunds;

-- What merchant_terms() says of the row: a search for a word that many have would make it of each of them.
alter table merchants add column terms tsvector;
create function keep_merchant_terms() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  new.terms := merchant_terms(new.id, new.business_name, new.email, new.phone);
  return new;
end $$;
create trigger keep_terms before insert or update of id, business_name, email, phone on merchants
  for each row execute function keep_merchant_terms();
`;
