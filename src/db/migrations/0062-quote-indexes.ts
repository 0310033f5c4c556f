/** The index by which open payments are found whose quotes are over. See decision db/indexes-beside-the-application. */
export const name = '0062-quote-indexes';

export const indexes = {
  payments_quoted: `payments (quoted_until) where status in ('initiated', 'pending')`,
};
