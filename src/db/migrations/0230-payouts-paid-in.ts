/**
 * In which contract a payout was paid, and with which decimals: its token may be listed with another one before the
 * payout is final, and would be looked for in vain. Null where the chain was not asked, and of before.
 */
export const name = '0230-payouts-paid-in';

/** A payout that is taken back leaves what it was paid in with what was lost, and is paid in nothing. */
const mayRevert = (kind: 'withdrawal' | 'refund', token: string) => `
create or replace function ${kind}_may_revert() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if old.tx_block is null or old.final_at is not null then
    raise exception 'the payout of ${kind} % can not be taken back', old.id using errcode = 'check_violation';
  end if;
  -- The release before looks by the symbol, and writes nothing here. It may have looked for another contract.
  if old.tx_contract is not null and new.tx_contract is not null and exists (
      select from deployment_tokens t join deployment_networks n on n.chain = t.chain
       where n.name = old.network and t.symbol = old.${token} and t.contract <> old.tx_contract) then
    raise exception 'the payout of ${kind} % was not looked for by the contract in which it was paid', old.id
      using errcode = 'check_violation';
  end if;
  insert into lost_payouts (${kind}_id, revert, network, tx_hash, transfers, contract, decimals, block, block_hash,
      lost_at, looked_at, absent_at)
    values (old.id, new.reverts, old.network, old.tx_hash, old.tx_transfers, old.tx_contract, old.tx_decimals,
      old.tx_block, old.tx_block_hash, new.updated_at, new.updated_at, new.updated_at);
  new.tx_contract := null;
  new.tx_decimals := null;
  return new;
end $$;
`;

export const up = `
alter table withdrawals
  add column tx_contract text,
  add column tx_decimals integer,
  add constraint withdrawals_paid_in
    check ((tx_contract is null) = (tx_decimals is null) and (tx_contract is null or tx_hash is not null)) not valid;
alter table refunds
  add column tx_contract text,
  add column tx_decimals integer,
  add constraint refunds_paid_in
    check ((tx_contract is null) = (tx_decimals is null) and (tx_contract is null or tx_hash is not null)) not valid;
alter table lost_payouts
  add column contract text,
  add column decimals integer,
  add constraint lost_payouts_paid_in check ((contract is null) = (decimals is null)) not valid;
${mayRevert('withdrawal', 'currency')}${mayRevert('refund', 'token')}
-- Of a withdrawal that is completed nothing changes but where its payout lies.
create trigger refund_stays_paid_in before update on refunds for each row
  when ((new.tx_contract, new.tx_decimals) is distinct from (old.tx_contract, old.tx_decimals)
    and new.tx_hash is not distinct from old.tx_hash)
  execute function refuse_rewrite('refund', 'what it was paid in');
`;
