/** In which language a customer read what they agreed to: their receipts are in it. */
export const name = '0117-customers-locale';

export const up = `
alter table subscriptions add column locale text;
-- Validated by the next migration, without a lock that others wait for.
alter table subscriptions add constraint subscriptions_locale check (locale ~ '^[a-z]{2}$') not valid;
`;
