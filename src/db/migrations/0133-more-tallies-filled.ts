/** Counts what was there before the triggers of 0132. It locks no table. */
export const name = '0133-more-tallies-filled';

export const up = `
select rebuild_tallies(list) from unnest(array['withdrawals', 'refunds', 'links']) as l (list);
`;
