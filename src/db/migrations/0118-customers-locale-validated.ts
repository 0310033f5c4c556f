/** Validates the check of 0117: existing rows are read without a lock that others would wait for. */
export const name = '0118-customers-locale-validated';

export const up = `alter table subscriptions validate constraint subscriptions_locale;`;
