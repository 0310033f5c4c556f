import { type Kysely, sql } from 'kysely';
import type { DB } from '../../generated/db.ts';

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
  ...['sandbox_wallets', 'mail_server', 'tally_checks', 'webhook_slots', 'reconcile_runs'],
];

/** Functions that the application's role may run, and not every role. */
const FUNCTIONS = ['prune_payments', 'roll_up_tallies', 'check_tally'];

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
    await sql`grant execute on function ${sql.join(FUNCTIONS.map((each) => sql.id(each)))} to ${name}`.execute(trx);
  });
}

/** What the connected role can't do although `grantRights` grants it, such as on a copy that came without rights. */
export async function findLackingRights(
  db: Kysely<DB>,
): Promise<{ readonly role: string; readonly lacking: readonly string[] }> {
  const unchanged = [...READ_ONLY, ...APPEND_ONLY, ...Object.keys(CHANGEABLE)];
  const without: readonly (readonly [right: string, tables: readonly string[]])[] = [
    ['SELECT', []],
    ['INSERT', READ_ONLY],
    ['UPDATE', [...unchanged, 'ledger_accounts']],
    ['DELETE', [...unchanged, ...KEPT]],
  ];
  const rights = without.map(
    ([right, tables]) => sql`select ${right} || ' on ' || name as lacks from tables
      where name <> all (${tables}::text[]) and not has_table_privilege(oid, ${right})`,
  );
  const columns = Object.entries(CHANGEABLE).map(
    ([table, names]) => sql`select 'UPDATE of ' || a.attname || ' on ' || t.name from tables t
      join pg_attribute a on a.attrelid = t.oid and a.attname = any (${names}::text[])
      where t.name = ${table} and not has_column_privilege(t.oid, a.attnum, 'UPDATE')`,
  );
  const { rows } = await sql<{ role: string; lacking: string[] }>`
    with owned as (
      select c.oid, c.relname::text as name, c.relkind from pg_class c
       where c.relnamespace = 'public'::regnamespace
         and c.relowner = (select relowner from pg_class where oid = to_regclass('public.kysely_migration'))
    ), tables as (select * from owned where relkind in ('r', 'p', 'v', 'm')), lacking as (
      ${sql.join([...rights, ...columns], sql` union all `)}
      union all select 'USAGE on ' || name from owned
       where case when relkind = 'S' then not has_sequence_privilege(oid, 'USAGE') else false end
      union all select 'EXECUTE on ' || p.proname from pg_proc p
       where p.pronamespace = 'public'::regnamespace and p.proname = any (${FUNCTIONS}::text[])
         and not has_function_privilege(p.oid, 'EXECUTE')
    )
    select current_user as role, array(select lacks from lacking order by lacks) as lacking`.execute(db);
  return rows[0] ?? { role: '', lacking: [] };
}
