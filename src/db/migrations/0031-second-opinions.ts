/** What was counted is looked at again: by a second endpoint before it is confirmed, and once its block is final. */
export const name = '0031-second-opinions';

export const up = `
-- second_opinion_from: from this worth on, in micro-dollars, a transfer is confirmed only when two endpoints show it; null: none is.
-- final_height: the newest block that the chain called final; final_seen_at: when it rose to that, by the database's clock.
alter table chain_cursors add column second_opinion_from bigint, add column final_height bigint,
  add column final_seen_at timestamptz;

-- seconded_at: two endpoints showed the transfer in its block. final_at: it was still there when its block was final.
alter table credits add column seconded_at timestamptz, add column final_at timestamptz;
create index credits_not_final on credits (network, block_number)
  where canonical and confirmed_at is not null and final_at is null;

-- The block that the payout was found in, and when it was still there although final. reverts: how often a payout was taken back.
alter table withdrawals add column tx_block bigint, add column tx_block_hash text, add column final_at timestamptz,
  add column reverts integer not null default 0 check (reverts >= 0);
create index withdrawals_not_final on withdrawals (network, tx_block) where status = 'completed' and final_at is null;

-- A payout that the chain took back is paid again: completed is the end only until then.
create or replace function withdrawal_moves() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if new.status <> old.status and not (old.status || '>' || new.status = any (array[
    'pending>approved', 'pending>rejected', 'approved>processing', 'approved>completed', 'approved>failed',
    'processing>completed', 'processing>failed', 'completed>processing'])) then
    raise exception 'withdrawal % can not move from % to %', old.id, old.status, new.status using errcode = 'check_violation';
  end if;
  if new.status = old.status and old.finished_at is not null
     and to_jsonb(new) - array['sealed_bank_account', 'final_at', 'tx_block', 'tx_block_hash']
      <> to_jsonb(old) - array['sealed_bank_account', 'final_at', 'tx_block', 'tx_block_hash'] then
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

-- Each completion is booked, and each but the last that counts is booked back.
create or replace function check_withdrawal_booked() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  subject text;
  wanted text[];
  found text[];
begin
  if tg_table_name = 'journals' then
    subject := new.withdrawal_id;
  else
    subject := new.id;
  end if;
  select array_fill('withdrawal.completed'::text, array[reverts + (status = 'completed')::integer])
      || 'withdrawal.created'::text
      || array_fill('withdrawal.released'::text, array[(status in ('rejected', 'failed'))::integer])
      || array_fill('withdrawal.reverted'::text, array[reverts])
    into wanted from withdrawals where id = subject;
  select coalesce(array_agg(kind order by kind collate "C"), '{}') into found from journals where withdrawal_id = subject;
  if found <> wanted then
    raise exception 'withdrawal % is booked as %, its state asks for %', subject, found, wanted using errcode = 'check_violation';
  end if;
  return null;
end $$;
`;
