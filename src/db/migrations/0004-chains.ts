/** What the watchers know of each chain. */
export const name = '0004-chains';

export const up = `
-- height/hash: the last block whose observations are stored. confirmed_height: the newest block that lies deep enough to be counted on.
-- scanned_at: everything that happened up to this moment of chain time is stored; the block's time, or later when a chain that makes
-- blocks only on demand rests. checked_at: when the chain last answered, by the database's clock.
create table chain_cursors (
  network text primary key,
  genesis_hash text not null,
  height bigint not null check (height >= 0),
  hash text not null,
  block_time timestamptz not null,
  confirmed_height bigint not null,
  head_height bigint not null,
  scanned_at timestamptz not null,
  checked_at timestamptz not null default clock_timestamp(),
  locked_by text,
  locked_until timestamptz
);

-- The last blocks that were scanned, so that a reorg can be walked back to its ancestor.
create table chain_blocks (
  network text not null,
  height bigint not null,
  hash text not null,
  block_time timestamptz not null,
  primary key (network, height)
);
`;
