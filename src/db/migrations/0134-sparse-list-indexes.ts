/** What lists find that few rows of a merchant are. See decision tallies/days-are-skipped. */
export const name = '0134-sparse-list-indexes';

export const indexes = {
  subscriptions_leaving: `subscriptions (merchant_id, created_at desc, id desc)
    where status = 'cancelled' or cancel_requested_at is not null`,
  payment_links_unannounced: `payment_links (merchant_id, expires_at) include (created_at)
    where deleted_at is null and not disabled and expires_at is not null and expiry_announced_at is null`,
  merchants_found: 'merchants using gin (terms)',
};
