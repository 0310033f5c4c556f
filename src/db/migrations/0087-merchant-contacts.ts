/** How payers reach a merchant, as its payment pages show it. */
export const name = '0087-merchant-contacts';

export const up = `
alter table merchants
  add column support_email text check (length(support_email) between 3 and 254),
  add column support_url text check (support_url ~ '^https://' and length(support_url) <= 2048),
  add column website text check (website ~ '^https://' and length(website) <= 2048);
`;
