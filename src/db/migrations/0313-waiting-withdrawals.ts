/**
 * The oldest withdrawal that waits. By the index of each status PostgreSQL did not look for it: it expected one of any
 * status early in the index of all withdrawals, and read all that are over at each scrape of the metrics.
 */
export const name = '0313-waiting-withdrawals';

export const indexes = {
  withdrawals_waiting: `withdrawals (created_at) where status in ('pending', 'approved', 'processing')`,
};
