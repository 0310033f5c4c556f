/** What a payment is for, line by line: `[{name, quantity, unitMinor}]`; null when nobody listed any. */
export const name = '0099-line-items';

export const up = `
alter table payments add column items jsonb;
-- Not validated: no row has any yet, and none has to be looked at.
alter table payments add constraint payment_items
  check (items is null or (jsonb_typeof(items) = 'array' and jsonb_array_length(items) between 1 and 50)) not valid;
`;
