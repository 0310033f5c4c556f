/**
 * A payout that is narrowed has been shown by the chain: from then on it says where, and in what it was paid, and is
 * looked at again as any that the chain showed. Nothing else changes what paid a refund that is completed, or a transfer
 * of it could pay another payout.
 *
 * One endpoint may give a payout the transfers of a larger one, about which it is asked alone. The payout is given those
 * that the chain shows to be its own, where the larger one is completed: by what says so in that transaction
 * (`kasi.placed_anew`), and by nothing else.
 */
export const name = '0291-payouts-narrowed-are-shown';

export const up = `
create function is_placed_anew(payout text, before integer[], after integer[]) returns boolean language sql stable
  set search_path = public, pg_temp as $$
  select coalesce(current_setting('kasi.placed_anew', true) = payout and cardinality(before) > 0
    and cardinality(after) > 0 and 0 <= all (before) and 0 <= all (after), false);
$$;

create or replace function withdrawal_moves() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  changeable text[] := array['sealed_bank_account', 'final_at', 'tx_block', 'tx_block_hash'];
begin
  if new.status <> old.status and not (old.status || '>' || new.status = any (array[
    'pending>approved', 'pending>rejected', 'approved>processing', 'approved>completed', 'approved>failed',
    'processing>completed', 'processing>failed', 'completed>processing'])) then
    raise exception 'withdrawal % can not move from % to %', old.id, old.status, new.status using errcode = 'check_violation';
  end if;
  -- All that its transaction did becomes a part of it, once, as the chain has shown.
  if old.status = 'completed' and old.tx_transfers is null and cardinality(new.tx_transfers) > 0 then
    changeable := changeable || array['tx_transfers', 'tx_verified', 'tx_contract', 'tx_decimals'];
  end if;
  -- One endpoint gave it transfers that are others', and it is given those that the chain shows instead.
  if old.status = 'completed' and old.tx_verified and is_placed_anew(new.id, old.tx_transfers, new.tx_transfers) then
    changeable := changeable || 'tx_transfers'::text;
  end if;
  if new.status = old.status and old.finished_at is not null
     and to_jsonb(new) - changeable <> to_jsonb(old) - changeable then
    raise exception 'withdrawal % is %, which is for good', old.id, old.status using errcode = 'check_violation';
  end if;
  if new.reverts <> old.reverts + (old.status = 'completed' and new.status = 'processing')::integer then
    raise exception 'withdrawal % was not taken back so often', old.id using errcode = 'check_violation';
  end if;
  if (new.id, new.merchant_id, new.method, new.amount_minor, new.fee_minor, new.currency, new.network, new.bank_account_tail,
      new.bank_name, new.bank_branch, new.created_at)
      is distinct from (old.id, old.merchant_id, old.method, old.amount_minor, old.fee_minor, old.currency, old.network,
      old.bank_account_tail, old.bank_name, old.bank_branch, old.created_at) then
    raise exception 'withdrawal % can not change what was asked', old.id using errcode = 'check_violation';
  end if;
  -- The address is the merchant's, or the platform's own as it was when somebody approved.
  if new.destination_address is distinct from old.destination_address
     and (old.method = 'crypto' or old.status <> 'pending') then
    raise exception 'withdrawal % can not go anywhere else', old.id using errcode = 'check_violation';
  end if;
  if old.status <> 'pending'
     and (new.reviewed_by, new.reviewed_at) is distinct from (old.reviewed_by, old.reviewed_at) then
    raise exception 'withdrawal % was reviewed already', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- As of a withdrawal. All that its transaction did becomes a part of it, once.
create trigger refund_stays_paid_by before update on refunds for each row
  when (old.status = 'completed' and new.status = 'completed'
    and (new.tx_hash, new.tx_transfers, new.tx_verified) is distinct from (old.tx_hash, old.tx_transfers, old.tx_verified)
    and not (new.tx_hash = old.tx_hash and old.tx_transfers is null and coalesce(cardinality(new.tx_transfers), 0) > 0)
    and not (new.tx_hash = old.tx_hash and new.tx_verified and old.tx_verified
      and is_placed_anew(new.id, old.tx_transfers, new.tx_transfers)))
  execute function refuse_rewrite('refund', 'what paid it');
drop trigger refund_stays_paid_in on refunds;
create trigger refund_stays_paid_in before update on refunds for each row
  when ((new.tx_contract, new.tx_decimals) is distinct from (old.tx_contract, old.tx_decimals)
    and new.tx_hash is not distinct from old.tx_hash
    and not (old.tx_contract is null and old.tx_transfers is null and coalesce(cardinality(new.tx_transfers), 0) > 0))
  execute function refuse_rewrite('refund', 'what it was paid in');
`;
