/** What each merchant's accounts moved in each month, by kind of journal: what a balance was is a sum of few rows. */
export const name = '0084-ledger-months';

export const up = `
create table ledger_months (
  merchant_id text not null,
  -- The first day, UTC.
  month date not null check (extract(day from month) = 1),
  kind text not null,
  account text not null check (account in ('pending', 'available', 'hold', 'suspense', 'debt', 'fees')),
  amount bigint not null,
  -- Each journal counts in one row.
  journals bigint not null check (journals >= 0),
  primary key (merchant_id, month, kind, account)
);

-- Entries of one journal come in one statement, so its first line counts it. Journals and accounts are found each by
-- its index, whatever the planner believes of these tables.
create function sum_month() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into ledger_months as m (merchant_id, month, kind, account, amount, journals)
  select merchant_id, month, kind, account, sum(amount)::bigint, count(*) filter (where line = 1)
    from (
      select coalesce(a.owner_id, j.merchant_id) as merchant_id, j.kind, a.kind as account, e.amount,
             date_trunc('month', e.created_at at time zone 'UTC')::date as month,
             row_number() over (partition by e.journal_id order by e.account_id) as line
        from added e
       cross join lateral (select kind, merchant_id from journals where id = e.journal_id limit 1) j
       cross join lateral (select kind, owner_id from ledger_accounts where id = e.account_id limit 1) a
       where (a.owner_id is not null or a.kind = 'fees' and j.merchant_id is not null)) as lines
   group by merchant_id, month, kind, account order by merchant_id, month, kind, account
  on conflict (merchant_id, month, kind, account)
  do update set amount = m.amount + excluded.amount, journals = m.journals + excluded.journals;
  return null;
end $$;

-- What is in the ledger already is read without a lock that others would wait for. A lock that is given back at once
-- tells the entry up to which all is committed; only those after it are read while nobody can write.
do $$
declare
  settled bigint;
  tail bigint;
begin
  begin
    lock table entries in share mode;
    settled := coalesce((select max(id) from entries), 0);
    raise exception using errcode = 'KS000';
  exception when sqlstate 'KS000' then null;
  end;
  for pass in 1 .. 2 loop
    if pass = 2 then
      lock table entries in share row exclusive mode;
    end if;
    tail := coalesce((select max(id) from entries), 0);
    insert into ledger_months as m (merchant_id, month, kind, account, amount, journals)
    select merchant_id, month, kind, account, sum(amount)::bigint, count(*) filter (where line = 1)
      from (
        select coalesce(a.owner_id, j.merchant_id) as merchant_id, j.kind, a.kind as account, e.amount,
               date_trunc('month', e.created_at at time zone 'UTC')::date as month,
               row_number() over (partition by e.journal_id order by e.account_id) as line
          from entries e join journals j on j.id = e.journal_id join ledger_accounts a on a.id = e.account_id
         where e.id > case when pass = 1 then 0 else settled end and e.id <= case when pass = 1 then settled else tail end
           and (a.owner_id is not null or a.kind = 'fees' and j.merchant_id is not null)) as lines
     group by merchant_id, month, kind, account
    on conflict (merchant_id, month, kind, account)
    do update set amount = m.amount + excluded.amount, journals = m.journals + excluded.journals;
  end loop;
end $$;
create trigger sum_month after insert on entries referencing new table as added
  for each statement execute function sum_month();
`;
