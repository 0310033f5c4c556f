import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { SECOND_MS } from '../lib/clock.ts';

/** What every authenticator app knows without being told: RFC 6238 with SHA-1, six digits, thirty seconds. */
const RULES = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const STEP_MS = RULES.period * SECOND_MS;
/** A phone's clock may be that many steps off, and a person that many slow. */
const WINDOW_STEPS = 1;
/** As long as the hash, which RFC 4226 recommends. */
const SECRET_BYTES = 20;
/** The library compares bytes of equal length and throws at letters that take more than one. */
const CODE = /^[0-9]{6}$/;

/** A new secret of an authenticator app. */
export const newTotpSecret = (): Buffer => randomBytes(SECRET_BYTES);

/** A secret as people type it: base32 without padding. */
export const totpBase32 = (secret: Uint8Array): string => toSecret(secret).base32;

/** What an authenticator app reads from a QR code. */
export function totpUri(secret: Uint8Array, issuer: string, label: string): string {
  return new TOTP({ ...RULES, issuer, label, secret: toSecret(secret) }).toString();
}

/**
 * The time step whose code this is, the present one or one beside it; undefined for any other. How long it takes tells nothing of the
 * right code. Whether the step was used before is for the caller to know.
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
