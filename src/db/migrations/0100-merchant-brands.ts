/** What payers recognize a merchant by: a colour, and a logo that we have drawn anew. */
export const name = '0100-merchant-brands';

export const up = `
create table merchant_logos (
  merchant_id text primary key references merchants (id) on delete cascade,
  -- The beginning of the SHA-256 of the image, its name in URLs.
  name text not null check (name ~ '^[0-9a-f]{32}$'),
  png bytea not null check (length(png) between 1 and 262144)
);
create index merchant_logos_by_name on merchant_logos (name);

alter table merchants
  add column brand_color text check (brand_color ~ '^#[0-9a-f]{6}$'),
  add column logo_name text;
`;
