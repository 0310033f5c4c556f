/**
 * Money that comes in waits for no account: where another transaction has the row of a balance, or of a month's sum, it
 * leaves a delta, which is added later. Money that goes out locks its merchant and adds what waits first.
 */
export const name = '0165-income-noted';

/** Rows that live for seconds. */
const SHORT_LIVED = `with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 20000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 100000, autovacuum_vacuum_cost_delay = 0)`;

const MONTH = 'merchant_id, month, kind, account';
export const up = `
-- What came in while another transaction had the row of the account. Only ever inserted, so that no writer waits.
create table account_deltas (
  account_id text not null,
  amount bigint not null check (amount > 0)
) ${SHORT_LIVED};
create index account_deltas_by_account on account_deltas (account_id);

-- The same for the sums of a month.
create table month_deltas (
  merchant_id text not null,
  month date not null,
  kind text not null,
  account text not null,
  amount bigint not null,
  journals bigint not null
) ${SHORT_LIVED};
create index month_deltas_by_merchant on month_deltas (merchant_id);

-- Deletions are published by the whole row, for they have no key: a logical copy would stop all money otherwise.
alter table account_deltas replica identity full;
alter table month_deltas replica identity full;
alter table tally_deltas replica identity full;

-- Read by the rights of who asks, so that no grant on a view lets write to what is below it.
-- Balances with all that waits; exact at any moment, for a statement sees a row and its deltas as of one moment.
create view ledger_balances with (security_invoker = true) as
select a.id, a.owner_id, a.kind, a.currency, a.track,
       a.balance + coalesce((select sum(d.amount) from account_deltas d where d.account_id = a.id), 0)::bigint as balance
  from ledger_accounts a;
create view ledger_month_sums with (security_invoker = true) as
select ${MONTH}, amount, journals from ledger_months union all select ${MONTH}, amount, journals from month_deltas;

create function money_lock(merchant text) returns bigint language sql immutable set search_path = public, pg_temp as $$
  select hashtextextended('kasi money of ' || merchant, 0)
$$;

create function month_lock(merchant text) returns bigint language sql immutable set search_path = public, pg_temp as $$
  select hashtextextended('kasi months of ' || merchant, 0)
$$;

-- Adds what waits for accounts. The caller has locked their rows in a statement before, so it sees all of it.
create function add_account_deltas(ids text[]) returns integer language plpgsql set search_path = public, pg_temp as $$
declare
  sums jsonb;
  taken integer;
begin
  with gone as (delete from account_deltas where account_id = any (ids) returning account_id, amount),
       totals as (select account_id, sum(amount)::bigint as total, count(*) as rows from gone group by account_id)
  select jsonb_object_agg(account_id, total), sum(rows) into sums, taken from totals;
  if taken > 0 then
    update ledger_accounts set balance = balance + (sums ->> id)::bigint
     where id = any (array(select jsonb_object_keys(sums)));
  end if;
  return coalesce(taken, 0);
end $$;

-- Locks accounts, each after the money of its merchant: what comes in has ended by then, and is in the balances. The
-- lock of the merchant is an advisory one, because its turns are fair: a row could be shared for ever.
create or replace function lock_accounts(ids text[]) returns table (id text, balance bigint)
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(key) from (
    select distinct money_lock(a.owner_id) as key from ledger_accounts a
     where a.id = any (ids) and a.owner_id is not null order by key) as merchants;
  perform from ledger_accounts a where a.id = any (ids) order by a.id for update;
  perform add_account_deltas(ids);
  return query select a.id, a.balance from ledger_accounts a where a.id = any (ids) order by a.id;
end $$;

-- Lets money of merchants come in beside other money that comes in: nothing goes out meanwhile, and no debt is made. Who
-- owes repays first, so there the accounts that this is booked on are locked; their balances are returned.
create function share_accounts(merchants text[]) returns table (id text, balance bigint)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  debts text[] := array(select merchant || ':debt' from unnest(merchants) merchant);
  owing text[] := array(select a.owner_id from ledger_accounts a where a.id = any (debts) and a.balance <> 0);
begin
  perform case when merchant = any (owing) then pg_advisory_xact_lock(key) else pg_advisory_xact_lock_shared(key) end
     from (select merchant, money_lock(merchant) as key from unnest(merchants) merchant order by key) as locks;
  if exists (select from ledger_accounts a
              where a.id = any (debts) and a.balance <> 0 and not a.owner_id = any (owing)) then
    raise exception 'a merchant has come to owe meanwhile' using errcode = 'serialization_failure';
  end if;
  if owing <> '{}' then
    return query select * from lock_accounts(array(
      select merchant || kind from unnest(owing) merchant, unnest(array[':available', ':debt']) kind));
  end if;
end $$;

-- What takes from an account, or repays a debt, locks its row and sees all that came before it, so no_overdraft holds.
-- What only adds takes the row where it is free, and otherwise notes what it adds.
create or replace function apply_entry() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  totals jsonb;
  taken text[];
  given text[];
begin
  select jsonb_object_agg(s.account_id, s.total),
         array_agg(s.account_id) filter (where s.total < 0 or a.kind not in ('pending', 'available', 'suspense')),
         array_agg(s.account_id) filter (where s.total > 0 and a.kind in ('pending', 'available', 'suspense'))
    into totals, taken, given
    from (select account_id, sum(amount)::bigint as total from added group by account_id) as s
   cross join lateral (select kind, track from ledger_accounts where id = s.account_id limit 1) a
   where a.track and s.total <> 0;
  if taken is not null then
    perform from ledger_accounts where id = any (taken) order by id for no key update;
    perform add_account_deltas(taken);
  end if;
  if given is not null then
    select array_agg(id) into given from (
      select id from ledger_accounts where id = any (given) order by id for no key update skip locked) as free;
  end if;
  -- With what waits, which no job adds in a release before.
  perform add_account_deltas(given);
  update ledger_accounts set balance = balance + (totals ->> id)::bigint where id = any (taken || given);
  insert into account_deltas (account_id, amount)
  select key, value::bigint from jsonb_each_text(totals) where key <> all (coalesce(taken || given, '{}'));
  return null;
end $$;

-- The same for the sums of months. One transaction at a time writes those of a merchant.
create or replace function sum_month() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  sums ledger_months[];
  busy text[];
begin
  select array_agg((${MONTH}, amount, journals)::ledger_months order by ${MONTH}) into sums from (
    select merchant_id, month, kind, account, sum(amount)::bigint as amount, count(*) filter (where line = 1) as journals
      from (
        select coalesce(a.owner_id, j.merchant_id) as merchant_id, j.kind, a.kind as account, e.amount,
               date_trunc('month', e.created_at at time zone 'UTC')::date as month,
               row_number() over (partition by e.journal_id order by e.account_id) as line
          from added e
          join (select named.journal_id, j.kind, j.merchant_id from (select distinct journal_id from added) as named
                 cross join lateral (select kind, merchant_id from journals where id = named.journal_id limit 1) j) j
         using (journal_id)
          join (select named.account_id, a.kind, a.owner_id from (select distinct account_id from added) as named
                 cross join lateral (select kind, owner_id from ledger_accounts where id = named.account_id limit 1) a) a
         using (account_id)
         where (a.owner_id is not null or a.kind = 'fees' and j.merchant_id is not null)) as lines
     group by merchant_id, month, kind, account) as summed;
  if sums is null then
    return null;
  end if;
  busy := array(
    select merchant_id from (select distinct merchant_id from unnest(sums) order by merchant_id) as named
     where not pg_try_advisory_xact_lock(month_lock(merchant_id)));
  insert into month_deltas (${MONTH}, amount, journals)
  select ${MONTH}, amount, journals from unnest(sums) where merchant_id = any (busy);
  with gone as (
    delete from month_deltas
     where merchant_id = any (array(select merchant_id from unnest(sums) where merchant_id <> all (busy)))
    returning *)
  insert into ledger_months as m (${MONTH}, amount, journals)
  select ${MONTH}, sum(amount)::bigint, sum(journals)::bigint from (
    select ${MONTH}, amount, journals from unnest(sums) where merchant_id <> all (busy)
    union all select ${MONTH}, amount, journals from gone) as added_now
   group by ${MONTH} order by ${MONTH}
  on conflict (${MONTH}) do update set amount = m.amount + excluded.amount, journals = m.journals + excluded.journals;
  return null;
end $$;

-- Adds what waits for one account, and returns how many deltas that were. One at a time, so that it waits for no second
-- row with the first one locked.
create function roll_up_account(wanted text) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from ledger_accounts where id = wanted for no key update;
  return add_account_deltas(array[wanted]);
end $$;

-- The same for the months of a merchant.
create function roll_up_months(merchant text) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  taken integer;
begin
  perform pg_advisory_xact_lock(month_lock(merchant));
  with gone as (delete from month_deltas d where d.merchant_id = merchant returning d.*),
       added as (
         insert into ledger_months as m (${MONTH}, amount, journals)
         select ${MONTH}, sum(amount)::bigint, sum(journals)::bigint from gone group by ${MONTH} order by ${MONTH}
         on conflict (${MONTH})
         do update set amount = m.amount + excluded.amount, journals = m.journals + excluded.journals)
  select count(*) into taken from gone;
  return taken;
end $$;
`;
