/** Validates the check of 0105: existing rows are read without a lock that others would wait for. */
export const name = '0106-locales-validated';

export const up = `alter table payments validate constraint payments_locale;`;
