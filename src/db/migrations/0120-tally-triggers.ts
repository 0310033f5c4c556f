/** Whatever writes a row that is listed notes what its list gained or lost, in the same transaction. */
export const name = '0120-tally-triggers';

/** The rows of a table, each as its lists count it; `tallied_rows` (migration 0119) says the same. */
type Listed = { readonly table: string; readonly rows: (from: string) => string; readonly writtenOnce?: true };

const DAY = `(created_at at time zone 'UTC')::date`;
const AUDITED = `'audit', %owner, array[actor_type, resource_type, action], ${DAY}, 0::bigint`;
const SUBSCRIBED = `'subscriptions', %owner,
  array[status, case when cancel_requested_at is null then '' else 'leaving' end], ${DAY}, 0::bigint`;

const LISTED: readonly Listed[] = [
  {
    table: 'payments',
    rows: (from) => `
      select 'payments', merchant_id,
             array[status, source, currency, coalesce(exception, ''),
                   case when booked_suspense > 0 and status in ('paid', 'expired', 'failed') then 'waiting' else '' end],
             ${DAY}, greatest(booked_available, 0) from ${from}`,
  },
  {
    table: 'pruned_payments',
    rows: (from) => `
      select 'pruned_payments', merchant_id, '{}'::text[], null::date, 0::bigint from ${from} where revived_at is null`,
  },
  {
    table: 'entries',
    rows: (from) => `select 'entries', account_id, '{}'::text[], ${DAY}, 0::bigint from ${from}`,
    writtenOnce: true,
  },
  {
    table: 'webhook_deliveries',
    rows: (from) => `select 'deliveries', merchant_id, array[status], ${DAY}, 0::bigint from ${from}`,
  },
  {
    table: 'audit_log',
    rows: (from) => `
      select ${AUDITED.replace('%owner', `''`)} from ${from}
      union all
      select ${AUDITED.replace('%owner', 'merchant_id')} from ${from} where merchant_id is not null`,
    writtenOnce: true,
  },
  {
    table: 'payment_links',
    rows: (from) => `
      select 'links', merchant_id, array[case when disabled then 'disabled' else '' end], ${DAY}, 0::bigint
        from ${from} where deleted_at is null
      union all
      select 'link_expiries', merchant_id, '{}'::text[], (expires_at at time zone 'UTC')::date, 0
        from ${from} where deleted_at is null and not disabled and expires_at is not null`,
  },
  {
    table: 'payment_link_totals',
    rows: (from) => `select 'link_payments', link_id, '{}'::text[], null::date, amount_minor from ${from}`,
  },
  {
    table: 'plans',
    rows: (from) => `
      select 'plans', merchant_id, array[case when active then 'active' else '' end], ${DAY}, 0::bigint from ${from}`,
  },
  {
    table: 'subscriptions',
    rows: (from) => `
      select ${SUBSCRIBED.replace('%owner', 'merchant_id')} from ${from}
      union all
      select ${SUBSCRIBED.replace('%owner', 'plan_id')} from ${from}`,
  },
  {
    table: 'merchants',
    rows: (from) => `select 'merchants', '', array[status], ${DAY}, 0::bigint from ${from}`,
  },
];

const functionOf = (name: string, select: string): string => `
create function ${name}() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into tally_deltas (list, owner, slice, day, count, amount) ${select};
  return null;
end $$;`;

const COLUMNS = 'r (list, owner, slice, day, amount)';

/** Rows that change nothing that is counted leave nothing. */
const changed = (rows: Listed['rows']): string => `
  select list, owner, slice, day, sum(count), sum(amount) from (
    select r.*, 1 as count from (${rows('written')}) as r (list, owner, slice, day, amount)
    union all
    select list, owner, slice, day, -amount, -1 from (${rows('replaced')}) as ${COLUMNS}
  ) as c (list, owner, slice, day, amount, count)
  group by list, owner, slice, day having sum(count) <> 0 or sum(amount) <> 0`;

const summed = (rows: string, sign: '' | '-'): string => `
  select list, owner, slice, day, ${sign}count(*), ${sign}sum(amount) from (${rows}) as ${COLUMNS}
   group by list, owner, slice, day`;

const triggersOf = ({ table, rows, writtenOnce }: Listed): string => `
${functionOf(`tally_added_${table}`, summed(rows('written'), ''))}
create trigger tally_added after insert on ${table} referencing new table as written
  for each statement execute function tally_added_${table}();
${
  writtenOnce
    ? ''
    : `
${functionOf(`tally_changed_${table}`, changed(rows))}
create trigger tally_changed after update on ${table} referencing old table as replaced new table as written
  for each statement execute function tally_changed_${table}();
${functionOf(`tally_removed_${table}`, summed(rows('replaced'), '-'))}
create trigger tally_removed after delete on ${table} referencing old table as replaced
  for each statement execute function tally_removed_${table}();`
}`;

/** The locks of all tables are held together, so none of them is waited for long; the migration is tried again. */
export const up = `
set local lock_timeout = '100ms';
${LISTED.map(triggersOf).join('\n')}
`;
