/** The double-entry ledger: append-only, balanced at commit, balances kept by PostgreSQL itself. Amounts are USD at scale 6. */
export const name = '0003-ledger';

export const up = `
create table ledger_accounts (
  id text primary key,
  owner_id text,
  kind text not null check (kind in ('pending', 'available', 'hold', 'suspense', 'debt', 'external', 'fees', 'rounding', 'loss')),
  currency text not null default 'USD',
  track boolean not null default true,
  allow_negative boolean not null default false,
  balance bigint not null default 0,
  constraint no_overdraft check (allow_negative or balance >= 0),
  constraint debt_is_never_positive check (kind <> 'debt' or balance <= 0),
  constraint only_platform_is_untracked check (track or owner_id is null)
);
create index ledger_accounts_by_owner on ledger_accounts (owner_id);

create table journals (
  id text primary key check (id like 'je\\_%'),
  kind text not null,
  ref text not null,
  merchant_id text,
  payment_id text,
  reverses text unique references journals (id),
  created_at timestamptz not null,
  constraint journal_once unique (kind, ref)
);
create index journals_by_payment on journals (payment_id);

create table entries (
  id bigint generated always as identity primary key,
  journal_id text not null references journals (id),
  account_id text not null references ledger_accounts (id),
  amount bigint not null check (amount <> 0),
  created_at timestamptz not null,
  unique (journal_id, account_id)
);
create index entries_by_account on entries (account_id, created_at desc, id desc);

-- The application may insert entries, not touch balances: this trigger runs with the owner's rights.
create function apply_entry() returns trigger language plpgsql security definer set search_path = public as $$
begin
  update ledger_accounts set balance = balance + new.amount where id = new.account_id and track;
  return null;
end $$;
create trigger apply_entry after insert on entries for each row execute function apply_entry();

create function check_journal() returns trigger language plpgsql as $$
declare
  bad text;
begin
  select a.currency into bad from entries e join ledger_accounts a on a.id = e.account_id
   where e.journal_id = new.journal_id group by a.currency having sum(e.amount) <> 0 or count(*) < 2 limit 1;
  if bad is not null then
    raise exception 'journal % does not balance in %', new.journal_id, bad using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger check_journal after insert on entries deferrable initially deferred
  for each row execute function check_journal();

create function check_journal_has_entries() returns trigger language plpgsql as $$
begin
  if not exists (select from entries where journal_id = new.id) then
    raise exception 'journal % has no entries', new.id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger check_journal_has_entries after insert on journals deferrable initially deferred
  for each row execute function check_journal_has_entries();

create trigger journals_append_only before update or delete on journals for each row execute function refuse_change();
create trigger journals_no_truncate before truncate on journals for each statement execute function refuse_change();
create trigger entries_append_only before update or delete on entries for each row execute function refuse_change();
create trigger entries_no_truncate before truncate on entries for each statement execute function refuse_change();

-- Locks accounts in one order for everybody and tells their balances; the application has no update right of its own.
create function lock_accounts(ids text[]) returns table (id text, balance bigint)
language plpgsql security definer set search_path = public as $$
begin
  return query select a.id, a.balance from ledger_accounts a where a.id = any (ids) order by a.id for update;
end $$;
`;
