/** What lists and figures read that tallies don't know. See decision tallies/days-are-skipped. */
export const name = '0122-tally-indexes';

export const indexes = {
  // In place of those without the columns that only a filter reads (0123).
  payments_listed: 'payments (merchant_id, created_at desc, id desc) include (amount_minor, currency, source)',
  payment_links_listed: `payment_links (merchant_id, created_at desc, id desc) include (disabled, expires_at)
    where deleted_at is null`,
  webhook_deliveries_by_status: 'webhook_deliveries (merchant_id, status, created_at desc, id desc)',
  audit_log_by_actor_type: 'audit_log (actor_type, created_at desc, id desc)',
  payments_by_paid: 'payments (merchant_id, paid_at desc) where paid_at is not null',
  payment_links_by_expiry: `payment_links (merchant_id, expires_at)
    where deleted_at is null and not disabled and expires_at is not null`,
};
