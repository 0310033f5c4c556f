/** Sweeps: which deposits each transaction of ours moves into the treasury, and which of them would not move. */
export const name = '0043-sweeps';

export const up = `
create table sweeps (
  -- The transaction of ours that carries it.
  id text primary key check (id like 'optx\\_%'),
  network text not null,
  contract text not null,
  factory text not null,
  status text not null default 'open' check (status in ('open', 'done', 'reverted', 'dropped')),
  -- The newest scanned block when it was planned.
  height bigint not null check (height >= 0),
  gas_estimate bigint not null check (gas_estimate > 0),
  created_at timestamptz not null,
  finished_at timestamptz,
  check ((status = 'open') = (finished_at is null))
);
create index sweeps_open on sweeps (created_at) where status = 'open';
create table sweep_items (
  sweep_id text not null references sweeps (id),
  network text not null,
  contract text not null,
  address text not null,
  payment_id text not null,
  units numeric(78, 0) not null check (units > 0),
  -- Null while its sweep is open. Refused: it stayed where it was although the sweep went through.
  outcome text check (outcome in ('moved', 'refused', 'unsent')),
  primary key (sweep_id, address)
);
-- Money is in one sweep at a time.
create unique index sweep_items_open on sweep_items (network, contract, address) where outcome is null;
create index sweep_items_refused on sweep_items (network, contract, address) where outcome = 'refused';
`;
