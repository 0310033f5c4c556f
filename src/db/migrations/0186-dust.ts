/** What is worth too little to be credited has a table of its own. See decision payments/dust-is-kept-aside. */
export const name = '0186-dust';

export const up = `
-- Transfers to deposit addresses that are not credited: one row for all that a transaction brought of a token. Rows go
-- with their blocks when a reorg takes these.
create table dust (
  network text not null,
  tx_hash text not null,
  recipient text not null,
  contract text not null,
  block_number bigint not null check (block_number >= 0),
  transfers integer not null check (transfers > 0),
  units numeric(78, 0) not null check (units > 0),
  value_e18 numeric(96, 0) not null check (value_e18 >= 0),
  seen_at timestamptz not null,
  primary key (network, tx_hash, recipient, contract)
);
create index dust_by_recipient on dust (network, recipient);
create index dust_by_block on dust (network, block_number);
`;
