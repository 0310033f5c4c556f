/** Reads the rows from before for the checks of 0230. Reading and writing go on meanwhile. */
export const name = '0240-payouts-paid-in-validated';

export const up = `
alter table withdrawals validate constraint withdrawals_paid_in;
alter table refunds validate constraint refunds_paid_in;
alter table lost_payouts validate constraint lost_payouts_paid_in;
`;
