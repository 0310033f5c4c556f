/**
 * All of a transaction that paid in a token, because no chain was asked, is all of its tokens: its coin is for others.
 * What contracts sent of the coin is in no receipt, so what two administrators say of it has a place of its own, from -3
 * down. And what a bank paid is not at an address of others: the chain shows what of the transaction is theirs.
 *
 * A release before refuses each of these itself, and takes nothing beside what this one has taken.
 */
export const name = '0290-payouts-beside-whole';

export const up = `
alter table payout_transfers drop constraint payout_transfers_transfer_index_check;

-- Whether a payout is in a token and goes to an address: no coin can have paid it.
create function is_paid_in_token(payout text) returns boolean language sql stable set search_path = public, pg_temp as $$
  select exists (select from withdrawals where id = payout and destination_address is not null)
      or exists (select from refunds where id = payout and token in ('USDT', 'USDC'));
$$;

create or replace function take_payout_transfer() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  wanted integer[] := coalesce(new.tx_transfers, array[-1]);
  -- Of the coin, and of that what no receipt can show.
  is_coin boolean := -1 > all (wanted);
  is_unseen boolean := -2 > all (wanted);
begin
  delete from payout_transfers where payout_id = new.id;
  if new.tx_hash is null then
    return null;
  end if;
  -- Processes that take something of one transaction wait for each other: all of it and a part of it exclude each other.
  perform pg_advisory_xact_lock(hashtextextended('payout ' || new.network || ' ' || new.tx_hash, 0));
  if exists (select from payout_transfers t
              where t.network = new.network and t.tx_hash = new.tx_hash
                and (t.transfer_index = -1
                       and not is_unseen
                       and not (is_coin and is_paid_in_token(t.payout_id))
                       and not (new.tx_verified and exists (
                         select from withdrawals w where w.id = t.payout_id and w.destination_address is null))
                     or wanted = array[-1]
                       and not (t.transfer_index < -1 and is_paid_in_token(new.id)))) then
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
