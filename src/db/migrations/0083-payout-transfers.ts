/** One transaction pays one payout, a withdrawal or a refund: what it paid is named here, whatever code completes it. */
export const name = '0083-payout-transfers';

export const up = `
create table payout_transfers (
  network text not null,
  tx_hash text not null,
  payout_id text not null unique,
  constraint payout_transfer_once primary key (network, tx_hash)
);

create function take_payout_transfer() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
begin
  delete from payout_transfers where payout_id = new.id;
  if new.tx_hash is not null then
    insert into payout_transfers (network, tx_hash, payout_id) values (new.network, new.tx_hash, new.id);
  end if;
  return null;
end $$;
create trigger withdrawal_takes_transfer after update on withdrawals for each row
  when (new.tx_hash is distinct from old.tx_hash) execute function take_payout_transfer();
create trigger refund_takes_transfer after update on refunds for each row
  when (new.tx_hash is distinct from old.tx_hash) execute function take_payout_transfer();
insert into payout_transfers (network, tx_hash, payout_id)
  select network, tx_hash, id from withdrawals where tx_hash is not null;
`;
