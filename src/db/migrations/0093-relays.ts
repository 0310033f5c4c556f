/** Transfers that payers have signed and we bring to the chain. */
export const name = '0093-relays';

export const up = `
-- One a payment: what was reverted stays, so that a payment costs us one transaction at most.
create table relays (
  payment_id text primary key references payments (id) on delete cascade,
  merchant_id text not null references merchants (id),
  network text not null,
  contract text not null check (contract ~ '^0x[0-9a-f]{40}$'),
  payer text not null check (payer ~ '^0x[0-9a-f]{40}$'),
  recipient text not null check (recipient ~ '^0x[0-9a-f]{40}$'),
  units numeric(78) not null check (units > 0),
  -- Seconds since 1970: the last one too early, and the first one too late.
  valid_after bigint not null,
  valid_before bigint not null,
  -- Of a wallet's transfers with the same number the token executes one.
  nonce text not null check (nonce ~ '^0x[0-9a-f]{64}$'),
  signature text not null check (signature ~ '^0x[0-9a-f]{130}$'),
  status text not null check (status in ('signed', 'sent', 'done', 'reverted', 'refused')),
  reason text check (reason in ('balance', 'spent', 'changed', 'too_late', 'token')),
  sent_by text unique,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint relay_refused_for_a_reason check ((status = 'refused') = (reason is not null)),
  constraint relay_sent_by_a_transaction check ((status in ('sent', 'done', 'reverted')) = (sent_by is not null))
);
create index relays_waiting on relays (network, created_at) where status = 'signed';
create index relays_of_payer on relays (payer, created_at);
create index relays_of_merchant on relays (merchant_id, created_at);

-- What is signed says who gets it: nobody but the payment that it is for.
create function check_relay_recipient() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if not exists (select from deposit_addresses
                  where kind = 'evm' and address = new.recipient and payment_id = new.payment_id) then
    raise exception 'relay of % pays another address', new.payment_id using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
create trigger relay_pays_its_payment before insert or update of recipient, payment_id on relays
  for each row execute function check_relay_recipient();

-- What our transaction carries never changes, and a transaction that is over stays over.
create function check_relay_move() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if old.status not in ('signed', 'refused') and
     (old.network, old.contract, old.payer, old.recipient, old.units, old.valid_after, old.valid_before, old.nonce,
      old.signature) is distinct from
     (new.network, new.contract, new.payer, new.recipient, new.units, new.valid_after, new.valid_before, new.nonce,
      new.signature) then
    raise exception 'relay of % is on its way', old.payment_id using errcode = 'integrity_constraint_violation';
  end if;
  if (old.status, new.status) not in (('signed', 'signed'), ('signed', 'sent'), ('signed', 'refused'),
      ('refused', 'signed'), ('sent', 'signed'), ('sent', 'done'), ('sent', 'reverted'), ('done', 'sent'),
      ('reverted', 'sent'), ('done', 'signed'), ('reverted', 'signed')) then
    raise exception 'relay of % can not go from % to %', old.payment_id, old.status, new.status
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
create trigger relay_moves before update on relays for each row execute function check_relay_move();
`;
