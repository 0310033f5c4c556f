/** Payouts are looked at again when their block is final: what may be taken back, and what is kept of it. */
export const name = '0046-payouts-final';

export const up = `
-- Only a payout that the chain has shown is in a block, and only what is in a block is final.
alter table withdrawals
  add constraint withdrawals_place check ((tx_block is null) = (tx_block_hash is null)) not valid,
  add constraint withdrawals_place_is_shown check (tx_block is null or status = 'completed' and tx_verified) not valid,
  add constraint withdrawals_final_is_placed check (final_at is null or tx_block is not null) not valid;

-- Payouts that were taken back. Their transactions may be mined after all, when somebody has paid anew or given up.
-- looked_at: when the endpoints were asked last; absent_at: when they last said that none has it; sighting: which have it,
-- in a block or a pool; found_at: when it was in a final block.
create table lost_payouts (
  withdrawal_id text not null references withdrawals (id),
  revert integer not null check (revert > 0),
  network text not null,
  tx_hash text not null,
  block bigint not null,
  block_hash text not null,
  lost_at timestamptz not null,
  looked_at timestamptz not null,
  absent_at timestamptz not null,
  sighting text,
  found_at timestamptz check (found_at is null or sighting is not null),
  primary key (withdrawal_id, revert)
);
create index lost_payouts_of_network on lost_payouts (network, lost_at) where found_at is null;

-- Where a payout was is known before it can be gone, and what was seen final stays. Its transaction is not forgotten.
create function withdrawal_may_revert() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if old.tx_block is null or old.final_at is not null then
    raise exception 'the payout of withdrawal % can not be taken back', old.id using errcode = 'check_violation';
  end if;
  insert into lost_payouts (withdrawal_id, revert, network, tx_hash, block, block_hash, lost_at, looked_at, absent_at)
    values (old.id, new.reverts, old.network, old.tx_hash, old.tx_block, old.tx_block_hash,
      new.updated_at, new.updated_at, new.updated_at);
  return new;
end $$;
create trigger withdrawal_may_revert before update on withdrawals for each row
  when (old.status = 'completed' and new.status = 'processing') execute function withdrawal_may_revert();
`;
