/**
 * Counts the addresses that payments get of an account of Bitcoin. `account` is the output script of the account's first
 * address, which no payment gets. A sequence and not a counter: payments that are made at once do not wait for one
 * another, and a number that is lost with its transaction harms nobody.
 */
export const name = '0069-bitcoin-deposits';

export const up = `
create sequence bitcoin_deposit_index as integer minvalue 1;
create table bitcoin_deposits (
  payment_id text primary key,
  account text not null,
  index integer not null check (index > 0),
  made_at timestamptz not null default clock_timestamp(),
  unique (account, index)
);
create trigger bitcoin_deposit_is_final before update on bitcoin_deposits
  for each row when (old is distinct from new) execute function refuse_change();
alter table deployment_contracts drop constraint deployment_contracts_role_check;
alter table deployment_contracts
  add constraint deployment_contracts_role_check check (role in ('factory', 'collector', 'account'));
`;
