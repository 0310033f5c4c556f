import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/**
 * Standard Webhooks (https://www.standardwebhooks.com) with its asymmetric scheme `v1a`: Ed25519 over
 * `id "." unix seconds "." body`. Pure; only node:crypto is called.
 */

const PUBLIC_PREFIX = 'whpk_';
const SEED_BYTES = 32;
/** The bytes before the seed in the PKCS #8 form of an Ed25519 private key (RFC 8410). */
const PKCS8_HEADER = Buffer.from('302e020100300506032b657004220420', 'hex');

/** An Ed25519 public key as a JSON Web Key (RFC 8037). */
export type WebhookJwk = {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: 'EdDSA';
};

/** A signing key, ready for use. Deriving one from its seed costs more than a signature, so keep it. */
export type SigningKey = { readonly privateKey: KeyObject; readonly publicKey: Buffer };

/** The exact bytes that are signed: the event's id, this attempt's Unix second and the body as sent. */
export function contentToSign(id: string, timestampSeconds: number | string, body: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${id}.${timestampSeconds}.`, 'utf8'), body]);
}

/** The key of a seed of 32 bytes (RFC 8032). */
export function signingKey(seed: Uint8Array): SigningKey {
  if (seed.length !== SEED_BYTES) throw new RangeError(`a seed has ${SEED_BYTES} bytes, not ${seed.length}`);
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_HEADER, seed]), format: 'der', type: 'pkcs8' });
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' });
  return { privateKey, publicKey: Buffer.from(x as string, 'base64url') };
}

/**
 * The three headers of one attempt. Every key signs, in the given order: the newest first, then retiring ones, so that
 * a receiver with any one of them can verify.
 */
export function signatureHeaders(
  keys: readonly SigningKey[],
  id: string,
  timestampSeconds: number,
  body: Uint8Array,
): Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const content = contentToSign(id, timestampSeconds, body);
  const signatures = keys.map(({ privateKey }) => `v1a,${sign(null, content, privateKey).toString('base64')}`);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signatures.join(' '),
  };
}

/** Whether a signature of 64 bytes over `content` was made with the private part of a public key of 32 bytes. */
export function isSignedBy(publicKey: Buffer, content: Uint8Array, signature: Uint8Array): boolean {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: publicKey.toString('base64url') };
  return verify(null, content, createPublicKey({ key: jwk, format: 'jwk' }), signature);
}

/** `whpk_` and the base64 of the 32 bytes: how merchants see a public key. */
export const encodePublicKey = (publicKey: Uint8Array): string =>
  PUBLIC_PREFIX + Buffer.from(publicKey).toString('base64');

/** The public key as a JSON Web Key whose `kid` is its SHA-256 thumbprint (RFC 7638). */
export function presentJwk(publicKey: Uint8Array): WebhookJwk {
  const x = Buffer.from(publicKey).toString('base64url');
  // RFC 7638 hashes exactly these members, in this order, without spaces.
  const kid = createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url');
  return { kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', alg: 'EdDSA' };
}
