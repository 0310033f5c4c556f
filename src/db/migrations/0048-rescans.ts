/** Blocks are read again for transfers that were missed, and no transfer is credited twice by that. */
export const name = '0048-rescans';

export const up = `
-- A range of blocks that is read again. next_height: the first block that was not yet; watched: for which contracts.
create table rescans (
  id bigint generated always as identity primary key,
  network text not null,
  from_height bigint not null check (from_height >= 0),
  to_height bigint not null check (to_height >= from_height),
  watched text not null,
  next_height bigint not null,
  transfers bigint not null default 0 check (transfers >= 0),
  credited bigint not null default 0 check (credited >= 0),
  started_at timestamptz not null,
  finished_at timestamptz,
  check ((finished_at is null) = (next_height <= to_height))
);
create unique index rescans_open on rescans (network, from_height, to_height, watched) where finished_at is null;

-- How many transfers like this one (contract, sender, recipient, amount) its transaction contains. Null where the place
-- of the transfer alone tells it from others; that place changes with the list of tokens.
-- Not valid: the table is not read for it while nobody can use it.
alter table credits add column twins integer, add constraint credits_twins_check check (twins > 0) not valid;

-- However a transfer that was read again was matched: as many are credited as the transaction contains, and no more.
-- The lock on the cursor makes this one at a time with the watcher and other rescans.
create function credit_has_its_transfer() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  credited integer;
begin
  perform 1 from chain_cursors where network = new.network for update;
  select count(*) into credited from credits
   where network = new.network and tx_hash = new.tx_hash and canonical and id <> new.id
     and contract = new.contract and sender = new.sender and recipient = new.recipient
     and amount_units = new.amount_units;
  if credited >= new.twins then
    raise exception 'transaction % contains % of these transfers, and all of them are credited', new.tx_hash, new.twins
      using errcode = 'unique_violation';
  end if;
  return new;
end $$;
create trigger credit_has_its_transfer before insert on credits
  for each row when (new.twins is not null and new.canonical) execute function credit_has_its_transfer();
create trigger returned_credit_has_its_transfer before update of canonical on credits
  for each row when (new.twins is not null and new.canonical and not old.canonical)
  execute function credit_has_its_transfer();
`;
