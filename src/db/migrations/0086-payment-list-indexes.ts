/** What merchants filter their payments by. See decision payments/lists-by-index. */
export const name = '0086-payment-list-indexes';

export const indexes = {
  payments_waiting: `payments (merchant_id, created_at desc, id desc)
    where booked_suspense > 0 and status in ('paid', 'expired', 'failed')`,
  payments_with_exception: 'payments (merchant_id, created_at desc, id desc) where exception is not null',
  payments_by_link: 'payments (link_id, created_at desc, id desc) where link_id is not null',
  payments_by_customer: 'payments (merchant_id, lower(customer_email)) where customer_email is not null',
  payments_by_metadata: `payments using gin (metadata jsonb_path_ops) where metadata <> '{}'`,
  credits_gone: 'credits (tx_hash) where not canonical',
};
