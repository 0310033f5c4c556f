/** How many rows each list has, by owner, day and what it is filtered by: a total is a sum of few rows. */
export const name = '0119-tallies';

/** What the day of a row `d` counts into. */
const GRAINS = `(values
  (0::smallint, '-infinity'::date), (1::smallint, date_trunc('month', d.day::timestamp)::date), (2::smallint, d.day)
) as g (grain, start)`;

export const up = `
-- What a transaction changed, until it is rolled up. Only ever inserted, so that no writer waits for another.
create table tally_deltas (
  list text not null,
  owner text not null,
  slice text[] not null,
  -- UTC; null where nobody asks for days.
  day date,
  count bigint not null,
  amount bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
        autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 20000,
        autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 100000, autovacuum_vacuum_cost_delay = 0);
create index tally_deltas_by_owner on tally_deltas (list, owner);

create table tallies (
  list text not null,
  owner text not null,
  -- 0: all days, 1: a month, 2: a day.
  grain smallint not null check (grain in (0, 1, 2)),
  -- The first day of it; '-infinity' of all days.
  start date not null check ((grain = 0) = (start = '-infinity') and (grain <> 1 or extract(day from start) = 1)),
  slice text[] not null,
  count bigint not null,
  amount bigint not null,
  primary key (list, owner, grain, start, slice)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

-- How far the check has come in its round, and when that began.
create table tally_checks (
  one boolean primary key default true check (one),
  began_at timestamptz,
  list text not null default '',
  owner text not null default '',
  start date not null default '-infinity'
);
insert into tally_checks default values;

-- Each row as its list counts it. The triggers of migration 0120 say the same of rows that are written: change both.
create view tallied_rows as
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
select 'links', id, null, merchant_id, array[case when disabled then 'disabled' else '' end], created_at, 0
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
select 'merchants', id, null, '', array[status], created_at, 0 from merchants;

-- Adds to what the tallies say; rows that count nothing any more go away. Whoever calls it holds the lock of the tallies.
create function add_tallies(added tallies[]) returns void language plpgsql set search_path = public, pg_temp as $$
declare
  emptied tallies[];
begin
  with kept as (
    insert into tallies as t select * from unnest(added) as a where a.count <> 0 or a.amount <> 0
    order by a.list, a.owner, a.grain, a.start, a.slice
    on conflict (list, owner, grain, start, slice)
    do update set count = t.count + excluded.count, amount = t.amount + excluded.amount
    returning t.*
  )
  select array_agg(k::tallies) into emptied from kept k where k.count = 0 and k.amount = 0;
  delete from tallies t using unnest(emptied) e
   where (t.list, t.owner, t.grain, t.start, t.slice) = (e.list, e.owner, e.grain, e.start, e.slice);
end $$;

-- Moves at most so many deltas into the tallies, in one transaction: a total is the same before and after. Returns how
-- many; 0 while somebody else does it.
create function roll_up_tallies(at_most integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  taken integer;
  sums tallies[];
begin
  if not pg_try_advisory_xact_lock(hashtextextended('kasi tallies', 0)) then
    return 0;
  end if;
  with gone as (
    delete from tally_deltas where ctid = any (array(select ctid from tally_deltas limit at_most)) returning *
  ), graded as (
    select d.list, d.owner, g.grain, g.start, d.slice, sum(d.count)::bigint, sum(d.amount)::bigint
      from gone d cross join lateral ${GRAINS} where g.start is not null
     group by d.list, d.owner, g.grain, g.start, d.slice
  )
  select (select count(*) from gone), (select array_agg(g::tallies) from graded g) into taken, sums;
  perform add_tallies(sums);
  return taken;
end $$;

-- What the tallies of these days lack (of all days as a whole, where they are null), which it adds. Rows, tallies and
-- deltas that one statement sees differ by the same at any moment, whoever writes meanwhile, so no writer waits.
create function recount_tallies(checked text, of_owner text, first_day date, next_day date) returns setof tallies
language plpgsql set search_path = public, pg_temp as $$
declare
  since timestamptz := first_day::timestamp at time zone 'UTC';
  until timestamptz := next_day::timestamp at time zone 'UTC';
  of_grain smallint := case when first_day is null then 0 else 2 end;
  lacking tallies[];
begin
  select array_agg((checked, of_owner, of_grain, start, slice, count, amount)::tallies) into lacking
    from (
      select start, slice, sum(count)::bigint as count, sum(amount)::bigint as amount from (
        select (at at time zone 'UTC')::date as start, slice, 1 as count, amount from tallied_rows
         where list = checked and owner = of_owner and at >= since and at < until
        union all
        select '-infinity', slice, 1, amount from tallied_rows
         where first_day is null and list = checked and owner = of_owner
        union all
        select start, slice, -count, -amount from tallies
         where list = checked and owner = of_owner and grain = of_grain
           and (first_day is null or start >= first_day and start < next_day)
        union all
        select coalesce(day, '-infinity'), slice, -count, -amount from tally_deltas
         where list = checked and owner = of_owner and (first_day is null or day >= first_day and day < next_day)
      ) as counted group by start, slice
    ) as summed where count <> 0 or amount <> 0;
  perform add_tallies(lacking);
  return query select * from unnest(lacking);
end $$;

-- Whether a month is not what its days are, or the whole not what its months are.
create function tally_differs(checked text, of_owner text, of_grain smallint, first_day date) returns boolean
language sql set search_path = public, pg_temp as $$
  select exists (
    select from tallies
     where list = checked and owner = of_owner
       and (grain = of_grain and start = first_day
         or grain = of_grain + 1
           and (of_grain = 0 or start >= first_day and start < (first_day + interval '1 month')::date))
     group by slice
    having sum(case when grain = of_grain then -count else count end) <> 0
        or sum(case when grain = of_grain then -amount else amount end) <> 0)
$$;

-- What a month lacks of its days, or the whole of its months, which it adds.
create function sum_tallies(checked text, of_owner text, of_grain smallint, first_day date) returns setof tallies
language plpgsql set search_path = public, pg_temp as $$
declare
  lacking tallies[];
begin
  select array_agg((checked, of_owner, of_grain, first_day, slice, count, amount)::tallies) into lacking
    from (
      select slice, sum(case when grain = of_grain then -count else count end)::bigint as count,
             sum(case when grain = of_grain then -amount else amount end)::bigint as amount
        from tallies
       where list = checked and owner = of_owner
         and (grain = of_grain and start = first_day
           or grain = of_grain + 1
             and (of_grain = 0 or start >= first_day and start < (first_day + interval '1 month')::date))
       group by slice
    ) as summed where count <> 0 or amount <> 0;
  perform add_tallies(lacking);
  return query select * from unnest(lacking);
end $$;

-- Recounts one owner of one day, or of all days where day is null, and repairs. Where then a month is not what its days
-- are, its other days are recounted, too; where the whole is not what its months are, months that are gone. Returns what
-- was lacking.
create function check_tally(checked text, of_owner text, of_day date) returns setof tallies
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  month date := date_trunc('month', of_day::timestamp)::date;
  gone date;
begin
  perform pg_advisory_xact_lock(hashtextextended('kasi tallies', 0));
  return query select * from recount_tallies(checked, of_owner, of_day, of_day + 1);
  if of_day is null then
    return;
  end if;
  if tally_differs(checked, of_owner, 1::smallint, month) then
    return query select * from recount_tallies(checked, of_owner, month, (month + interval '1 month')::date);
    return query select * from sum_tallies(checked, of_owner, 1::smallint, month);
  end if;
  if tally_differs(checked, of_owner, 0::smallint, '-infinity') then
    for gone in
      select m::date from generate_series(
          (select date_trunc('month', at at time zone 'UTC') from tallied_rows
            where list = checked and owner = of_owner order by at limit 1),
          (select at at time zone 'UTC' from tallied_rows
            where list = checked and owner = of_owner order by at desc limit 1), interval '1 month') as m
       where not exists (select from tallies
         where list = checked and owner = of_owner and grain = 1 and start = m::date)
    loop
      return query select * from recount_tallies(checked, of_owner, gone, (gone + interval '1 month')::date);
      return query select * from sum_tallies(checked, of_owner, 1::smallint, gone);
    end loop;
    return query select * from sum_tallies(checked, of_owner, 0::smallint, '-infinity');
  end if;
end $$;

-- The same for a whole list at once. It reads every row of it: for migrations, and for who has filled tables by hand.
create function rebuild_tallies(checked text) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  mended bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('kasi tallies', 0));
  with days as (
    select owner, slice, (at at time zone 'UTC')::date as day, count(*) as count, sum(amount) as amount
      from tallied_rows where list = checked group by owner, slice, day
    union all
    select owner, slice, day, -sum(count), -sum(amount) from tally_deltas where list = checked group by owner, slice, day
  )
  insert into tallies as t
  select checked, owner, grain, start, slice, sum(count)::bigint, sum(amount)::bigint from (
    select d.owner, g.grain, g.start, d.slice, d.count, d.amount from days d cross join lateral ${GRAINS}
     where g.start is not null
    union all
    select owner, grain, start, slice, -count, -amount from tallies where list = checked
  ) as lacking
  group by owner, grain, start, slice having sum(count) <> 0 or sum(amount) <> 0
  order by owner, grain, start, slice
  on conflict (list, owner, grain, start, slice)
  do update set count = t.count + excluded.count, amount = t.amount + excluded.amount;
  get diagnostics mended = row_count;
  delete from tallies where list = checked and count = 0 and amount = 0;
  return mended;
end $$;
revoke execute on function add_tallies, roll_up_tallies, recount_tallies, sum_tallies, check_tally, rebuild_tallies
  from public;
`;
