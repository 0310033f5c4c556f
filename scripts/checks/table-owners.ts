/**
 * Whose table is it. Only the owner's SQL writes a table. Reading somebody else's is an exception, and so is writing: each is listed here,
 * with the reason. `npm run check` holds src/ to this list and refuses exceptions that nothing uses.
 */

/** Each table's folder of src/. */
export const OWNERS: Readonly<Record<string, string>> = {
  admins: 'admins',
  api_keys: 'api-keys',
  audit_chain: 'audit',
  audit_checkpoints: 'audit',
  audit_log: 'audit',
  chain_blocks: 'chains',
  chain_cursors: 'chains',
  charge_attempts: 'subscriptions',
  charges: 'subscriptions',
  checkout_session_moves: 'checkout',
  checkout_sessions: 'checkout',
  collector_events: 'subscriptions',
  credits: 'payments',
  deposit_addresses: 'payments',
  entries: 'ledger',
  event_feed: 'events',
  events: 'events',
  idempotency_keys: 'idempotency',
  incidents: 'incidents',
  job_ticks: 'scheduler',
  journals: 'ledger',
  ledger_accounts: 'ledger',
  limit_buckets: 'limits',
  limit_counters: 'limits',
  login_throttle: 'identity',
  mandates: 'subscriptions',
  merchants: 'merchants',
  operator_accounts: 'chains',
  operator_signatures: 'chains',
  operator_transactions: 'chains',
  payment_link_totals: 'payment-links',
  payment_links: 'payment-links',
  payments: 'payments',
  plans: 'subscriptions',
  platform_settings: 'settings',
  rates: 'rates',
  recovery_codes: 'identity',
  refresh_tokens: 'identity',
  roles: 'admins',
  sandbox_clock: 'sandbox',
  sandbox_wallets: 'sandbox',
  second_factors: 'identity',
  sessions: 'identity',
  subscription_signals: 'subscriptions',
  subscriptions: 'subscriptions',
  unsealed_audit_entries: 'audit',
  unsealed_events: 'events',
  webhook_attempts: 'webhooks',
  webhook_certifications: 'webhooks',
  webhook_deliveries: 'webhooks',
  webhook_endpoints: 'webhooks',
  webhook_keys: 'webhooks',
  withdrawals: 'withdrawals',
};

export type Exception = {
  readonly folder: string;
  readonly access: 'read' | 'write';
  readonly tables: readonly string[];
  readonly why: string;
};

/** What a folder may do with tables that it does not own. */
export const EXCEPTIONS: readonly Exception[] = [
  {
    folder: 'merchants',
    access: 'write',
    tables: ['webhook_endpoints'],
    why: 'webhookUrl is a field of the merchant in the specification; the profile is saved in one statement with it.',
  },
  {
    folder: 'merchants',
    access: 'read',
    tables: ['webhook_endpoints', 'second_factors', 'sessions'],
    why: 'The merchant of the contract shows webhookUrl and twoFactorEnabled, and its session is read with it on every request.',
  },
  {
    folder: 'admins',
    access: 'read',
    tables: ['second_factors', 'sessions'],
    why: 'Session, status, role and second factor of an administrator are read in one statement on every request.',
  },
  {
    folder: 'payments',
    access: 'read',
    tables: ['chain_cursors'],
    why: 'A payment expires and confirms by how far its networks are scanned, which its queues ask in their own statement.',
  },
  {
    folder: 'payments',
    access: 'read',
    tables: ['events'],
    why: 'The timeline of a payment is what was announced of it.',
  },
  {
    folder: 'subscriptions',
    access: 'read',
    tables: ['chain_blocks', 'chain_cursors'],
    why: 'What may be counted on of a mandate is what lies deep enough in the scanned chain.',
  },
  {
    folder: 'subscriptions',
    access: 'read',
    tables: ['operator_transactions', 'operator_signatures'],
    why: 'A period is charged anew only when no stored bytes can charge it any more.',
  },
  {
    folder: 'subscriptions',
    access: 'read',
    tables: ['payments'],
    why: 'Payments leave a signal; what became of the payment is read where the signal is applied.',
  },
  {
    folder: 'settlements',
    access: 'read',
    tables: ['entries', 'journals', 'ledger_accounts', 'payments'],
    why: "The merchant's balance and its transactions are a view of the ledger.",
  },
  {
    folder: 'withdrawals',
    access: 'read',
    tables: ['ledger_accounts'],
    why: 'A merchant that owes is paid nothing: its debt account is locked and read.',
  },
  {
    folder: 'reconcile',
    access: 'read',
    tables: [
      ...['entries', 'journals', 'ledger_accounts', 'payments', 'credits', 'events', 'withdrawals'],
      ...['charges', 'collector_events', 'subscription_signals'],
    ],
    why: 'Reconciliation compares what the owners wrote, so it must not ask them.',
  },
  {
    folder: 'webhooks',
    access: 'read',
    tables: ['events'],
    why: 'Deliveries carry events: they are joined when they are claimed, listed and sent again.',
  },
  ...['api-keys', 'checkout', 'payment-links', 'payments', 'subscriptions', 'webhooks', 'withdrawals'].map(
    (folder): Exception => ({
      folder,
      access: 'read',
      tables: ['merchants'],
      why: "The merchant's state or name is joined into a statement about many rows, which one call a merchant would make slow.",
    }),
  ),
  {
    folder: 'checkout',
    access: 'read',
    tables: ['payments'],
    why: 'A session follows its payment, whose state is joined.',
  },
  {
    folder: 'sandbox',
    access: 'read',
    tables: [
      ...['chain_cursors', 'charges', 'credits', 'merchants', 'operator_transactions', 'payment_links', 'payments'],
    ],
    why: 'The sandbox mines and moves its clock as long as anything waits for that, whatever folder it belongs to.',
  },
];
