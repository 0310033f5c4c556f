import { hkdfSync } from 'node:crypto';

const SECRET_BYTES = 32;

/**
 * 32 bytes for one purpose, derived from a master key (HKDF, RFC 5869). One of them reveals nothing about the others.
 */
export const deriveSecret = (masterKey: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', masterKey, '', `kasi ${purpose}`, SECRET_BYTES));
