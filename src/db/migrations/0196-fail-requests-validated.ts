/** Reads the rows from before for the checks of 0195. Reading and writing go on meanwhile. */
export const name = '0196-fail-requests-validated';

export const up = `
alter table withdrawals validate constraint withdrawals_fail_request;
alter table refunds validate constraint refunds_fail_request;
`;
