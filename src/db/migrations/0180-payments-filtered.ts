/** An index of the list that holds all that lists filter by. See decision payments/texts-before-filters. */
export const name = '0180-payments-filtered';

export const indexes = {
  // In place of `payments_listed` (0181). Whatever changes one of the new columns writes all indexes anyway.
  payments_filtered: `payments (merchant_id, created_at desc, id desc)
    include (amount_minor, currency, source, link_id, status, exception, booked_suspense)`,
};
