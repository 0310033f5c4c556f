import { type Kysely, sql } from 'kysely';

/** Rows of these are written once: the application's role may only insert and read, whatever its code does. */
export const APPEND_ONLY: readonly string[] = [
  ...['audit_log', 'audit_checkpoints', 'journals', 'entries', 'events'],
  ...['deployment_names', 'deployment_contracts', 'payment_quotes', 'bitcoin_drafts', 'bitcoin_draft_coins'],
];

/** Rows of these stay, and the application's role may change no other columns of them. */
const CHANGEABLE: Readonly<Record<string, readonly string[]>> = {
  deployment: ['sealed_canary'],
  deployment_networks: ['genesis_hash'],
  deployment_tokens: ['symbol', 'decimals'],
};

/** Only database functions and migrations write rows of these. The application's role may otherwise only read. */
export const READ_ONLY: readonly string[] = [
  ...['event_feed', 'unsealed_events', 'audit_chain', 'unsealed_audit_entries', 'ledger_months'],
  ...['tallies', 'tally_deltas', 'account_deltas', 'month_deltas'],
  // Views: what is written through one may be written with the rights of its owner.
  ...['tallied_rows', 'ledger_balances', 'ledger_month_sums'],
  ...['pruned_payments', 'payment_texts', 'payout_transfers', 'restores'],
  ...['kysely_migration', 'kysely_migration_lock', 'schema_compatibility'],
];

/**
 * Rows of these change and stay for ever: no code deletes them, so the application's role can't either. A table is
 * missing here only where code deletes from it, or where nothing depends on its rows.
 */
const KEPT = [
  ...['merchants', 'api_keys', 'recovery_codes'],
  ...['payments', 'credits', 'deposit_addresses', 'withdrawals', 'ledger_accounts'],
  ...['bitcoin_deposits', 'coin_sweeps', 'coin_cursors', 'refunds'],
  ...['payment_links', 'payment_link_totals', 'checkout_sessions', 'plans', 'subscriptions', 'charges'],
  ...['charge_attempts', 'mandates', 'collector_events', 'operator_accounts', 'operator_signatures'],
  ...['operator_transactions', 'chain_cursors', 'treasury_balances', 'treasury_cursors', 'job_ticks'],
  ...['sweeps', 'sweep_items', 'lost_payouts', 'guarded_changes', 'rescans', 'relays', 'sandbox_clock'],
  ...['sandbox_wallets', 'mail_server', 'tally_checks', 'webhook_slots'],
];

/** Grants the application's role what it needs, and takes from it what it may not; connected as the tables' owner. */
export async function grantRights(db: Kysely<unknown>, role: string): Promise<void> {
  const { rows } = await sql<{ owner: boolean }>`select current_user = ${role} as owner`.execute(db);
  if (rows[0]?.owner) return;
  const name = sql.id(role);
  await db.transaction().execute(async (trx) => {
    // Processes that start together would update the same catalogue rows, and all but one would fail.
    await sql`select pg_advisory_xact_lock(hashtext('kasi rights'))`.execute(trx);
    await sql`grant usage on schema public to ${name}`.execute(trx);
    await sql`grant select, insert, update, delete on all tables in schema public to ${name}`.execute(trx);
    await sql`grant usage on all sequences in schema public to ${name}`.execute(trx);
    const appendOnly = sql.join(APPEND_ONLY.map((table) => sql.table(table)));
    await sql`revoke update, delete on ${appendOnly} from ${name}`.execute(trx);
    await sql`revoke update on ledger_accounts from ${name}`.execute(trx);
    await sql`revoke delete on ${sql.join(KEPT.map((table) => sql.table(table)))} from ${name}`.execute(trx);
    for (const [table, columns] of Object.entries(CHANGEABLE)) {
      await sql`revoke update, delete on ${sql.table(table)} from ${name}`.execute(trx);
      const changeable = sql.join(columns.map((column) => sql.ref(column)));
      await sql`grant update (${changeable}) on ${sql.table(table)} to ${name}`.execute(trx);
    }
    const readOnly = sql.join(READ_ONLY.map((table) => sql.table(table)));
    await sql`revoke insert, update, delete on ${readOnly} from ${name}`.execute(trx);
    await sql`grant execute on function prune_payments, roll_up_tallies, check_tally to ${name}`.execute(trx);
  });
}
