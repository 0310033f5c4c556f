/**
 * What of a merchant was given up, by when. Whether any of it was lately is asked before its endpoint is disabled, and
 * read all that it had given up for two months.
 */
export const name = '0316-given-up-lately';

export const indexes = {
  webhook_deliveries_given_up: "webhook_deliveries (merchant_id, finished_at) where status = 'failed'",
};
