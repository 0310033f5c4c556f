import { type Selectable, sql } from 'kysely';
import type { ApiKeys } from '../../generated/db.ts';
import { sqlOnce } from '../db/once.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { notFound } from '../lib/errors.ts';
import type { Id } from '../lib/ids.ts';
import { STANDING, type StandingRow, toStanding } from '../merchants/queries.ts';
import type { KeyPrincipal, MerchantStanding } from '../ports/security.ts';
import type { ApiKey, Scope } from './key.ts';

type Row = Omit<Selectable<ApiKeys>, 'sealed_secret' | 'revoked_at' | 'rotated_from'>;

const COLUMNS = [
  'k.id',
  'k.merchant_id',
  'k.name',
  'k.api_key',
  'k.permissions',
  'k.allowed_ips',
  'k.expires_at',
  'k.last_used_at',
  'k.created_at',
] as const;

const toKey = (row: Row): ApiKey => ({
  id: row.id as Id<'apiKey'>,
  merchantId: row.merchant_id as Id<'merchant'>,
  name: row.name,
  apiKey: row.api_key,
  permissions: row.permissions as Scope[],
  allowedIps: row.allowed_ips,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at,
  createdAt: row.created_at,
});

const liveKeys = (db: Db | Trx, real: Date) =>
  db
    .selectFrom('api_keys as k')
    .select(COLUMNS)
    .where('k.revoked_at', 'is', null)
    .where((eb) => eb.or([eb('k.expires_at', 'is', null), eb('k.expires_at', '>', real)]));

/** The merchant's keys that work at `real`, newest first; at most LIVE_KEYS_MAX. */
export async function listLiveKeys(db: Db | Trx, merchantId: string, real: Date): Promise<ApiKey[]> {
  const rows = await liveKeys(db, real)
    .where('k.merchant_id', '=', merchantId)
    .orderBy('k.created_at', 'desc')
    .orderBy('k.id', 'desc')
    .execute();
  return rows.map(toKey);
}

/** Locks a merchant's key that works at `real`; throws NOT_FOUND. */
export async function lockLiveKey(
  trx: Trx,
  ref: { readonly id: string; readonly merchantId: string },
  real: Date,
): Promise<ApiKey> {
  const row = await liveKeys(trx, real)
    .where('k.id', '=', ref.id)
    .where('k.merchant_id', '=', ref.merchantId)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound('API key');
  return toKey(row);
}

/**
 * When a key was to expire as it was made, which its rotation may have shortened: the keys that came of it were made
 * with the same expiry, whatever became of them.
 */
export async function findFirstExpiry(
  trx: Trx,
  { id, merchantId, expiresAt }: Pick<ApiKey, 'id' | 'merchantId' | 'expiresAt'>,
): Promise<Date | null> {
  if (expiresAt === null) return null;
  const { rows } = await sql<{ expiresAt: Date | null }>`
    with recursive own as materialized (
      select id, rotated_from, expires_at from api_keys where merchant_id = ${merchantId}
    ), same as (
      select id, expires_at from own where id = ${id}
      union all
      select own.id, own.expires_at from same join own on own.rotated_from = same.id
    )
    select expires_at as "expiresAt" from same order by expires_at desc nulls first limit 1`.execute(trx);
  return rows[0]?.expiresAt ?? null;
}

/** Locks all unrevoked keys of a merchant, in the order of their ids. */
export async function lockUnrevokedKeys(trx: Trx, merchantId: string): Promise<ApiKey[]> {
  const rows = await trx
    .selectFrom('api_keys as k')
    .select(COLUMNS)
    .where('k.merchant_id', '=', merchantId)
    .where('k.revoked_at', 'is', null)
    .orderBy('k.id')
    .forUpdate()
    .execute();
  return rows.map(toKey);
}

/** Stores a key with its encrypted secret. */
export async function insertKey(
  trx: Trx,
  key: ApiKey,
  secret: { readonly encrypted: Buffer; readonly rotatedFrom: string | null },
): Promise<void> {
  await trx
    .insertInto('api_keys')
    .values({
      id: key.id,
      merchant_id: key.merchantId,
      name: key.name,
      api_key: key.apiKey,
      sealed_secret: secret.encrypted,
      permissions: [...key.permissions],
      allowed_ips: [...key.allowedIps],
      expires_at: key.expiresAt,
      rotated_from: secret.rotatedFrom,
      created_at: key.createdAt,
    })
    .execute();
}

/** Revokes a key for good and deletes its secret. */
export async function revokeKey(trx: Trx, id: string, real: Date): Promise<void> {
  await trx.updateTable('api_keys').set({ revoked_at: real, sealed_secret: null }).where('id', '=', id).execute();
}

/** Sets when a key expires. */
export async function limitKey(trx: Trx, id: string, expiresAt: Date): Promise<void> {
  await trx.updateTable('api_keys').set({ expires_at: expiresAt }).where('id', '=', id).execute();
}

/** Up to `limit` expired keys that are not yet revoked, longest expired first: of one merchant, or of all. */
export async function listExpiredKeys(
  db: Db | Trx,
  real: Date,
  { limit, merchantId }: { readonly limit: number; readonly merchantId?: string },
): Promise<string[]> {
  const rows = await db
    .selectFrom('api_keys')
    .select('id')
    .where('revoked_at', 'is', null)
    .where('expires_at', '<=', real)
    .$if(merchantId !== undefined, (query) => query.where('merchant_id', '=', merchantId as string))
    .orderBy('expires_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Locks an expired key; undefined if it is already revoked or another transaction has its lock. */
export async function lockExpiredKey(trx: Trx, id: string, real: Date): Promise<ApiKey | undefined> {
  const row = await trx
    .selectFrom('api_keys as k')
    .select(COLUMNS)
    .where('k.id', '=', id)
    .where('k.revoked_at', 'is', null)
    .where('k.expires_at', '<=', real)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  return row && toKey(row);
}

/** An unrevoked key, expired or not, with its merchant's status. */
export type KeyState = MerchantStanding & { readonly key: ApiKey };

const keyStates = (db: Db | Trx) =>
  db
    .selectFrom('api_keys as k')
    .innerJoin('merchants as m', 'm.id', 'k.merchant_id')
    .select([...COLUMNS, ...STANDING])
    .where('k.revoked_at', 'is', null);

const toState = (row: Row & StandingRow): KeyState => ({ key: toKey(row), ...toStanding(row) });

/** An unrevoked key by its id, without its secret; for a request that is already authenticated. */
export async function findKeyState(db: Db | Trx, id: string): Promise<KeyState | undefined> {
  const row = await keyStates(db).where('k.id', '=', id).executeTakeFirst();
  return row && toState(row);
}

/**
 * Fails unless a key works at `real`, and its merchant is as the principal says. What a key may do never changes. See
 * decision http/callers-are-assumed.
 */
export const otherKey = ({ keyId, merchantId, status, rejectedAt, toleranceBps }: KeyPrincipal, real: Date) => sqlOnce`
  select refuse_assumption() where not exists (
    select from api_keys k join merchants m on m.id = k.merchant_id
     where k.id = ${keyId} and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${real})
       and m.id = ${merchantId} and m.status = ${status} and (m.rejected_at is null) = ${rejectedAt === null}
       and m.payment_tolerance_bps is not distinct from ${toleranceBps})`;

/** Fails where the key is revoked by now. */
export const revokedKey = (keyId: string) => sqlOnce`
  select refuse_assumption() from api_keys where id = ${keyId} and revoked_at is not null`;

/** A key by its public value, with its encrypted secret. */
export async function findKeyWithSecret(
  db: Db,
  apiKey: string,
): Promise<(KeyState & { readonly encryptedSecret: Buffer }) | undefined> {
  const row = await keyStates(db).select('k.sealed_secret').where('k.api_key', '=', apiKey).executeTakeFirst();
  return row?.sealed_secret ? { ...toState(row), encryptedSecret: row.sealed_secret } : undefined;
}
