/** Balances follow their entries a statement at a time: renewals book hundreds at once, many of them to one account. */
export const name = '0025-entries-together';

export const up = `
drop trigger apply_entry on entries;

-- The application may insert entries, not touch balances: this runs with the owner's rights. Accounts are locked in the one order that
-- everybody uses.
create or replace function apply_entry() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from ledger_accounts where track and id in (select account_id from added) order by id for no key update;
  update ledger_accounts set balance = balance + total
    from (select account_id, sum(amount)::bigint as total from added group by account_id) as sums
   where id = account_id and track;
  return null;
end $$;
create trigger apply_entry after insert on entries referencing new table as added
  for each statement execute function apply_entry();
`;
