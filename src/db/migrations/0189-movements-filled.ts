/** Counts what was there before the trigger of 0188. It locks no table. */
export const name = '0189-movements-filled';

export const up = `
select rebuild_tallies('movements');
`;
