/** Unsigned transactions of Bitcoin that were handed out to pay payouts, and the coins that they spend. */
export const name = '0091-bitcoin-drafts';

export const up = `
create table bitcoin_drafts (
  network text not null,
  -- Signing does not change it: it covers no signature.
  tx_hash text not null check (tx_hash ~ '^[0-9a-f]{64}$'),
  payout_ids text[] not null check (cardinality(payout_ids) > 0),
  -- Where it gives back to the account what is left; null where nothing is.
  change_index integer check (change_index >= 0),
  change_units numeric(78, 0) check (change_units > 0),
  made_at timestamptz not null,
  primary key (network, tx_hash),
  check ((change_index is null) = (change_units is null))
);
create index bitcoin_drafts_by_payout on bitcoin_drafts using gin (payout_ids);
create index bitcoin_drafts_with_change on bitcoin_drafts (network, made_at) where change_index is not null;

create table bitcoin_draft_coins (
  network text not null,
  draft text not null,
  tx_hash text not null,
  coin_index integer not null check (coin_index >= 0),
  units numeric(78, 0) not null check (units > 0),
  -- The address of the account that holds it.
  key_index integer not null check (key_index >= 0),
  primary key (network, tx_hash, coin_index, draft),
  foreign key (network, draft) references bitcoin_drafts
);
create index bitcoin_draft_coins_by_draft on bitcoin_draft_coins (network, draft);

create trigger bitcoin_draft_is_final before update on bitcoin_drafts
  for each row when (old is distinct from new) execute function refuse_change();
create trigger bitcoin_draft_coin_is_final before update on bitcoin_draft_coins
  for each row when (old is distinct from new) execute function refuse_change();
`;
