/** Withdrawals: what merchants take out, from the request to the transfer that paid it. */
export const name = '0015-withdrawals';

export const up = `
-- Amounts are US cents. Bank account numbers are sealed; only what a masked one shows stands in clear.
create table withdrawals (
  id text primary key check (id like 'wd\\_%'),
  merchant_id text not null references merchants (id),
  method text not null check (method in ('bank', 'crypto')),
  status text not null check (status in ('pending', 'approved', 'processing', 'completed', 'rejected', 'failed')),
  cancelled boolean not null default false check (not cancelled or status = 'rejected'),
  amount_minor bigint not null check (amount_minor > 0),
  fee_minor bigint not null check (fee_minor >= 0 and fee_minor < amount_minor),
  currency text not null check (currency in ('USDT', 'USDC')),
  network text not null,
  -- Of a bank withdrawal: where its crypto leg goes, known once it is approved, if anywhere.
  destination_address text check (destination_address is not null or method = 'bank'),
  sealed_bank_account bytea,
  bank_account_tail text check (length(bank_account_tail) = 4),
  bank_name text,
  bank_branch text,
  reviewed_by text,
  reviewed_at timestamptz,
  processing_at timestamptz,
  -- Who ended it; nobody of the platform when the merchant cancelled it.
  finished_by text,
  finished_at timestamptz,
  -- Why it was rejected or failed, for the merchant to read.
  reason text,
  -- The latest that an administrator wrote, for administrators.
  notes text,
  tx_hash text,
  -- Whether the chain was asked before it was called complete.
  tx_verified boolean,
  event_sequence integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((method = 'bank') = (sealed_bank_account is not null)),
  check ((method = 'bank') = (bank_account_tail is not null)),
  check ((method = 'bank') = (bank_name is not null)),
  check ((method = 'bank') = (bank_branch is not null)),
  check ((status = 'completed') = (tx_hash is not null)),
  check ((status = 'completed') = (tx_verified is not null)),
  check ((status in ('completed', 'rejected', 'failed')) = (finished_at is not null)),
  check ((status in ('rejected', 'failed') and not cancelled) = (reason is not null)),
  check ((status = 'pending' or cancelled) = (reviewed_by is null)),
  check ((reviewed_by is null) = (reviewed_at is null)),
  check ((finished_by is null) = (finished_at is null or cancelled)),
  constraint withdrawal_tx_once unique (network, tx_hash)
);
create index withdrawals_by_merchant on withdrawals (merchant_id, created_at desc, id desc);
create index withdrawals_by_merchant_status on withdrawals (merchant_id, status, created_at desc, id desc);
create index withdrawals_by_status on withdrawals (status, created_at desc, id desc);
create index withdrawals_by_time on withdrawals (created_at desc, id desc);
create index withdrawals_open on withdrawals (merchant_id) where status in ('pending', 'approved', 'processing');

create function withdrawal_moves() returns trigger language plpgsql as $$
begin
  if new.status <> old.status and not (old.status || '>' || new.status = any (array[
    'pending>approved', 'pending>rejected', 'approved>processing', 'approved>completed', 'approved>failed',
    'processing>completed', 'processing>failed'])) then
    raise exception 'withdrawal % can not move from % to %', old.id, old.status, new.status using errcode = 'check_violation';
  end if;
  if new.status = old.status and old.finished_at is not null
     and to_jsonb(new) - 'sealed_bank_account' <> to_jsonb(old) - 'sealed_bank_account' then
    raise exception 'withdrawal % is %, which is for good', old.id, old.status using errcode = 'check_violation';
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
create trigger withdrawal_moves before update on withdrawals for each row execute function withdrawal_moves();
create trigger withdrawals_stay before delete on withdrawals for each row execute function refuse_change();
create trigger withdrawals_no_truncate before truncate on withdrawals for each statement execute function refuse_change();

alter table journals add column withdrawal_id text references withdrawals (id);
create index journals_by_withdrawal on journals (withdrawal_id) where withdrawal_id is not null;

-- No commit in which a withdrawal and its bookings disagree, whatever the code believes: each has its hold, what has ended has its end,
-- and nothing else is booked for it.
create function check_withdrawal_booked() returns trigger language plpgsql as $$
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
  select case when status = 'completed' then array['withdrawal.completed', 'withdrawal.created']
              when status in ('rejected', 'failed') then array['withdrawal.created', 'withdrawal.released']
              else array['withdrawal.created'] end
    into wanted from withdrawals where id = subject;
  select coalesce(array_agg(kind order by kind collate "C"), '{}') into found from journals where withdrawal_id = subject;
  if found <> wanted then
    raise exception 'withdrawal % is booked as %, its state asks for %', subject, found, wanted using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger withdrawal_is_booked after insert or update of status on withdrawals
  deferrable initially deferred for each row execute function check_withdrawal_booked();
create constraint trigger booking_has_its_withdrawal after insert on journals
  deferrable initially deferred for each row when (new.withdrawal_id is not null) execute function check_withdrawal_booked();
`;
