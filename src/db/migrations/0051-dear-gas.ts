/** A charge that is not worth its gas waits, and says so. */
export const name = '0051-dear-gas';

export const up = `
-- Not valid: rows from before have one of the former reasons, so the table need not be read for it.
alter table charges drop constraint charges_failure_code_check;
alter table charges add constraint charges_failure_code_check check (failure_code in (
  'mandate_missing', 'mandate_revoked', 'insufficient_balance', 'insufficient_allowance', 'token_blocked',
  'network_unavailable', 'gas_too_dear')) not valid;
`;
