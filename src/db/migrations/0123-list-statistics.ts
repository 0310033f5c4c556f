/** Indexes that others have replaced (0122), and what the planner has to know of e-mail addresses to use theirs. */
export const name = '0123-list-statistics';

// Statistics first: dropping an index locks the table until the end, which has to be at once.
export const up = `
-- Of a partial index it knows nothing, and walked through all payments of a merchant for the few of one customer.
create statistics payments_customer on (lower(customer_email)) from payments;
analyze payments;
drop index payments_by_merchant;
drop index payment_links_by_merchant;
`;
