import { createHash, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

/** A new secret for a claim link, 43 characters of base64url, and what is stored of it. */
export function newClaimSecret(): { readonly secret: string; readonly hash: Buffer } {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  return { secret, hash: hashOf(secret) };
}

/** SHA-256 of a secret. It has 256 bits, so nothing slower is needed. */
export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();
