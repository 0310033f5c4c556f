/**
 * Reads the rows from before for checks that were added as not valid. Reading and writing go on meanwhile: only other
 * changes of these tables wait.
 */
export const name = '0059-checks-validated';

export const up = `
alter table withdrawals validate constraint withdrawals_place;
alter table withdrawals validate constraint withdrawals_place_is_shown;
alter table withdrawals validate constraint withdrawals_final_is_placed;
alter table credits validate constraint credits_twins_check;
`;
