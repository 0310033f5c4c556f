/** What KASI_NETWORKS no longer lists, and since when: what depends on it comes to an end. */
export const name = '0049-delisted';

export const up = `
-- A token that the last start did not list; with an empty contract the whole network.
create table delisted (
  network text not null,
  contract text not null default '',
  since timestamptz not null default clock_timestamp(),
  primary key (network, contract)
);
`;
