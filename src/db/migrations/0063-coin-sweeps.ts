/**
 * Coins arrive at deposit addresses without a log, so all that ever arrived is compared: what an address holds, and what
 * left it. `coin_sweeps` has what left; `coin_cursors` says in which blocks of a network's chain addresses were read, those of
 * payments that wait and, more rarely, those of payments that are over; `coin_requests` names addresses that are read
 * until what they hold agrees with what was credited.
 */
export const name = '0063-coin-sweeps';

export const up = `
create table coin_sweeps (
  network text not null,
  block_hash text not null,
  tx_hash text not null,
  place integer not null check (place >= 0),
  block_number bigint not null,
  address text not null,
  units numeric(78, 0) not null check (units > 0),
  canonical boolean not null default true,
  primary key (network, block_hash, tx_hash, place)
);
create index coin_sweeps_by_address on coin_sweeps (network, address) where canonical;
create index coin_sweeps_by_block on coin_sweeps (network, block_number) where canonical;

create table coin_cursors (
  network text primary key,
  height bigint not null check (height >= 0),
  hash text not null,
  late_height bigint not null check (late_height >= 0),
  late_hash text not null,
  -- The time of the block in which those that are over were read, and when that was.
  late_to timestamptz,
  late_at timestamptz
);

create table coin_requests (
  network text not null,
  address text not null,
  payment_id text not null,
  requested_at timestamptz not null,
  primary key (network, address)
);
`;
