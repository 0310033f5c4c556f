/**
 * In which contract a payout is paid, and with which decimals, noted when it is begun: its token may be listed with
 * another one before it is exported again or completed. Null before that, and of what a release before has begun.
 */
export const name = '0241-payouts-begun-in';

const changes = (kind: 'withdrawal' | 'refund') => `
alter table ${kind}s
  add column begun_contract text,
  add column begun_decimals integer,
  add constraint ${kind}s_begun_in check ((begun_contract is null) = (begun_decimals is null)) not valid;
create trigger ${kind}_stays_begun_in before update on ${kind}s for each row
  when (old.begun_contract is not null
    and (new.begun_contract, new.begun_decimals) is distinct from (old.begun_contract, old.begun_decimals))
  execute function refuse_rewrite('${kind}', 'what it was begun in');
`;

export const up = `${changes('withdrawal')}${changes('refund')}`;
