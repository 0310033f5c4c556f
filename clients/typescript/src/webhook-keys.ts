import { ed25519 } from '@noble/curves/ed25519.js';
import { fromBase64 } from './base64.ts';
import { startDeadline, waitFor } from './deadline.ts';
import { errorFromResponse, KasiError, parseJson } from './errors.ts';
import type { Fetch } from './failures.ts';
import type { JsonWebKey, Schemas } from './models.ts';

/** A public key as the service shows it: `whpk_…`, an entry of `webhooks.keys.list()`, or a key of the JWKS. */
export type WebhookPublicKey = string | Pick<Schemas['WebhookKey'], 'publicKey'> | Pick<JsonWebKey, 'x'>;

/**
 * Whose signature to accept: that of given keys, or that of a merchant, whose keys are fetched and cached for five
 * minutes.
 */
export type KeySource =
  | { readonly keys: WebhookPublicKey | readonly WebhookPublicKey[] }
  | { readonly merchantId: string; readonly baseUrl: string; readonly fetch?: Fetch | undefined };

/** How long fetched keys are cached, as the service allows. */
const KEYS_LIFETIME_MS = 300_000;

/** The least time between two fetches when a signature fits none of the keys. */
const REFETCH_PAUSE_MS = 10_000;

const FETCH_TIMEOUT_MS = 10_000;

/** How many merchants' keys are cached; the oldest are evicted first. */
const CACHE_MAX = 1000;

type CachedKeys = { readonly fetchedAt: number; readonly keys: Promise<readonly Uint8Array[]> };

const cache = new Map<string, CachedKeys>();

/** The 32 bytes of a public key. Throws `TypeError` when it is invalid. */
function parsePublicKey(key: WebhookPublicKey): Uint8Array {
  const text = typeof key === 'string' ? key : 'x' in key ? key.x : key.publicKey;
  // A secret is not repeated, because messages end in logs.
  if (/^(whsec|whsk|sk)_/.test(text)) {
    throw new TypeError(
      'keys holds a secret, but the keys of webhooks are public: pass whpk_… as webhooks.keys.list() shows it, or { baseUrl, merchantId } instead of keys. There is no secret to share.',
    );
  }
  const bytes = fromBase64(text.replace(/^whpk_/, ''));
  if (bytes?.length !== 32) throw new TypeError(`Not a webhook key: ${text.slice(0, 60)}`);
  return bytes;
}

/** Whether the key signed the message, as RFC 8032 defines it, strictly. */
export function isSignedBy(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  return ed25519.verify(signature, message, key, { zip215: false });
}

/** The keys of a source; `stale` asks for newer ones than those that were tried. */
export async function keysOf(source: KeySource, stale: boolean, now: Date): Promise<readonly Uint8Array[]> {
  if ('keys' in source) {
    // Given keys can't be refreshed.
    if (stale) return [];
    const keys: readonly WebhookPublicKey[] = isList(source.keys) ? source.keys : [source.keys];
    return keys.map(parsePublicKey);
  }
  const fetch = source.fetch ?? ((request: Request) => globalThis.fetch(request));
  return fetchMerchantKeys({ baseUrl: source.baseUrl, merchantId: source.merchantId, fetch, stale }, now);
}

function isList(keys: WebhookPublicKey | readonly WebhookPublicKey[]): keys is readonly WebhookPublicKey[] {
  return Array.isArray(keys);
}

/**
 * The public keys of a merchant, fetched from the service and cached for five minutes. `stale` asks for newer keys;
 * they are fetched only if the cached ones are at least ten seconds old. Throws `KasiError` when they can't be fetched:
 * answer the webhook with an error then, and it is sent again; `TypeError` when there is no such merchant.
 */
async function fetchMerchantKeys(
  source: { readonly baseUrl: string; readonly merchantId: string; readonly fetch: Fetch; readonly stale: boolean },
  now: Date,
): Promise<readonly Uint8Array[]> {
  const base = source.baseUrl.replace(/\/+$/, '');
  const url = `${base}/v1/public/merchants/${encodeURIComponent(source.merchantId)}/webhook-keys`;
  const before = cache.get(url);
  const used = freshEnough(before, source.stale, now) ?? remember(url, source, now);
  const deadline = startDeadline(FETCH_TIMEOUT_MS, undefined);
  try {
    // In edge runtimes a fetch dies with the request that started it, and its promise then never settles.
    return await waitFor(used.keys, deadline.signal);
  } catch (error) {
    // Keeps the keys that were cached before: a forged webhook must not evict them.
    if (cache.get(url) === used) cache.delete(url);
    if (before !== undefined && before !== used && !cache.has(url)) cache.set(url, before);
    throw error;
  } finally {
    deadline.clear();
  }
}

function freshEnough(cached: CachedKeys | undefined, stale: boolean, now: Date): CachedKeys | undefined {
  const age = cached === undefined ? Number.POSITIVE_INFINITY : Math.abs(now.getTime() - cached.fetchedAt);
  return age < (stale ? REFETCH_PAUSE_MS : KEYS_LIFETIME_MS) ? cached : undefined;
}

type Merchant = { readonly merchantId: string; readonly baseUrl: string; readonly fetch: Fetch };

function remember(url: string, merchant: Merchant, now: Date): CachedKeys {
  const fresh = { fetchedAt: now.getTime(), keys: fetchKeys(url, merchant) };
  cache.delete(url); // Moves the entry to the end, as the newest.
  cache.set(url, fresh);
  for (const oldest of cache.keys()) {
    if (cache.size <= CACHE_MAX) break;
    cache.delete(oldest);
  }
  return fresh;
}

async function fetchKeys(url: string, { merchantId, baseUrl, fetch }: Merchant): Promise<readonly Uint8Array[]> {
  const { response, text } = await read(url, fetch);
  const body = parseJson(text);
  if (!response.ok || !isKeySet(body)) {
    const refusal = errorFromResponse(response, body);
    throw refusal.code === 'NOT_FOUND' ? noSuchMerchant(merchantId, baseUrl) : refusal;
  }
  // Ignores keys of kinds that don't exist yet.
  return body.keys.filter(({ crv }) => crv === 'Ed25519').map(parsePublicKey);
}

/** A wrong setting, which no repetition of the webhook mends. */
function noSuchMerchant(merchantId: string, baseUrl: string): TypeError {
  return new TypeError(
    `There is no merchant ${JSON.stringify(merchantId)} at ${baseUrl}. Set merchantId to the id that auth.login() shows as merchant.id and every webhook carries as merchantId (mer_…), and baseUrl to the service that sends the webhooks.`,
  );
}

async function read(url: string, fetch: Fetch): Promise<{ response: Response; text: string }> {
  const deadline = startDeadline(FETCH_TIMEOUT_MS, undefined);
  try {
    const response = await fetch(new Request(url, { redirect: 'manual', signal: deadline.signal }));
    return { response, text: await response.text() };
  } catch (cause) {
    if (deadline.signal.aborted) throw deadline.signal.reason;
    throw new KasiError('NETWORK_ERROR', `The webhook keys could not be fetched from ${url}.`, { cause });
  } finally {
    deadline.clear();
  }
}

function isKeySet(body: unknown): body is Schemas['JsonWebKeySet'] {
  return typeof body === 'object' && body !== null && 'keys' in body && Array.isArray(body.keys);
}
