import { sql } from 'kysely';
import type { Db, Trx } from '../lib/db-types.ts';
import type { JsonObject } from '../lib/json.ts';

/** The settings that differ from the defaults of this mode; `version` counts the changes. */
export type StoredSettings = {
  readonly version: number;
  readonly overrides: JsonObject;
  readonly updatedAt: Date | null;
};

const UNTOUCHED: StoredSettings = { version: 0, overrides: {}, updatedAt: null };

/** The settings as they are stored. */
export async function findStored(db: Db | Trx): Promise<StoredSettings> {
  const row = await db.selectFrom('platform_settings').selectAll().where('id', '=', 1).executeTakeFirst();
  return row ? { version: row.version, overrides: row.overrides as JsonObject, updatedAt: row.updated_at } : UNTOUCHED;
}

/** Takes the lock that serialises changes to the settings, then reads them. */
export async function lockStored(trx: Trx): Promise<StoredSettings> {
  await sql`select pg_advisory_xact_lock(hashtext('platform_settings'))`.execute(trx);
  return findStored(trx);
}

/** Stores the next version; the caller holds the lock. Every process is notified when the transaction commits. */
export async function saveStored(trx: Trx, next: StoredSettings & { readonly updatedAt: Date }): Promise<void> {
  const values = { version: next.version, overrides: JSON.stringify(next.overrides), updated_at: next.updatedAt };
  await trx
    .insertInto('platform_settings')
    .values({ id: 1, ...values })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute();
  await sql`select pg_notify('kasi_settings', '')`.execute(trx);
}
