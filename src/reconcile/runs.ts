import { sql } from 'kysely';
import type { Db } from '../lib/db-types.ts';

/** The nightly comparisons: of the ledger with itself, and with the chains. */
type Scope = 'ledger' | 'chains';

/** Notes that one begins. Returns when the one before began, if that never came to its end. */
export async function beginRun(db: Db, scope: Scope, real: Date): Promise<Date | undefined> {
  const { rows } = await sql<{ cut: Date | null }>`
    with before as (select began_at from reconcile_runs where scope = ${scope} and ended_at is null)
    insert into reconcile_runs (scope, began_at) values (${scope}, ${real})
    on conflict (scope) do update set began_at = excluded.began_at, ended_at = null
    returning (select began_at from before) as cut`.execute(db);
  return rows[0]?.cut ?? undefined;
}

/** Notes that it has come to its end, or that an incident tells why not. */
export async function endRun(db: Db, scope: Scope, real: Date): Promise<void> {
  await sql`update reconcile_runs set ended_at = ${real} where scope = ${scope}`.execute(db);
}
