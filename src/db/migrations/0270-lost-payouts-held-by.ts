/**
 * Which other payouts have what a lost payout was paid by, as the chain showed. Two releases gave its places and
 * theirs, so that these can't be compared. Null: not known.
 */
export const name = '0270-lost-payouts-held-by';

export const up = `
alter table lost_payouts add column held_by text[];
`;
