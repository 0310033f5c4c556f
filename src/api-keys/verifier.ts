import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Listener } from '../db/listen.ts';
import { assumeStill, requireStill } from '../identity/assumed.ts';
import { type CredentialCache, createCredentialCache } from '../identity/credential-cache.ts';
import { HOUR_MS, SECOND_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import { decrypt, type KeyRing } from '../lib/envelope.ts';
import { AppError } from '../lib/errors.ts';
import { createMemory } from '../limits/memory.ts';
import type { BodyProof, Credentials, KeyPrincipal, Proven, Requirement, Verifier } from '../ports/security.ts';
import { isAllowed } from './addresses.ts';
import { isForMoney, type Scope } from './key.ts';
import { findKeyState, findKeyWithSecret, type KeyState, otherKey, revokedKey } from './queries.ts';
import { placeOfSecret } from './service.ts';
import { isSignedBy, TIMESTAMP_TOLERANCE_SECONDS, textToSign } from './signature.ts';
import type { KeyUsage } from './usage.ts';

const API_KEY = /^pk_(sandbox|live)_[0-9a-f]{32}$/;
const SIGNATURE = /^[0-9a-f]{64}$/;
const TIMESTAMP = /^[0-9]{10}$/;
/** A key that has signed is heard for an hour where its neighbours have used up what an address may get wrong. */
const PROVEN_MS = HOUR_MS;
/** How much of the signed text a refusal shows; request targets may be long. */
const SHOWN_MAX = 600;

type OpenedKey = KeyState & { readonly holderId: string; readonly secret: KeyObject };

export type ApiKeys = CredentialCache<OpenedKey>;

/** The cache of API keys with their opened secrets; one for each process. */
export function createApiKeys(
  deps: { readonly db: Db; readonly keyRing: KeyRing },
  listener: Pick<Listener, 'on' | 'onGap'>,
): ApiKeys {
  return createCredentialCache({
    prefix: 'pk_',
    load: async (apiKey) => {
      const found = await findKeyWithSecret(deps.db, apiKey);
      if (!found) return undefined;
      const { key, encryptedSecret, ...standing } = found;
      const secret = createSecretKey(decrypt(deps.keyRing, placeOfSecret(key), encryptedSecret));
      return { key, ...standing, holderId: key.merchantId, secret };
    },
    subscribe: listener.on,
    onGap: listener.onGap,
  });
}

export type KeyVerifierDeps = {
  readonly keys: ApiKeys;
  readonly noteUse: KeyUsage;
  /** Requires a timestamp even where the contract makes it optional. */
  readonly alwaysTimestamp: boolean;
};

/**
 * Proves `apiKey`, `signature` and `timestamp` together: an HMAC of the request under the key's secret. An unknown key
 * and a wrong signature give the same 401 after the same work. Only a valid signature reveals an expired key (401), a
 * missing scope or a disallowed address (403). See decision api-keys/only-a-valid-signature-reveals-why.
 */
export function keyVerifier(deps: KeyVerifierDeps): Verifier<KeyPrincipal> {
  const dummy = createSecretKey(randomBytes(32));
  const proven = createMemory(() => true, PROVEN_MS);
  return {
    schemes: ['apiKey', 'signature', 'timestamp'],
    kind: 'key',
    fault: ({ apiKey = [] }) => (apiKey.length === 1 ? null : 'a key needs exactly one scope'),
    isPresented: ({ apiKey, signature }) => apiKey !== undefined || signature !== undefined,
    isKnown: ({ apiKey }) => apiKey !== undefined && proven.peek(apiKey) === true,
    verify: async (credentials, alternatives, real) => {
      const apiKey = requireForm('X-API-Key', credentials.apiKey, API_KEY, 'pk_ with its mode and 32 hex digits');
      const signature = requireForm('X-Signature', credentials.signature, SIGNATURE, '64 lower-case hex digits');
      requireTime(credentials, !deps.alwaysTimestamp && alternatives.some(isTimeless), real);
      const found = await deps.keys.find(apiKey);
      const prove: BodyProof = (body) => {
        const text = textToSign(signedPart(credentials), body);
        const isSigned = isSignedBy(found?.secret ?? dummy, text, signature);
        if (!found || !isSigned || found.status === 'terminated') throw notSigned(text);
        const principal = toPrincipal(found, real);
        deps.noteUse(principal.keyId, real);
        proven.get(apiKey, real);
        return { principal, ...refusalOf(found, credentials, alternatives) };
      };
      return prove;
    },
    recheck: async (trx, { keyId }, real) => {
      const found = await findKeyState(trx, keyId);
      if (!found || found.status === 'terminated') throw unauthorized('api_key_invalid', 'This API key was revoked.');
      return toPrincipal(found, real);
    },
    assume: (trx, principal, real, confirm) => assumeStill(trx, otherKey(principal, real), confirm),
    remain: (trx, { keyId, scopes }) => {
      if (isForMoney(scopes)) requireStill(trx, revokedKey(keyId));
    },
  };
}

const isTimeless = (requirement: Requirement): boolean => !Object.hasOwn(requirement, 'timestamp');

function requireForm(header: string, value: string | undefined, form: RegExp, words: string): string {
  if (value === undefined) {
    throw unauthorized('api_key_invalid', `${header} is missing. Send X-API-Key, X-Signature and X-Timestamp.`);
  }
  // Node joins a header that was sent twice, so it doesn't match either.
  if (!form.test(value)) throw unauthorized('api_key_invalid', `${header} must come once and be ${words}.`);
  return value;
}

function requireTime({ timestamp }: Credentials, mayBeAbsent: boolean, real: Date): void {
  if (timestamp === undefined) {
    if (mayBeAbsent) return;
    throw unauthorized('api_key_invalid', 'X-Timestamp is missing. Send the Unix time in seconds, and sign it.');
  }
  if (!TIMESTAMP.test(timestamp)) {
    throw unauthorized(
      'timestamp_skew',
      'X-Timestamp must come once and be the Unix time in whole seconds, 10 digits.',
    );
  }
  const aheadSeconds = Number(timestamp) - real.getTime() / SECOND_MS;
  if (Math.abs(aheadSeconds) <= TIMESTAMP_TOLERANCE_SECONDS) return;
  const amount = `${Math.ceil(Math.abs(aheadSeconds))} seconds ${aheadSeconds > 0 ? 'ahead of' : 'behind'} ours`;
  throw unauthorized('timestamp_skew', `X-Timestamp is ${amount}; ${TIMESTAMP_TOLERANCE_SECONDS} are allowed.`);
}

const signedPart = ({ timestamp = '', method, target, idempotencyKey = '' }: Credentials) => ({
  timestamp,
  method,
  target,
  idempotencyKey,
});

/** Why a correctly signed request may not do this; empty if it may. */
function refusalOf({ key }: OpenedKey, { ip }: Credentials, alternatives: readonly Requirement[]): Partial<Proven> {
  const needed = (alternatives[0]?.['apiKey'] ?? []) as readonly Scope[];
  const missing = needed.filter((scope) => !key.permissions.includes(scope));
  if (missing.length > 0) {
    const message = `This API key lacks the scope ${missing.join(', ')}, which this operation needs.`;
    return { refusal: new AppError('FORBIDDEN', message, { reason: 'scope_missing' }) };
  }
  if (isAllowed(key.allowedIps, ip)) return {};
  const message = `This API key may not be used from ${ip}. Make a key whose allowedIps name the address.`;
  return { refusal: new AppError('FORBIDDEN', message, { reason: 'address_not_allowed' }) };
}

function toPrincipal({ key, status, rejectedAt, toleranceBps }: KeyState, real: Date): KeyPrincipal {
  if (key.expiresAt && key.expiresAt <= real) {
    throw unauthorized('api_key_invalid', `This API key expired at ${key.expiresAt.toISOString()}. Make a new one.`);
  }
  const { merchantId, id: keyId, permissions: scopes } = key;
  return { kind: 'merchant', via: 'api_key', merchantId, keyId, status, rejectedAt, toleranceBps, scopes };
}

/** Shows the text to sign. See decision api-keys/a-refusal-shows-the-signed-text. */
const notSigned = (text: string): AppError =>
  unauthorized(
    'signature_invalid',
    `The API key does not work, its secret is another key's, or the signature does not fit. The text to sign is ${JSON.stringify(text.slice(0, SHOWN_MAX))}.`,
  );

const unauthorized = (reason: string, message: string): AppError => new AppError('UNAUTHORIZED', message, { reason });
