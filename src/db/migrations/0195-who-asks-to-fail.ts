/** Which administrator asks another one to fail a withdrawal or refund: it takes two from the four-eyes threshold on. */
export const name = '0195-who-asks-to-fail';

const columns = (table: string) => `
alter table ${table}
  add column fail_requested_by text,
  add column fail_requested_at timestamptz,
  add constraint ${table}_fail_request check ((fail_requested_by is null) = (fail_requested_at is null)) not valid;
`;

export const up = columns('withdrawals') + columns('refunds');
