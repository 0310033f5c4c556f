/** Transactions of our own accounts on the chains: signed bytes that are kept before anybody sees them, until the chain has them for good. */
export const name = '0021-operator';

export const up = `
-- next_nonce: what the next transaction of the account gets, taken under the lock of this row.
create table operator_accounts (
  network text not null,
  address text not null check (address ~ '^0x[0-9a-f]{40}$'),
  next_nonce bigint not null check (next_nonce >= 0),
  locked_by text,
  locked_until timestamptz,
  primary key (network, address)
);

-- signed: no node was handed it; sent: some node was; mined: in a block; confirmed: that block lies deep enough to be counted on;
-- dropped: another transaction of the account took the nonce for good, so this one will never be mined.
create table operator_transactions (
  id text primary key check (id like 'optx\\_%'),
  network text not null,
  address text not null,
  nonce bigint not null check (nonce >= 0),
  -- What it is for, in the words of whoever asked for it.
  purpose text not null check (purpose <> ''),
  subject text check (subject <> ''),
  to_address text not null check (to_address ~ '^0x[0-9a-f]{40}$'),
  gas_limit bigint not null check (gas_limit between 21000 and 16777216),
  status text not null default 'signed' check (status in ('signed', 'sent', 'mined', 'confirmed', 'dropped')),
  -- Its newest signature; a replacement that pays more is another attempt with the same nonce.
  attempt integer not null default 1 check (attempt > 0),
  -- Which signature is in which block, and what came of it there.
  mined_attempt integer,
  block_number bigint check (block_number >= 0),
  block_hash text check (block_hash ~ '^0x[0-9a-f]{64}$'),
  succeeded boolean,
  -- The head at which the nonce was first seen taken while none of the signatures was in a block.
  taken_block bigint check (taken_block >= 0),
  created_at timestamptz not null,
  -- By the database's clock: when a node was last handed the newest signature; null when it is to be handed over at once.
  sent_at timestamptz,
  finished_at timestamptz,
  foreign key (network, address) references operator_accounts,
  check (num_nonnulls(mined_attempt, block_number, block_hash, succeeded) in (0, 4)),
  check ((status in ('mined', 'confirmed')) = (block_hash is not null)),
  check ((status in ('confirmed', 'dropped')) = (finished_at is not null)),
  check (status <> 'signed' or sent_at is null),
  check (taken_block is null or status in ('sent', 'dropped')),
  check (status <> 'dropped' or taken_block is not null)
);
-- Two live transactions with one nonce would be one that is silently lost.
create unique index operator_nonce_once on operator_transactions (network, address, nonce) where status <> 'dropped';
create index operator_transactions_open on operator_transactions (network, address, nonce) where status in ('signed', 'sent');
create index operator_transactions_shallow on operator_transactions (network, block_number) where status = 'mined';

-- hash: keccak256 of raw, which is all that a node needs. signed_at: by the database's clock.
create table operator_signatures (
  transaction_id text not null references operator_transactions (id),
  attempt integer not null check (attempt > 0),
  hash text not null check (hash ~ '^0x[0-9a-f]{64}$'),
  raw bytea not null check (length(raw) > 0),
  max_fee numeric(78, 0) not null check (max_fee > 0),
  max_priority_fee numeric(78, 0) not null check (max_priority_fee >= 0 and max_priority_fee <= max_fee),
  signed_at timestamptz not null default clock_timestamp(),
  primary key (transaction_id, attempt),
  constraint operator_hash_once unique (hash)
);
alter table operator_transactions
  add foreign key (id, attempt) references operator_signatures (transaction_id, attempt) deferrable initially deferred,
  add foreign key (id, mined_attempt) references operator_signatures (transaction_id, attempt) deferrable initially deferred;

-- The next nonce goes back when a chain came back older, but never to where a live transaction stands.
create function operator_account_moves() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if new.next_nonce < old.next_nonce and exists (
      select from operator_transactions
       where network = new.network and address = new.address and nonce >= new.next_nonce and status <> 'dropped') then
    raise exception 'nonce % of % on % is in use', new.next_nonce, new.address, new.network using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger operator_account_moves before update of next_nonce on operator_accounts
  for each row execute function operator_account_moves();

create function operator_transaction_moves() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  -- A reorg takes back what was mined; a chain that came back older than this database takes back even what was confirmed.
  if new.status <> old.status and not (old.status || '>' || new.status = any (array[
    'signed>sent', 'signed>mined', 'sent>mined', 'sent>dropped', 'mined>sent', 'mined>confirmed', 'confirmed>sent'])) then
    raise exception 'operator transaction % can not move from % to %', old.id, old.status, new.status
      using errcode = 'check_violation';
  end if;
  if new.status = old.status and old.finished_at is not null and new is distinct from old then
    raise exception 'operator transaction % is %, which does not change', old.id, old.status using errcode = 'check_violation';
  end if;
  if (new.id, new.network, new.address, new.nonce, new.purpose, new.subject, new.to_address, new.gas_limit, new.created_at)
      is distinct from (old.id, old.network, old.address, old.nonce, old.purpose, old.subject, old.to_address, old.gas_limit,
      old.created_at) then
    raise exception 'operator transaction % can not change what was asked', old.id using errcode = 'check_violation';
  end if;
  if new.attempt <> old.attempt and (new.attempt <> old.attempt + 1 or new.status <> 'sent' or old.status <> 'sent') then
    raise exception 'operator transaction % can only be replaced by its next attempt while it waits', old.id
      using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger operator_transaction_moves before update on operator_transactions
  for each row execute function operator_transaction_moves();
create trigger operator_transactions_stay before delete on operator_transactions for each row execute function refuse_change();
create trigger operator_transactions_no_truncate before truncate on operator_transactions
  for each statement execute function refuse_change();

-- Nodes refuse a replacement that does not pay an eighth more, both in all and as a tip.
create function operator_signature_follows() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  before operator_signatures;
begin
  if new.attempt = 1 then
    return new;
  end if;
  select * into before from operator_signatures where transaction_id = new.transaction_id and attempt = new.attempt - 1;
  if not found or new.max_fee * 8 < before.max_fee * 9 or new.max_priority_fee * 8 < before.max_priority_fee * 9 then
    raise exception 'signature % of operator transaction % does not pay an eighth more than the one before', new.attempt,
      new.transaction_id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger operator_signature_follows before insert on operator_signatures
  for each row execute function operator_signature_follows();
create trigger operator_signatures_append_only before update or delete on operator_signatures
  for each row execute function refuse_change();
create trigger operator_signatures_no_truncate before truncate on operator_signatures
  for each statement execute function refuse_change();
`;
