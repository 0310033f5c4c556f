// Written by `npm run generate` from openapi/; never edited.

/** The operations that take an `Idempotency-Key`. */
export const idempotentRoutes = [
  'POST /v1/admin/auth/two-factor/enable',
  'POST /v1/admin/roles',
  'POST /v1/admin/users',
  'POST /v1/api-keys',
  'POST /v1/api-keys/{id}/rotate',
  'POST /v1/auth/two-factor/enable',
  'POST /v1/checkout/sessions',
  'POST /v1/checkout/sessions/{id}/expire',
  'POST /v1/payment-links',
  'POST /v1/payments',
  'POST /v1/payments/{id}/cancel',
  'POST /v1/payments/{id}/resolve',
  'POST /v1/sandbox/payments/{id}/pay',
  'POST /v1/sandbox/withdrawals/{id}/pay',
  'POST /v1/sdk/checkout/sessions',
  'POST /v1/webhooks/certify',
  'POST /v1/webhooks/deliveries/{id}/redeliver',
  'POST /v1/webhooks/keys/rotate',
  'POST /v1/webhooks/recover',
  'POST /v1/webhooks/test',
  'POST /v1/withdrawals',
  'POST /v1/withdrawals/{id}/cancel',
] as const;
