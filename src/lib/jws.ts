import { sign } from 'node:crypto';
import { presentJwk, type SigningKey } from './standard-webhooks.ts';

/** A statement of a merchant, signed: a compact JWS (RFC 7515), and the key that signed it. */
export type SignedStatement = { readonly jws: string; readonly keyId: string };

const encode = (value: object): string => Buffer.from(JSON.stringify(value), 'utf8').toString('base64url');

/**
 * Signs `content` as a compact JWS by Ed25519 (RFC 8037). `typ` says what is stated, so that a signature of one kind is
 * no signature of another. What is signed has exactly one full stop, and what webhooks sign has at least two: neither
 * can be taken for the other. Pure.
 */
export function signStatement({ privateKey, publicKey }: SigningKey, typ: string, content: object): SignedStatement {
  const { kid: keyId } = presentJwk(publicKey);
  const signed = `${encode({ alg: 'EdDSA', typ, kid: keyId })}.${encode(content)}`;
  return { jws: `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`, keyId };
}
