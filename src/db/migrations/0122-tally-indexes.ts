/** What lists and figures read that tallies don't know. See decision tallies/days-are-skipped. */
export const name = '0122-tally-indexes';

export const indexes = {
  webhook_deliveries_by_status: 'webhook_deliveries (merchant_id, status, created_at desc, id desc)',
  audit_log_by_actor_type: 'audit_log (actor_type, created_at desc, id desc)',
  payments_by_paid: 'payments (merchant_id, paid_at desc) where paid_at is not null',
  payment_links_by_expiry: `payment_links (merchant_id, expires_at)
    where deleted_at is null and not disabled and expires_at is not null`,
};
