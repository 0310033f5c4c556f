/**
 * Of a transfer that waits to be mined, `missing_since` says since when no node shows it any more. `matures_at` is the
 * first block in which what a miner made for itself may be spent: before that it is not counted.
 */
export const name = '0065-pool';

export const up = `
alter table credits
  add column missing_since timestamptz,
  add column matures_at bigint;
`;
