/** Payouts are looked at again when their block is final: what the columns of 0031 may hold, and what may be taken back. */
export const name = '0046-payouts-final';

export const up = `
-- Payouts that a release verified without noting their block are looked up by their hash. Only those: there are few.
create index withdrawals_unplaced on withdrawals (network, finished_at)
  where status = 'completed' and tx_verified and final_at is null and tx_block is null;

-- Only a payout that the chain has shown is in a block, and only what is in a block is final.
alter table withdrawals
  add constraint withdrawals_place check ((tx_block is null) = (tx_block_hash is null)),
  add constraint withdrawals_place_is_shown check (tx_block is null or status = 'completed' and tx_verified),
  add constraint withdrawals_final_is_placed check (final_at is null or tx_block is not null);

-- Where a payout was is known before it can be gone, and what was seen final stays.
create function withdrawal_may_revert() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if old.tx_block is null or old.final_at is not null then
    raise exception 'the payout of withdrawal % can not be taken back', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger withdrawal_may_revert before update on withdrawals for each row
  when (old.status = 'completed' and new.status = 'processing') execute function withdrawal_may_revert();
`;
