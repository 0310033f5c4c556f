import { recordAudit } from '../audit/record.ts';
import { type Events, nextSequence } from '../events/record.ts';
import { announceCredentialChange } from '../identity/credential-cache.ts';
import { after, HOUR_MS } from '../lib/clock.ts';
import type { Trx } from '../lib/db-types.ts';
import { encrypt, type KeyRing, type Place } from '../lib/envelope.ts';
import { AppError, notFound } from '../lib/errors.ts';
import { type Id, newId } from '../lib/ids.ts';
import { requireMayCreate } from '../merchants/guard.ts';
import { lockMerchant } from '../merchants/queries.ts';
import { type ApiKey, type KeyWithSecret, LIVE_KEYS_MAX, newKeyPair } from './key.ts';
import { presentKey } from './present.ts';
import {
  insertKey,
  limitKey,
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
  /** Makes this process forget what it remembers of a key, by its public value; other processes hear of it. */
  readonly forgetKey: (apiKey: string) => void;
};

export type KeyDraft = Pick<ApiKey, 'merchantId' | 'name' | 'permissions' | 'allowedIps' | 'expiresAt'>;

type Moment = { readonly now: Date; readonly real: Date };

/** Where a key's encrypted secret is stored. */
export const placeOfSecret = ({ id, merchantId }: Pick<ApiKey, 'id' | 'merchantId'>): Place => ({
  table: 'api_keys',
  column: 'sealed_secret',
  row: id,
  tenant: merchantId,
});

/** Makes a key. CONFLICT when the merchant has as many as it may, FORBIDDEN when its state allows none. */
export async function createKey(trx: Trx, deps: KeyDeps, draft: KeyDraft, at: Moment): Promise<KeyWithSecret> {
  await requireRoom(trx, draft.merchantId, LIVE_KEYS_MAX - 1, at.real);
  return addKey(trx, deps, draft, null, at.now);
}

/**
 * Makes a key like another one, which goes on working for `overlapHours` at most. NOT_FOUND for one that does not work any more; CONFLICT
 * when the two together would be too many.
 */
export async function rotateKey(
  trx: Trx,
  deps: KeyDeps,
  ref: { readonly id: string; readonly merchantId: Id<'merchant'>; readonly overlapHours: number },
  at: Moment,
): Promise<KeyWithSecret> {
  // The merchant before the key: the order in which everybody takes these locks.
  await requireRoom(trx, ref.merchantId, ref.overlapHours === 0 ? LIVE_KEYS_MAX : LIVE_KEYS_MAX - 1, at.real);
  const old = await lockLiveKey(trx, ref, at.real);
  if (!old) throw notFound('API key');
  if (ref.overlapHours === 0) await endKey(trx, deps, old, at);
  else {
    const end = after(at.real, ref.overlapHours * HOUR_MS);
    if (old.expiresAt === null || end < old.expiresAt) await limitKey(trx, old.id, end);
    await forgetKey(trx, deps, old);
  }
  return addKey(trx, deps, old, old.id, at.now);
}

/** Revokes a key for good. NOT_FOUND for one that does not work any more. */
export async function deleteKey(
  trx: Trx,
  deps: KeyDeps,
  ref: { readonly id: string; readonly merchantId: string },
  at: Moment,
): Promise<ApiKey> {
  const key = await lockLiveKey(trx, ref, at.real);
  if (!key) throw notFound('API key');
  await endKey(trx, deps, key, at);
  return key;
}

/** Revokes every key of a merchant, whose lock is held, also those whose time has run out; returns how many. */
export async function revokeKeysOf(trx: Trx, deps: KeyDeps, merchantId: string, at: Moment): Promise<number> {
  const keys = await lockUnrevokedKeys(trx, merchantId);
  for (const key of keys) await endKey(trx, deps, key, at);
  return keys.length;
}

/** Revokes a key whose time has run out, unless somebody else has; the audit log says so. */
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

async function requireRoom(trx: Trx, merchantId: string, othersMax: number, real: Date): Promise<void> {
  const merchant = await lockMerchant(trx, merchantId); // Two at once would both find room.
  requireMayCreate(merchant.status); // It may have been closed since the request came, and with it its keys.
  const others = await listLiveKeys(trx, merchantId, real);
  if (others.length <= othersMax) return;
  throw new AppError(
    'CONFLICT',
    `You have ${LIVE_KEYS_MAX} API keys, which is the most. Delete one that is not needed.`,
  );
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
  await forgetKey(trx, deps, key); // Somebody may have asked for it before it was there.
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
