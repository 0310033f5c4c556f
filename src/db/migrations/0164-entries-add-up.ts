/**
 * The check that journals balance reads only the new entries: each journal was zero before, so it stays zero when they
 * are. PostgreSQL planned the reading of all entries of each journal as a walk through all accounts, once a journal.
 */
export const name = '0164-entries-add-up';

export const up = `
create or replace function check_entries() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  bad text;
begin
  -- Each by its index, in these words: a join could be planned as a walk through the whole table.
  select journal_id into bad from (select distinct journal_id from added) as named
   where (select id from journals where id = journal_id) is null limit 1;
  if bad is not null then
    raise exception 'journal % does not exist', bad using errcode = 'foreign_key_violation';
  end if;
  select account_id into bad from (select distinct account_id from added) as named
   where (select id from ledger_accounts where id = account_id) is null limit 1;
  if bad is not null then
    raise exception 'account % does not exist', bad using errcode = 'foreign_key_violation';
  end if;
  -- No entry is zero, so there are at least two where they come to zero.
  select journal_id into bad from added join (
    select account_id, (select currency from ledger_accounts where id = account_id)
      from (select distinct account_id from added) as named) as accounts using (account_id)
   group by journal_id, currency having sum(amount) <> 0 limit 1;
  if bad is not null then
    raise exception 'journal % does not balance', bad using errcode = 'check_violation';
  end if;
  return null;
end $$;
`;
