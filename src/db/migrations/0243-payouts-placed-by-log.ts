/**
 * The place of a transfer of a token is the place of its log in its transaction from now on, counted from 2^30. It was
 * the place among the transfers that were listed, which another list changes. A release before still counts so: it takes
 * nothing of a transaction of which this one has taken a transfer, because it could take that transfer again.
 */
export const name = '0243-payouts-placed-by-log';

export const up = `
create or replace function take_payout_transfer() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  wanted integer[] := coalesce(new.tx_transfers, array[-1]);
begin
  delete from payout_transfers where payout_id = new.id;
  if new.tx_hash is null then
    return null;
  end if;
  -- Processes that take something of one transaction wait for each other: all of it and a part of it exclude each other.
  perform pg_advisory_xact_lock(hashtextextended('payout ' || new.network || ' ' || new.tx_hash, 0));
  if exists (select from payout_transfers
              where network = new.network and tx_hash = new.tx_hash
                and (transfer_index = -1 or wanted = array[-1])) then
    raise exception 'transaction % has paid another payout', new.tx_hash
      using errcode = 'unique_violation', constraint = 'payout_transfer_once';
  end if;
  if exists (select from payout_transfers
              where network = new.network and tx_hash = new.tx_hash and transfer_index >= 1073741824)
     and exists (select from unnest(wanted) as w (index) where index between 0 and 1073741823) then
    raise exception 'a newer release has taken transfers of %, which this one does not know', new.tx_hash
      using errcode = 'check_violation';
  end if;
  insert into payout_transfers (network, tx_hash, transfer_index, payout_id)
    select new.network, new.tx_hash, index, new.id from unnest(wanted) as w (index);
  return null;
end $$;
`;
