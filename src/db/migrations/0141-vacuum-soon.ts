/**
 * When autovacuum looks after tables that are large one day. By default it waits until a fifth of a table has changed,
 * or has been added: two million rows of ten million. See decision db/vacuumed-by-the-thousand.
 */
export const name = '0141-vacuum-soon';

/** Rows are changed once or a few times, and each change leaves a dead entry in all their indexes. */
const CHANGED = ['payments', 'credits', 'webhook_deliveries', 'charges', 'subscriptions', 'checkout_sessions', 'mails'];

/** Rows are only added. Until a vacuum has seen them, reading an index reads the table, too. */
const ADDED = [
  ...['events', 'event_feed', 'journals', 'entries', 'audit_log', 'audit_chain', 'webhook_attempts'],
  ...['deposit_addresses', 'payment_quotes', 'payment_link_totals'],
];

/** All rows are replaced within a day. */
const REPLACED = [
  'idempotency_keys',
  'sessions',
  'refresh_tokens',
  'limit_buckets',
  'limit_counters',
  'login_throttle',
];

const settle = (tables: readonly string[], parameters: string): string =>
  tables.map((table) => `alter table ${table} set (${parameters});`).join('\n');

const SOON = 'autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02';

export const up = `
${settle(CHANGED, `autovacuum_vacuum_scale_factor = 0.02, ${SOON}`)}
${settle(ADDED, SOON)}
${settle(REPLACED, 'autovacuum_vacuum_scale_factor = 0.05')}
-- Few rows that are written all the time: room for the next version on their own page, so that no index is touched.
alter table ledger_accounts set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
alter table ledger_months set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
`;
