/** Money that goes back to payers: what a payment has given back, and each refund with its state and its bookings. */
export const name = '0081-refunds';

export const up = `
-- What refunds hold of a payment or have given back: of the transfers that count, of the others, and how much of both
-- had been settled, for the platform keeps its fee on that.
alter table payments
  add column returned_micro bigint not null default 0 check (returned_micro >= 0),
  add column returned_wrong_micro bigint not null default 0 check (returned_wrong_micro >= 0),
  add column returned_settled_micro bigint not null default 0 check (returned_settled_micro >= 0);
-- A reorg may take what was given back: then the payment has brought its merchant less than nothing.
alter table payments drop constraint payments_booked_available_check,
  add constraint payments_booked_available_check
    check (booked_available >= 0 or returned_micro + returned_wrong_micro > 0) not valid;

-- What arrived lies in suspense, was credited, or went back, whatever code believes it: also a process of the release
-- before, which does not know of refunds.
create function check_payment_adds_up() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  lies numeric;
  arrived numeric;
begin
  select booked_suspense + booked_pending + booked_available + returned_micro + returned_wrong_micro into lies
    from payments where id = new.id;
  select coalesce(sum(booked_micro), 0) into arrived from credits where payment_id = new.id;
  if lies <> arrived then
    raise exception 'payment % accounts for % of % that arrived', new.id, lies, arrived using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger payment_adds_up after update on payments deferrable initially deferred for each row
  when (old.returned_micro + old.returned_wrong_micro + new.returned_micro + new.returned_wrong_micro > 0)
  execute function check_payment_adds_up();

create table refunds (
  id text primary key check (id like 'rfd\\_%'),
  merchant_id text not null references merchants (id),
  payment_id text not null references payments (id),
  status text not null
    check (status in ('awaiting_claim', 'pending', 'processing', 'completed', 'cancelled', 'failed')),
  -- What goes back: in the payment's currency, what the ledger holds for it and where that was, and what is sent.
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null check (currency in ('USD', 'LKR')),
  from_suspense bigint not null check (from_suspense >= 0),
  from_available bigint not null check (from_available >= 0),
  counted boolean not null,
  token text not null,
  network text not null,
  decimals integer not null,
  units numeric(78, 0) not null check (units > 0),
  reason text not null,
  -- SHA-256 of the secret of the link by which the payer claims it.
  claim_hash bytea unique,
  destination_address text,
  destination_by text check (destination_by in ('merchant', 'payer')),
  -- Whether the wallet that paid has signed for the address.
  destination_proven boolean not null default false,
  destined_at timestamptz,
  -- The network's own time when the address was last set, as far as it was read: no older block can hold the payout.
  destined_chain_time timestamptz,
  processed_by text,
  processing_at timestamptz,
  finished_by text,
  finished_at timestamptz,
  failure text,
  notes text,
  tx_hash text,
  tx_verified boolean,
  tx_block bigint,
  tx_block_hash text,
  final_at timestamptz,
  reverts integer not null default 0 check (reverts >= 0),
  event_sequence integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (from_suspense + from_available > 0),
  check ((status = 'completed') = (tx_hash is not null)),
  check ((tx_hash is null) = (tx_verified is null)),
  check ((status in ('completed', 'cancelled', 'failed')) = (finished_at is not null)),
  check ((destination_address is null) = (destination_by is null)),
  check ((destination_address is null) = (destined_at is null)),
  check (destination_by = 'payer' or not destination_proven),
  check (status not in ('pending', 'processing', 'completed') or destination_address is not null),
  check (status <> 'awaiting_claim' or claim_hash is not null)
);
create index refunds_by_merchant on refunds (merchant_id, created_at desc, id desc);
create index refunds_by_merchant_status on refunds (merchant_id, status, created_at desc, id desc);
create index refunds_by_payment on refunds (payment_id, id);
create index refunds_open on refunds (created_at) where status in ('awaiting_claim', 'pending', 'processing');

create trigger refund_moves before update on refunds for each row
  when (new.status <> old.status and old.status || '>' || new.status not in (
    'awaiting_claim>pending', 'awaiting_claim>cancelled', 'awaiting_claim>failed',
    'pending>processing', 'pending>completed', 'pending>cancelled', 'pending>failed',
    'processing>completed', 'processing>failed', 'completed>processing'))
  execute function refuse_move('refund');
create trigger refund_asks before update on refunds for each row
  when ((new.merchant_id, new.payment_id, new.amount_minor, new.currency, new.from_suspense, new.from_available,
      new.counted, new.token, new.network, new.decimals, new.units, new.created_at)
    is distinct from (old.merchant_id, old.payment_id, old.amount_minor, old.currency, old.from_suspense,
      old.from_available, old.counted, old.token, old.network, old.decimals, old.units, old.created_at))
  execute function refuse_rewrite('refund', 'what it gives back');
-- The money may be on its way from the moment in which somebody takes the refund up.
create trigger refund_goes_there before update on refunds for each row
  when (old.status not in ('awaiting_claim', 'pending')
    and new.destination_address is distinct from old.destination_address)
  execute function refuse_rewrite('refund', 'where it goes');
create trigger refund_stays_proven before update on refunds for each row
  when (old.destination_proven and not new.destination_proven)
  execute function refuse_rewrite('refund', 'where it goes, without the wallet that paid');
create trigger refunds_stay before delete on refunds for each row execute function refuse_change();
create trigger refunds_no_truncate before truncate on refunds for each statement execute function refuse_change();

-- Payments of which a reorg may have taken what refunds give back. A job looks at them again.
create table refund_doubts (
  payment_id text primary key,
  since timestamptz not null
);
create index refund_doubts_since on refund_doubts (since);

alter table journals add column refund_id text references refunds (id);
create index journals_by_refund on journals (refund_id) where refund_id is not null;

-- No commit in which a refund and its bookings disagree.
create function check_refund_booked() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  subject text;
  wanted text[];
  found text[];
begin
  if tg_table_name = 'journals' then
    subject := new.refund_id;
  else
    subject := new.id;
  end if;
  select array['refund.created']
      || array_fill('refund.completed'::text, array[reverts + case when status = 'completed' then 1 else 0 end])
      || array_fill('refund.reverted'::text, array[reverts])
      || case when status in ('cancelled', 'failed') then array['refund.released'] else '{}' end
    into wanted from refunds where id = subject;
  select array_agg(kind order by kind collate "C") into found from journals where refund_id = subject;
  select array_agg(kind order by kind collate "C") into wanted from unnest(wanted) as w (kind);
  if found is distinct from wanted then
    raise exception 'refund % is booked as %, its state asks for %', subject, found, wanted
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger refund_is_booked after insert or update of status on refunds
  deferrable initially deferred for each row execute function check_refund_booked();
create constraint trigger booking_has_its_refund after insert on journals
  deferrable initially deferred for each row when (new.refund_id is not null) execute function check_refund_booked();
`;
