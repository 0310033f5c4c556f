/** What a link sells, line by line as payments have it, and the amounts between which its payers choose. */
export const name = '0095-link-terms';

export const up = `
alter table payment_links add column items jsonb, add column payer_min_minor bigint, add column payer_max_minor bigint;
-- Not validated: no row has any yet, and none has to be looked at.
alter table payment_links add constraint payment_link_items
  check (items is null or (jsonb_typeof(items) = 'array' and jsonb_array_length(items) between 1 and 50)) not valid;
-- The amount of a link whose payers choose is what the page suggests. Lines add up to one amount, so such a link has none.
alter table payment_links add constraint payment_link_payer_amount
  check ((payer_min_minor is null and payer_max_minor is null) or
         (0 < payer_min_minor and payer_min_minor <= amount_minor and amount_minor <= payer_max_minor
          and items is null)) not valid;
`;
