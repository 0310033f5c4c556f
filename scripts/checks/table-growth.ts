import type { DB } from '../../generated/db.ts';

/**
 * How each table grows, and what ends that. The types refuse a table of the schema that is missing here. The README of
 * src/db shows this as a table, and test/db/growth.test.ts compares both with the database.
 */

/** What must stay unique although rows go: the constraint or index, and why a row that has gone can't come again. */
type Key = { readonly name: string; readonly why: string };

export type Growth = { readonly by: string } & (
  | {
      /** It stays for ever: why. */
      readonly ever: string;
      /** What may delete rows of it all the same. */
      readonly unless?: string;
    }
  | {
      /** How long rows are kept. */
      readonly kept: string;
      /** The job that deletes them afterwards. */
      readonly job: string;
      readonly key: Key;
    }
  /** A row goes with what it waits for, or in the transaction that is done with it. */
  | { readonly until: string }
);

/** What is no table. */
type View = 'tallied_rows' | 'ledger_balances' | 'ledger_month_sums';

/** As many rows as there are of something that people make by hand: merchants, networks, settings. */
export type Bounded = { readonly as: string };

const EVIDENCE = 'evidence of money';
const CHAIN = 'a chain that is read again must find that it is there';

/** Every table but the view of the tallies. */
export const GROWTH = {
  payments: { by: '1 a payment', ever: EVIDENCE, unless: 'unpaid ones of links go after 30 days (`payments.prune`)' },
  payment_texts: {
    by: '1 a payment with a description or an e-mail address',
    ever: 'what a search looks in',
    unless: 'it goes with its payment',
  },
  pruned_payments: { by: '1 a pruned payment', ever: 'late money brings the payment back from it' },
  deposit_addresses: { by: '1 or 2 a payment', ever: 'addresses are watched for ever and never reused' },
  bitcoin_deposits: { by: '1 a payment that offers BTC', ever: 'an index of a key is used once' },
  payment_quotes: {
    by: '1 a coin that a payment offers, and another every 15 minutes that it is looked at',
    ever: 'the rates that a payer was shown',
    unless: 'those of a pruned payment go with it',
  },
  credits: { by: '1 a transfer', ever: CHAIN },
  dust: {
    by: '1 a transaction, payment and token that brings too little to be credited',
    ever: 'what explains a balance',
    unless: 'it goes with a block that a reorg took',
  },
  coin_sweeps: { by: '1 a sweep of a coin', ever: CHAIN },
  journals: { by: '2 a payment', ever: 'the ledger' },
  entries: { by: '4 a payment', ever: 'the ledger' },
  ledger_months: { by: '10 a merchant and month', ever: 'statements' },
  events: {
    by: '3 a payment',
    ever: 'the feed is promised whole, and its hashes are made of the bodies',
    unless: 'those of pruned payments lose their bodies',
  },
  event_feed: { by: '3 a payment', ever: 'the feed has no gaps' },
  webhook_deliveries: {
    by: '3 a payment, and 1 a repetition',
    kept: '`webhookRetentionDays` (60)',
    job: 'webhooks.prune',
    key: {
      name: 'webhook_deliveries_pkey',
      why: 'only the statement that records an event makes its first delivery, and an event is recorded once (`event_once`); recovery goes back no further than deliveries are kept',
    },
  },
  webhook_attempts: {
    by: '1 an attempt',
    kept: 'as long as its delivery',
    job: 'webhooks.prune',
    key: { name: 'webhook_attempts_pkey', why: 'only a delivery that waits is attempted, and those stay' },
  },
  webhook_certifications: { by: '1 a certification', until: 'a merchant has 50 newer ones' },
  idempotency_keys: {
    by: '1 a request with a key',
    kept: '24 hours',
    job: 'idempotency.sweep',
    key: { name: 'idempotency_keys_pkey', why: 'the contract promises no more' },
  },
  audit_log: { by: '1 a change', ever: 'decision audit/kept-forever' },
  audit_chain: { by: '1 a change', ever: 'decision audit/kept-forever' },
  audit_checkpoints: { by: '1 a second in which something changes', ever: 'decision audit/kept-forever' },
  mails: {
    by: '1 a receipt or refund',
    kept: '400 days, its words and address 7',
    job: 'mail.clear',
    key: {
      name: 'mails_effect_key',
      why: 'a payment is completed once, and a refund again only while its block is not final',
    },
  },
  incidents: {
    by: '1 a trouble',
    kept: '400 days after its end',
    job: 'incidents.prune',
    key: { name: 'incidents_open', why: 'it is about open ones, and those stay' },
  },
  incident_alerts: {
    by: '1 a kind and minute of trouble',
    kept: '400 days, and as long as its incidents',
    job: 'incidents.prune',
    key: { name: 'incident_alerts_pkey', why: 'an incident that was told of says so itself (`alerted_at`)' },
  },
  sessions: {
    by: '1 a login',
    kept: '30 days after its end',
    job: 'identity.sweep',
    key: { name: 'sessions_pkey', why: 'access tokens live for minutes, and a session for 90 days at most' },
  },
  refresh_tokens: {
    by: '1 a refresh',
    kept: 'as long as its session',
    job: 'identity.sweep',
    key: { name: 'refresh_tokens_live', why: 'a token without a row is refused' },
  },
  login_devices: {
    by: '2 a device',
    kept: 'half a year after it was used last',
    job: 'identity.sweep',
    key: { name: 'login_devices_pkey', why: 'the device is new then, and treated so' },
  },
  login_throttle: {
    by: '1 an address, account or device that fails',
    kept: 'a day after the last failure',
    job: 'identity.sweep',
    key: { name: 'login_throttle_pkey', why: 'a counter starts at 0; one that has locked a code stays' },
  },
  limit_buckets: {
    by: '1 a caller and limit',
    kept: 'twice the longest window',
    job: 'limits.sweep',
    key: { name: 'limit_buckets_pkey', why: 'a bucket that is gone is a full one' },
  },
  limit_counters: {
    by: '1 a caller, limit and window',
    kept: 'twice the longest window',
    job: 'limits.sweep',
    key: { name: 'limit_counters_pkey', why: 'its window is over' },
  },
  wallet_challenges: {
    by: '1 a text to sign',
    kept: 'an hour after its end',
    job: 'customers.sweep',
    key: { name: 'wallet_challenges_pkey', why: 'an answer to a text without a row is refused' },
  },
  customer_sessions: {
    by: '1 a sign-in of a customer',
    kept: 'an hour after its end',
    job: 'customers.sweep',
    key: { name: 'customer_session_once', why: 'the text that it came from has ended before' },
  },
  checkout_sessions: { by: '1 a session', ever: 'what the merchant has made' },
  checkout_session_moves: { by: '1 a session', until: 'the session has followed its payment' },
  payment_links: { by: '1 a link', ever: 'payments refer to it, deleted or not' },
  payment_link_totals: { by: '1 a paid payment of a link', ever: 'what the link shows' },
  subscriptions: { by: '1 a subscription', ever: EVIDENCE },
  mandates: { by: '1 an agreement', ever: EVIDENCE },
  charges: { by: '1 a period', ever: EVIDENCE },
  charge_attempts: { by: '1 an attempt to charge', ever: EVIDENCE },
  collector_events: { by: '1 a renewal', ever: CHAIN },
  subscription_signals: { by: '1 a renewal', until: 'its subscription has moved' },
  refunds: { by: '1 a refund', ever: EVIDENCE },
  refund_doubts: { by: '1 a payment with refunds whose transfer is taken back', until: 'it is covered again' },
  withdrawals: { by: '1 a withdrawal', ever: EVIDENCE },
  payout_transfers: { by: '1 a transfer that pays out', ever: 'a transfer pays one thing' },
  lost_payouts: { by: '1 a payout that a chain has taken back', ever: EVIDENCE },
  relays: {
    by: '1 a payment without gas',
    ever: 'an authorization works once',
    unless: 'that of a pruned payment goes with it',
  },
  operator_transactions: { by: '1 a transaction of ours', ever: 'a nonce is used once' },
  operator_signatures: { by: '1 a transaction of ours, and 1 a dearer one', ever: 'what is signed may still be mined' },
  bitcoin_drafts: { by: '1 a payout in BTC', ever: 'what is drafted may still be signed' },
  bitcoin_draft_coins: { by: '1 a coin of it', ever: 'what is drafted may still be signed' },
  sweeps: { by: '1 a network, token and hour', ever: EVIDENCE },
  sweep_items: { by: '1 a swept address', ever: EVIDENCE },
  treasury_transfers: {
    by: '1 a transfer of the treasury',
    ever: EVIDENCE,
    unless: 'those of blocks that a chain has taken back',
  },
  unexplained_holdings: { by: '1 an address that holds what it should not', until: 'it is explained' },
  coin_requests: { by: '1 a payer who says that a coin was sent', until: 'the address was looked at' },
  chain_blocks: { by: '1 a block', until: 'it is deep; every 1,000th stays' },
  unsealed_events: { by: '3 a payment', until: 'the event is in the feed, a second later' },
  unsealed_audit_entries: { by: '1 a change', until: 'the entry is in the chain, a second later' },
  account_deltas: {
    by: '1 a batch of money in that finds its account busy',
    until: 'it is rolled up, 5 seconds later',
  },
  month_deltas: { by: '4 a batch of money in that finds its month busy', until: 'it is rolled up, 5 seconds later' },
  tally_deltas: { by: 'a few a transaction', until: 'it is rolled up, 5 seconds later' },
  tallies: { by: '15 a merchant and day on which something happens', ever: 'totals of lists by day' },
  guarded_changes: { by: '1 a change that waits', ever: 'who has changed where money goes' },
  rescans: { by: '1 a command', ever: 'who has read a chain again' },
  admins: { as: 'administrators' },
  api_keys: { as: 'keys that merchants have made' },
  chain_cursors: { as: 'networks' },
  coin_cursors: { as: 'networks' },
  delisted: { as: 'networks and tokens' },
  deployment: { as: 'one' },
  deployment_contracts: { as: 'networks' },
  deployment_names: { as: 'networks' },
  deployment_networks: { as: 'networks' },
  deployment_tokens: { as: 'networks and tokens' },
  restores: { as: 'restores' },
  job_ticks: { as: 'jobs' },
  ledger_accounts: { as: 'merchants' },
  mail_server: { as: 'one' },
  merchant_logos: { as: 'merchants' },
  merchants: { as: 'merchants' },
  operator_accounts: { as: 'networks' },
  plans: { as: 'plans that merchants have made' },
  platform_settings: { as: 'one' },
  rates: { as: 'pairs of currencies' },
  reconcile_runs: { as: 'one' },
  recovery_codes: { as: 'accounts' },
  roles: { as: 'roles' },
  sandbox_clock: { as: 'one' },
  sandbox_wallets: { as: 'wallets of a sandbox' },
  schema_compatibility: { as: 'one' },
  sealing_keys: { as: 'processes' },
  second_factors: { as: 'accounts' },
  tally_checks: { as: 'one' },
  treasury_balances: { as: 'networks and tokens' },
  treasury_cursors: { as: 'networks' },
  webhook_endpoints: { as: 'merchants' },
  webhook_keys: { as: 'ten a merchant, and what it made in a day' },
  webhook_slots: { as: 'ten a merchant' },
} as const satisfies Readonly<Record<Exclude<keyof DB, View>, Growth | Bounded>>;

/** The table that src/db/README.md shows. */
export function renderGrowth(growth: Readonly<Record<string, Growth | Bounded>> = GROWTH): string {
  const rows = Object.entries(growth).flatMap(([table, each]) => {
    if ('as' in each) return [];
    if ('ever' in each) return [`| \`${table}\` | ${each.by} | for ever: ${each.ever} | ${each.unless ?? '–'} | – |`];
    if ('until' in each) return [`| \`${table}\` | ${each.by} | until ${each.until} | that | – |`];
    const { by, kept, job, key } = each;
    return [`| \`${table}\` | ${by} | ${kept} | \`${job}\` | \`${key.name}\`: ${key.why} |`];
  });
  const bounded = Object.entries(growth).flatMap(([table, each]) => ('as' in each ? [`\`${table}\``] : []));
  return `\
| Table | Grows by | Kept | Goes by | Unique, and why no row that has gone comes again |
|---|---|---|---|---|
${rows.join('\n')}

As many rows as there are of what people make or list by hand: ${bounded.join(', ')}.
`;
}
