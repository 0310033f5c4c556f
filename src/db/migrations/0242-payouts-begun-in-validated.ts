/** Reads the rows from before for the checks of 0241. Reading and writing go on meanwhile. */
export const name = '0242-payouts-begun-in-validated';

export const up = `
alter table withdrawals validate constraint withdrawals_begun_in;
alter table refunds validate constraint refunds_begun_in;
`;
