import { recordAudit } from '../audit/record.ts';
import { byDatabaseClock } from '../db/clock-offset.ts';
import type { SealedColumn } from '../db/sealed-column.ts';
import { type Events, nextSequence } from '../events/record.ts';
import { announceCredentialChange } from '../identity/credential-cache.ts';
import type { RequireSecondFactor } from '../identity/second-factor.ts';
import { after, HOUR_MS } from '../lib/clock.ts';
import type { Trx } from '../lib/db-types.ts';
import { encrypt, type KeyRing, type Place } from '../lib/envelope.ts';
import { conflict } from '../lib/errors.ts';
import { type Id, newId } from '../lib/ids.ts';
import type { JsonObject } from '../lib/json.ts';
import { requireMayCreate } from '../merchants/guard.ts';
import { lockMerchant } from '../merchants/queries.ts';
import { type ApiKey, isForMoney, type KeyWithSecret, LIVE_KEYS_MAX, newKeyPair, type Scope } from './key.ts';
import { presentKey } from './present.ts';
import {
  findFirstExpiry,
  insertKey,
  limitKey,
  listExpiredKeys,
  listLiveKeys,
  lockExpiredKey,
  lockLiveKey,
  lockUnrevokedKeys,
  revokeKey,
} from './queries.ts';

export type KeyDeps = {
  readonly events: Events;
  readonly keyRing: KeyRing;
  readonly livemode: boolean;
  /** Drops a key, by its public value, from this process's cache; other processes are notified by the commit. */
  readonly forgetKey: (apiKey: string) => void;
};

export type KeyRequestDeps = KeyDeps & { readonly requireSecondFactor: RequireSecondFactor };

export type KeyDraft = Pick<ApiKey, 'merchantId' | 'name' | 'permissions' | 'allowedIps' | 'expiresAt'>;

type Moment = { readonly now: Date; readonly real: Date };

/** A key that was made, with the audit entry's note on the second factor. */
type MadeKey = KeyWithSecret & { readonly secondFactor: JsonObject };

/** Where a key's encrypted secret is stored. */
export const placeOfSecret = ({ id, merchantId }: Pick<ApiKey, 'id' | 'merchantId'>): Place => ({
  table: 'api_keys',
  column: 'sealed_secret',
  row: id,
  tenant: merchantId,
});

export const SEALED_SECRETS: SealedColumn = {
  ...{ key: 'id', tenant: 'merchant_id' },
  placeOf: (id, merchantId) => placeOfSecret({ id, merchantId } as Pick<ApiKey, 'id' | 'merchantId'>),
};

/**
 * Creates a key. Throws CONFLICT at the maximum of live keys, FORBIDDEN when the merchant's status allows none, and
 * UNAUTHORIZED for the second factor that a key for money needs.
 */
export async function createKey(
  trx: Trx,
  deps: KeyRequestDeps,
  { otp, ...draft }: KeyDraft & { readonly otp: string | undefined },
  at: Moment,
): Promise<MadeKey> {
  await requireRoom(trx, deps, draft.merchantId, LIVE_KEYS_MAX - 1, at);
  const secondFactor = await confirm(trx, deps, draft, otp, at.real);
  return { ...(await addKey(trx, deps, draft, null, at.now)), secondFactor };
}

/** Spends a code of the merchant for a key that takes money out. The caller holds the merchant's lock. */
const confirm = async (
  trx: Trx,
  { requireSecondFactor }: KeyRequestDeps,
  { merchantId: id, permissions }: { readonly merchantId: string; readonly permissions: readonly Scope[] },
  otp: string | undefined,
  real: Date,
): Promise<JsonObject> =>
  isForMoney(permissions) ? requireSecondFactor(trx, { type: 'merchant', id }, otp, real) : {};

export type Rotation = {
  readonly id: string;
  readonly merchantId: Id<'merchant'>;
  readonly overlapHours: number;
  readonly otp: string | undefined;
};

/**
 * Creates a key with the settings that an old one was made with, which goes on working for at most `overlapHours`, and
 * no longer than a rotation before has left it. Throws NOT_FOUND if
 * the old key no longer works, CONFLICT if both together would exceed the maximum, and UNAUTHORIZED as `createKey`.
 */
export async function rotateKey(trx: Trx, deps: KeyRequestDeps, ref: Rotation, at: Moment): Promise<MadeKey> {
  // Merchant before key, the lock order everywhere.
  await requireRoom(trx, deps, ref.merchantId, ref.overlapHours === 0 ? LIVE_KEYS_MAX : LIVE_KEYS_MAX - 1, at);
  const old = await lockLiveKey(trx, ref, at.real);
  const secondFactor = await confirm(trx, deps, old, ref.otp, at.real);
  const draft = { ...old, expiresAt: await findFirstExpiry(trx, old) };
  if (ref.overlapHours === 0) await endKey(trx, deps, old, at);
  else {
    const end = after(at.real, ref.overlapHours * HOUR_MS);
    if (old.expiresAt === null || end < old.expiresAt) await limitKey(trx, old.id, end);
    await forgetKey(trx, deps, old);
  }
  return { ...(await addKey(trx, deps, draft, old.id, at.now)), secondFactor };
}

/** Revokes a key for good. Throws NOT_FOUND if it no longer works. */
export async function deleteKey(
  trx: Trx,
  deps: KeyDeps,
  ref: { readonly id: string; readonly merchantId: string },
  at: Moment,
): Promise<ApiKey> {
  const key = await lockLiveKey(trx, ref, at.real);
  await endKey(trx, deps, key, at);
  return key;
}

/** Revokes every key of a merchant whose lock the caller holds, expired ones included; returns how many. */
export async function revokeKeysOf(trx: Trx, deps: KeyDeps, merchantId: string, at: Moment): Promise<number> {
  const keys = await lockUnrevokedKeys(trx, merchantId);
  for (const key of keys) await endKey(trx, deps, key, at);
  return keys.length;
}

/** Revokes an expired key with an audit entry, unless it is revoked already or another transaction has its lock. */
export async function expireKey(trx: Trx, deps: KeyDeps, id: string, at: Moment): Promise<void> {
  const key = await lockExpiredKey(trx, id, at.real);
  if (!key) return;
  await endKey(trx, deps, key, at);
  const { merchantId, name: keyName } = key;
  const job = { actorType: 'system', actorId: 'api-keys', origin: null } as const;
  await recordAudit(
    trx,
    { ...job, action: 'api_key.expire', resourceId: key.id, merchantId, metadata: { keyName } },
    at.now,
  );
}

/** Before a merchant gets another key its expired ones are revoked, so it never has more of them than of live ones. */
const EXPIRED_MAX = 100;

async function requireRoom(trx: Trx, deps: KeyDeps, merchantId: string, othersMax: number, at: Moment): Promise<void> {
  const merchant = await lockMerchant(trx, merchantId); // Otherwise two requests at once would both find room.
  // A termination revokes keys under the same lock. See decision merchants/termination-revokes-keys.
  requireMayCreate(merchant.status);
  const sure = { now: at.now, real: await byDatabaseClock(trx, at.real) };
  const expired = await listExpiredKeys(trx, sure.real, { limit: EXPIRED_MAX, merchantId });
  for (const id of expired) await expireKey(trx, deps, id, sure);
  const others = await listLiveKeys(trx, merchantId, at.real);
  if (others.length <= othersMax) return;
  throw conflict(`You have ${LIVE_KEYS_MAX} API keys, which is the most. Delete one that is not needed.`);
}

async function addKey(
  trx: Trx,
  deps: KeyDeps,
  draft: KeyDraft,
  rotatedFrom: string | null,
  now: Date,
): Promise<KeyWithSecret> {
  const { merchantId, name, permissions, allowedIps, expiresAt } = draft;
  const { apiKey, apiSecret } = newKeyPair(deps.livemode);
  const id = newId('apiKey', now);
  const key: ApiKey = {
    ...{ id, merchantId, name, apiKey, permissions, allowedIps, expiresAt },
    lastUsedAt: null,
    createdAt: now,
  };
  await insertKey(trx, key, {
    encrypted: encrypt(deps.keyRing, placeOfSecret(key), Buffer.from(apiSecret)),
    rotatedFrom,
  });
  await forgetKey(trx, deps, key); // The cache may remember that the key didn't exist.
  await announce(trx, deps, key, 'api_key.created', now);
  return { key, apiSecret };
}

async function endKey(trx: Trx, deps: KeyDeps, key: ApiKey, { now, real }: Moment): Promise<void> {
  await revokeKey(trx, key.id, real);
  await forgetKey(trx, deps, key);
  await announce(trx, deps, key, 'api_key.revoked', now);
}

async function forgetKey(trx: Trx, deps: KeyDeps, { apiKey }: ApiKey): Promise<void> {
  deps.forgetKey(apiKey);
  await announceCredentialChange(trx, apiKey);
}

async function announce(
  trx: Trx,
  deps: KeyDeps,
  key: ApiKey,
  type: 'api_key.created' | 'api_key.revoked',
  now: Date,
): Promise<void> {
  const sequence = await nextSequence(trx, key.id);
  const { merchantId, id: resourceId } = key;
  await deps.events.record(trx, { merchantId, type, resourceId, sequence, data: presentKey(key) }, now);
}
