/** Wallets of play, so that the sandbox can act for the customers that it has made. */
export const name = '0024-sandbox-wallets';

export const up = `
-- Only the sandbox writes here. The keys open nothing but play money, and whoever made a wallet was shown its key.
create table sandbox_wallets (
  -- Lower-case hex.
  address text primary key check (address ~ '^0x[0-9a-f]{40}$'),
  private_key text not null check (private_key ~ '^0x[0-9a-f]{64}$'),
  created_at timestamptz not null
);
`;
