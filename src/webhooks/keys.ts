import { randomBytes } from 'node:crypto';
import type { SealedColumn } from '../db/sealed-column.ts';
import { monotonicMs } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { decrypt, encrypt, type KeyRing, type Place } from '../lib/envelope.ts';
import { newId } from '../lib/ids.ts';
import { type SigningKey, signingKey } from '../lib/standard-webhooks.ts';

const SEED_BYTES = 32;
/** How long a decrypted key stays in memory, and how many do. */
const CACHE_MS = 10 * 60_000;
const CACHED_MAX = 10_000;

export type WebhookKey = {
  readonly id: string;
  readonly publicKey: Buffer;
  readonly createdAt: Date;
  /** Wall time from which it no longer signs; null for the active key. */
  readonly retiresAt: Date | null;
};

const placeOf = (keyId: string, merchantId: string): Place => ({
  table: 'webhook_keys',
  column: 'sealed_seed',
  row: keyId,
  tenant: merchantId,
});

export const SEALED_SEEDS: SealedColumn = { key: 'id', tenant: 'merchant_id', placeOf };

/**
 * Makes the key pair that signs a merchant's webhooks. Fails on webhook_keys_active while another one is active. Keys
 * live by the real clock, as signatures do: the sandbox's moved clock would let one end before it began.
 */
export async function createWebhookKeys(trx: Trx, ring: KeyRing, merchantId: string, real: Date): Promise<WebhookKey> {
  const id = newId('webhookKey', real);
  const seed = randomBytes(SEED_BYTES);
  const { publicKey } = signingKey(seed);
  await trx
    .insertInto('webhook_keys')
    .values({
      id,
      merchant_id: merchantId,
      public_key: publicKey,
      sealed_seed: encrypt(ring, placeOf(id, merchantId), seed),
      created_at: real,
    })
    .execute();
  return { id, publicKey, createdAt: real, retiresAt: null };
}

/** The keys that sign at `real`, newest first. There are at most four: the active key and three retiring ones. */
export async function listKeys(db: Db | Trx, merchantId: string, real: Date): Promise<WebhookKey[]> {
  return db
    .selectFrom('webhook_keys')
    .select(['id', 'public_key as publicKey', 'created_at as createdAt', 'retires_at as retiresAt'])
    .where('merchant_id', '=', merchantId)
    .where((eb) => eb.or([eb('retires_at', 'is', null), eb('retires_at', '>', real)]))
    .orderBy((eb) => eb('retires_at', 'is not', null))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Decrypts signing keys by their ids. A key that does not exist or can't be decrypted is missing from the result. */
export type SigningKeys = (keyIds: readonly string[]) => Promise<ReadonlyMap<string, SigningKey>>;

type Opened = { readonly key: SigningKey | undefined; readonly untilMs: number };

/**
 * Caches decrypted keys, because decrypting one costs more than signing with it. The cache needs no invalidation: a key
 * never changes. See decision webhooks/signing-keys-are-read-with-every-claim.
 */
export function createSigningKeys(db: Db, ring: KeyRing, log: (error: unknown, message: string) => void): SigningKeys {
  const cache = new Map<string, Opened>();

  const read = async (keyIds: readonly string[]): Promise<void> => {
    const untilMs = monotonicMs() + CACHE_MS;
    const columns = ['id', 'merchant_id', 'sealed_seed'] as const;
    for (const row of await db.selectFrom('webhook_keys').select(columns).where('id', 'in', keyIds).execute()) {
      try {
        const seed = decrypt(ring, placeOf(row.id, row.merchant_id), row.sealed_seed);
        cache.set(row.id, { key: signingKey(seed), untilMs });
      } catch (error) {
        cache.set(row.id, { key: undefined, untilMs }); // Logged once, not with every delivery.
        log(error, `webhook key ${row.id} does not open: deliveries of ${row.merchant_id} can't be signed`);
      }
    }
  };

  return async (keyIds) => {
    const missing = new Set(keyIds.filter((id) => (cache.get(id)?.untilMs ?? 0) <= monotonicMs()));
    if (missing.size > 0) {
      forgetOld(cache);
      await read([...missing]);
    }
    return new Map(keyIds.flatMap((id) => pairOf(id, cache.get(id)?.key)));
  };
}

const pairOf = (id: string, key: SigningKey | undefined): [string, SigningKey][] => (key ? [[id, key]] : []);

function forgetOld(cache: Map<string, Opened>): void {
  const nowMs = monotonicMs();
  for (const [id, { untilMs }] of cache) if (untilMs <= nowMs) cache.delete(id);
  if (cache.size > CACHED_MAX) cache.clear();
}
