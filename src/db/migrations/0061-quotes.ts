/**
 * What payments ask in coins whose price moves. Every quote is kept, because a transfer counts by the one that was in
 * force when it was sent. A quote is in force from `starts_at` until the next one of its payment and symbol.
 */
export const name = '0061-quotes';

export const up = `
create table payment_quotes (
  payment_id text not null references payments (id) on delete cascade,
  symbol text not null,
  number integer not null check (number > 0),
  pair text not null,
  -- Base units of the coin that the whole payment asks.
  units numeric(78, 0) not null check (units > 0),
  -- Dollars for one coin on the market, at scale 8, and by how many basis points less it counts.
  value_e8 numeric(78, 0) not null check (value_e8 > 0),
  spread_bps integer not null check (spread_bps >= 0 and spread_bps < 10000),
  source text not null,
  quoted_at timestamptz not null,
  starts_at timestamptz not null,
  primary key (payment_id, symbol, number)
);
-- Until when its quotes hold; null without any. They are renewed while it is open.
alter table payments add column quoted_until timestamptz;
`;
