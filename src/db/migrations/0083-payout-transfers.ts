/**
 * What of a transaction paid which payout, a withdrawal or a refund, whatever code completes it: one transaction may pay
 * many, and each of its transfers one.
 */
export const name = '0083-payout-transfers';

export const up = `
create table payout_transfers (
  network text not null,
  tx_hash text not null,
  -- Its place in the transaction; -1: all of it, because nobody looked at its transfers; -2: what it carries itself.
  transfer_index integer not null check (transfer_index >= -2),
  payout_id text not null,
  constraint payout_transfer_once primary key (network, tx_hash, transfer_index)
);
create index payout_transfers_by_payout on payout_transfers (payout_id);

-- The transfers that paid it; null: all that the transaction did.
alter table withdrawals add column tx_transfers integer[] check (tx_transfers is null or tx_hash is not null);
alter table refunds add column tx_transfers integer[] check (tx_transfers is null or tx_hash is not null);
-- It allowed one withdrawal for each transaction. The triggers below know of transfers, and of refunds.
alter table withdrawals drop constraint withdrawal_tx_once;

create function take_payout_transfer() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  wanted integer[] := coalesce(new.tx_transfers, array[-1]);
begin
  delete from payout_transfers where payout_id = new.id;
  if new.tx_hash is null then
    return null;
  end if;
  -- Whoever takes something of a transaction waits for others who do: all of it and a part of it exclude each other.
  perform pg_advisory_xact_lock(hashtextextended('payout ' || new.network || ' ' || new.tx_hash, 0));
  if exists (select from payout_transfers
              where network = new.network and tx_hash = new.tx_hash
                and (transfer_index = -1 or wanted = array[-1])) then
    raise exception 'transaction % has paid another payout', new.tx_hash
      using errcode = 'unique_violation', constraint = 'payout_transfer_once';
  end if;
  insert into payout_transfers (network, tx_hash, transfer_index, payout_id)
    select new.network, new.tx_hash, index, new.id from unnest(wanted) as w (index);
  return null;
end $$;
create trigger withdrawal_takes_transfer after update on withdrawals for each row
  when (new.tx_hash is distinct from old.tx_hash or new.tx_transfers is distinct from old.tx_transfers)
  execute function take_payout_transfer();
create trigger refund_takes_transfer after update on refunds for each row
  when (new.tx_hash is distinct from old.tx_hash or new.tx_transfers is distinct from old.tx_transfers)
  execute function take_payout_transfer();
insert into payout_transfers (network, tx_hash, transfer_index, payout_id)
  select network, tx_hash, -1, id from withdrawals where tx_hash is not null;
`;
