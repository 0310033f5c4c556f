/** What 0101 counts, built beside the application. See decision db/indexes-beside-the-application. */
export const name = '0102-link-places';

export const indexes = {
  /** Counted whenever a payer starts a payment of a link that takes only so many. */
  payments_with_a_place: `payments (link_id, status)
    where link_id is not null and status in ('initiated', 'pending', 'confirming', 'paid')`,
};
