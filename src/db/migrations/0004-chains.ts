/** What the watchers know of each chain. */
export const name = '0004-chains';

export const up = `
-- height/hash: the last block whose observations are stored. confirmed_height: how deep a block must lie to be counted on.
create table chain_cursors (
  network text primary key,
  genesis_hash text not null,
  height bigint not null check (height >= 0),
  hash text not null,
  block_time timestamptz not null,
  confirmed_height bigint not null,
  head_height bigint not null,
  scanned_at timestamptz not null,
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
