/** The transfers of a transaction are counted once a statement: once a row took 25 s for 10,000 that look the same. */
export const name = '0185-transfers-counted-together';

export const up = `
-- The rule of migration 0048: as many transfers of a kind are credited as their transaction contains, and no more.
-- One pass over the credits of the transactions: a join of what is written with what is there could be planned as a
-- nested loop, which takes the square again.
create function credits_have_transfers() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  networks text[];
  transactions text[];
  overdrawn record;
begin
  -- Nothing returns by most updates. The trigger of inserts has no such table.
  if tg_op = 'UPDATE' then
    if not exists (select from replaced where not canonical) then
      return null;
    end if;
  end if;
  select array_agg(distinct network), array_agg(distinct tx_hash) into networks, transactions
    from written where twins is not null and canonical;
  if networks is null then
    return null;
  end if;
  perform from chain_cursors where network = any (networks) order by network for update;
  select tx_hash, min(twins) as twins into overdrawn from (
    select network, tx_hash, contract, sender, recipient, amount_units, 1 as credited, null::integer as twins
      from credits where network = any (networks) and tx_hash = any (transactions) and canonical
    union all
    select network, tx_hash, contract, sender, recipient, amount_units, 0, twins
      from written where twins is not null and canonical) as transfers
   group by network, tx_hash, contract, sender, recipient, amount_units
  having sum(credited) > min(twins) limit 1;
  if found then
    raise exception 'transaction % contains % of these transfers, and all of them are credited',
      overdrawn.tx_hash, overdrawn.twins using errcode = 'unique_violation';
  end if;
  return null;
end $$;
create or replace trigger credit_has_its_transfer after insert on credits referencing new table as written
  for each statement execute function credits_have_transfers();
create or replace trigger returned_credit_has_its_transfer after update on credits
  referencing old table as replaced new table as written
  for each statement execute function credits_have_transfers();
drop function credit_has_its_transfer();
`;
