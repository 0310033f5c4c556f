/**
 * The payouts of refunds can be taken back and are not forgotten, as those of withdrawals. What was lost is known by its
 * transfers: one transaction may have paid many, and completing one of them with it says nothing about the others.
 */
export const name = '0088-payouts-taken-back';

export const up = `
alter table lost_payouts drop constraint lost_payouts_pkey;
alter table lost_payouts
  alter column withdrawal_id drop not null,
  add column refund_id text references refunds (id),
  add column payout_id text not null generated always as (coalesce(withdrawal_id, refund_id)) stored,
  -- The transfers that paid it, by their places; null: all that the transaction did.
  add column transfers integer[],
  add constraint lost_payouts_one check (num_nonnulls(withdrawal_id, refund_id) = 1),
  add constraint lost_payouts_pkey primary key (payout_id, revert);

create or replace function withdrawal_may_revert() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if old.tx_block is null or old.final_at is not null then
    raise exception 'the payout of withdrawal % can not be taken back', old.id using errcode = 'check_violation';
  end if;
  insert into lost_payouts (withdrawal_id, revert, network, tx_hash, transfers, block, block_hash, lost_at, looked_at,
      absent_at)
    values (old.id, new.reverts, old.network, old.tx_hash, old.tx_transfers, old.tx_block, old.tx_block_hash,
      new.updated_at, new.updated_at, new.updated_at);
  return new;
end $$;

create function refund_may_revert() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if old.tx_block is null or old.final_at is not null then
    raise exception 'the payout of refund % can not be taken back', old.id using errcode = 'check_violation';
  end if;
  insert into lost_payouts (refund_id, revert, network, tx_hash, transfers, block, block_hash, lost_at, looked_at,
      absent_at)
    values (old.id, new.reverts, old.network, old.tx_hash, old.tx_transfers, old.tx_block, old.tx_block_hash,
      new.updated_at, new.updated_at, new.updated_at);
  return new;
end $$;
create trigger refund_may_revert before update on refunds for each row
  when (old.status = 'completed' and new.status = 'processing') execute function refund_may_revert();
create trigger refund_counts_reverts before update on refunds for each row
  when (new.reverts <> old.reverts + (old.status = 'completed' and new.status = 'processing')::integer)
  execute function refuse_rewrite('refund', 'how often it was taken back');

-- A payout that the chain has shown is in a block, and only what is in a block is final.
alter table refunds
  add constraint refunds_place check ((tx_block is null) = (tx_block_hash is null)) not valid,
  add constraint refunds_shown_is_placed check (coalesce(tx_verified, false) = (tx_block is not null)) not valid,
  add constraint refunds_final_is_placed check (final_at is null or tx_block is not null) not valid;

-- The jobs that looked at withdrawals look at both now, under other names. Nobody would clear a failure of theirs.
delete from job_ticks where job in ('withdrawals.review', 'withdrawals.lost', 'withdrawals.place');
`;
