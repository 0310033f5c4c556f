import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { SECOND_MS } from '../lib/clock.ts';

/** The defaults that every authenticator app supports: RFC 6238 with SHA-1, six digits, thirty seconds. */
const RULES = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const STEP_MS = RULES.period * SECOND_MS;
/** Steps that a phone's clock may be off, or a person late. */
const WINDOW_STEPS = 1;
/** The length of the hash, as RFC 4226 recommends. */
const SECRET_BYTES = 20;
/** Checked first, because the library throws for characters of more than one byte. */
const CODE = /^[0-9]{6}$/;

/** A new secret for an authenticator app. */
export const newTotpSecret = (): Buffer => randomBytes(SECRET_BYTES);

/** A secret for manual entry: base32 without padding. */
export const totpBase32 = (secret: Uint8Array): string => toSecret(secret).base32;

/** The otpauth URI that an authenticator app reads from a QR code. */
export function totpUri(secret: Uint8Array, issuer: string, label: string): string {
  return new TOTP({ ...RULES, issuer, label, secret: toSecret(secret) }).toString();
}

/**
 * The time step that `code` belongs to, if it is the current step or one next to it. Takes constant time. The caller
 * checks whether the step was used before.
 */
export function findTotpStep(secret: Uint8Array, code: string, real: Date): number | undefined {
  if (!CODE.test(code)) return undefined;
  const timestamp = real.getTime();
  const delta = TOTP.validate({ ...RULES, secret: toSecret(secret), token: code, timestamp, window: WINDOW_STEPS });
  return delta === null ? undefined : Math.floor(timestamp / STEP_MS) + delta;
}

function toSecret(secret: Uint8Array): Secret {
  const { buffer } = new Uint8Array(secret);
  return new Secret({ buffer });
}
