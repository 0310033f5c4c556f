/** Validates the checks of 0150: existing rows are read without a lock that others would wait for. */
export const name = '0151-incident-mails-validated';

export const up = `
alter table mails validate constraint mails_kind_check;
alter table mails validate constraint mail_of_a_payment;
`;
