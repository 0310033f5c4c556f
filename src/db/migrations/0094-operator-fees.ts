/** What transactions of our own accounts cost: relays, sweeps, charges. */
export const name = '0094-operator-fees';

export const up = `
-- In the chain's smallest coin, of the signature in a block; null while there is none, and for what was mined before
-- this. No constraint ties it to the block: processes of the release before take blocks back without it.
alter table operator_transactions add column fee_wei numeric(78) check (fee_wei >= 0);
create index operator_transactions_by_age on operator_transactions (created_at);
`;
