/** What went into the treasury and out of it, as the chain says, so that the ledger can be compared with the chain and deposits swept. */
export const name = '0033-treasury';

export const up = `
-- When the treasury had what this transfer brought: null while it may still lie on its deposit address.
alter table credits add column swept_at timestamptz;
create index credits_unswept on credits (network, recipient) where canonical and swept_at is null;

-- How far the transfers of a network's treasuries have been read. Rows above the height are of blocks that are not confirmed.
create table treasury_cursors (
  network text primary key,
  -- The tokens and treasuries that were read for; others mean that everything has to be read again.
  watched text not null,
  first_height bigint not null check (first_height >= 0),
  height bigint not null,
  -- The payment up to which older deposit addresses have been compared in turn.
  rotated_to text not null default '',
  check (height >= first_height - 1)
);
create table treasury_transfers (
  network text not null references treasury_cursors (network),
  block_number bigint not null,
  block_hash text not null,
  -- The log's place in its block.
  place integer not null check (place >= 0),
  treasury text not null,
  outgoing boolean not null,
  contract text not null,
  -- The other side.
  party text not null,
  -- Whether the other side is a deposit address.
  swept boolean not null,
  units numeric(78, 0) not null check (units >= 0),
  tx_hash text not null,
  primary key (network, block_number, place, treasury, outgoing),
  check (not (swept and outgoing))
);
create index treasury_transfers_swept on treasury_transfers (network, party, block_number) where swept;
create index treasury_transfers_by_transaction on treasury_transfers (network, tx_hash) where not outgoing;
-- What a treasury held of a token once all its transfers up to a height were known and agreed with that.
create table treasury_balances (
  network text not null references treasury_cursors (network),
  contract text not null,
  treasury text not null,
  height bigint not null,
  units numeric(78, 0) not null check (units >= 0),
  primary key (network, contract, treasury)
);
-- Deposit addresses that hold something else than was credited and not swept, until they agree.
create table unexplained_holdings (
  network text not null,
  contract text not null,
  address text not null,
  expected_units numeric(78, 0) not null,
  held_units numeric(78, 0) not null check (held_units >= 0),
  height bigint not null,
  found_at timestamptz not null,
  primary key (network, contract, address),
  check (expected_units <> held_units)
);
`;
