/**
 * Whose table is it. Only the owner's SQL uses a table. Every other use is an exception, listed here with its reason.
 * `npm run check` refuses uses that are not listed, and exceptions that nothing uses.
 */

/** The folder of src/ that owns each table. */
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
  delisted: 'deployment',
  deployment: 'deployment',
  deployment_contracts: 'deployment',
  deployment_names: 'deployment',
  deployment_networks: 'deployment',
  deployment_tokens: 'deployment',
  deposit_addresses: 'payments',
  entries: 'ledger',
  event_feed: 'events',
  events: 'events',
  guarded_changes: 'settings',
  idempotency_keys: 'idempotency',
  incident_alerts: 'incidents',
  incidents: 'incidents',
  job_ticks: 'scheduler',
  journals: 'ledger',
  ledger_accounts: 'ledger',
  limit_buckets: 'limits',
  limit_counters: 'limits',
  login_devices: 'identity',
  login_throttle: 'identity',
  lost_payouts: 'withdrawals',
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
  pruned_payments: 'payments',
  rates: 'rates',
  recovery_codes: 'identity',
  refresh_tokens: 'identity',
  rescans: 'chains',
  roles: 'admins',
  sandbox_clock: 'sandbox',
  sandbox_wallets: 'sandbox',
  schema_compatibility: 'db',
  second_factors: 'identity',
  sessions: 'identity',
  subscription_signals: 'subscriptions',
  subscriptions: 'subscriptions',
  sweep_items: 'treasury',
  sweeps: 'treasury',
  treasury_balances: 'treasury',
  treasury_cursors: 'treasury',
  treasury_transfers: 'treasury',
  unsealed_audit_entries: 'audit',
  unexplained_holdings: 'treasury',
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

/** What folders may do with tables of others. */
export const EXCEPTIONS: readonly Exception[] = [
  {
    folder: 'merchants',
    access: 'write',
    tables: ['webhook_endpoints'],
    why: 'webhookUrl is a field of the profile (decision webhooks/merchants-set-the-url).',
  },
  {
    folder: 'merchants',
    access: 'read',
    tables: ['webhook_endpoints', 'second_factors', 'sessions'],
    why: 'The profile shows webhookUrl and twoFactorEnabled; the session is read with its merchant on every request.',
  },
  {
    folder: 'admins',
    access: 'read',
    tables: ['second_factors', 'sessions'],
    why: 'Session, status, role and second factor of an administrator are read in one statement on every request.',
  },
  {
    folder: 'deployment',
    access: 'read',
    tables: [
      ...['admins', 'api_keys', 'chain_blocks', 'chain_cursors', 'credits', 'events', 'merchants', 'payments'],
      ...['idempotency_keys', 'sandbox_clock', 'sandbox_wallets', 'second_factors', 'webhook_keys', 'withdrawals'],
    ],
    why: 'A database from before its identity was recorded says by its content what it is and who sealed its secrets.',
  },
  {
    folder: '',
    access: 'read',
    tables: ['chain_cursors', 'incidents', 'job_ticks'],
    why: 'Metrics count rows of many folders; each is one query on a scrape.',
  },
  {
    folder: 'payments',
    access: 'read',
    tables: ['chain_cursors'],
    why: 'How far its networks are scanned decides when a payment expires and confirms: part of the queries of due rows.',
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
    why: 'The chain is asked about a mandate at the newest scanned block that is deep enough to count on.',
  },
  {
    folder: 'subscriptions',
    access: 'read',
    tables: ['operator_transactions', 'operator_signatures'],
    why: 'A period is charged under a new mandate only when no stored bytes can charge it under an earlier one.',
  },
  {
    folder: 'subscriptions',
    access: 'read',
    tables: ['payments', 'credits'],
    why: 'A payment leaves a signal; its status and its money are read, for many at once, where the signal is applied.',
  },
  {
    folder: 'settlements',
    access: 'read',
    tables: ['entries', 'journals', 'ledger_accounts', 'payments', 'pruned_payments'],
    why: "The merchant's balance and its transactions are a view of the ledger; payments are counted.",
  },
  {
    folder: 'reconcile',
    access: 'read',
    tables: [
      ...['entries', 'journals', 'ledger_accounts', 'payments', 'credits', 'events', 'withdrawals'],
      ...['charges', 'collector_events', 'subscription_signals', 'subscriptions'],
    ],
    why: 'Reconciliation compares what the owners wrote, so it must not ask them.',
  },
  {
    folder: 'webhooks',
    access: 'read',
    tables: ['events'],
    why: 'A delivery carries an event, which is joined when deliveries are claimed, listed and recovered.',
  },
  ...['api-keys', 'checkout', 'payment-links', 'subscriptions', 'withdrawals'].map(
    (folder): Exception => ({
      folder,
      access: 'read',
      tables: ['merchants'],
      why: 'The status or name of the merchant is joined: one statement for many rows, or on the path of every request.',
    }),
  ),
  {
    folder: 'checkout',
    access: 'read',
    tables: ['payments'],
    why: 'A session shows what its payment shows: one statement reads both.',
  },
  {
    folder: 'sandbox',
    access: 'read',
    tables: [
      ...['chain_cursors', 'charges', 'credits', 'merchants', 'operator_transactions', 'payment_links', 'payments'],
    ],
    why: 'The sandbox mines and moves its clock for whatever waits, and makes demo data once.',
  },
];
