import { createHmac, randomUUID } from 'node:crypto';
import type { Service } from '../../src/compose.ts';

const YEAR_SECONDS = 365 * 24 * 3600;

export type Forged = {
  readonly secret: string;
  readonly header?: Readonly<Record<string, unknown>>;
  /** Overrides of a valid token's claims; undefined removes one. */
  readonly claims?: Readonly<Record<string, unknown>>;
};

/** The secret of the access tokens of merchants or administrators, derived as the service does. */
export const tokenSecret = (service: Service, whom: 'merchant' | 'admin'): string =>
  service.platform.secretFor(`${whom} tokens`).toString('base64');

/** A valid token for `sub` and `sid`, except for the forged parts; signed with HMAC by its header's `alg`. */
export function forgeToken(sub: string, sid: string, { secret, header = {}, claims = {} }: Forged): string {
  const now = Math.floor(Date.now() / 1000);
  const good = { iss: 'kasi', aud: 'merchant-api', sub, sid, jti: randomUUID(), iat: now, exp: now + 900 };
  const head = { alg: 'HS256', typ: 'at+jwt', ...header };
  const signed = `${encode(head)}.${encode({ ...good, ...claims })}`;
  if (head.alg === 'none') return `${signed}.`;
  return `${signed}.${createHmac(`sha${head.alg.slice(2)}`, secret)
    .update(signed)
    .digest('base64url')}`;
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Unix seconds a year ago. */
export const longAgo = (): number => Math.floor(Date.now() / 1000) - YEAR_SECONDS;

/** A token's claims, unverified. */
export function readClaims(token: string): { readonly sub: string; readonly sid: string } {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
}
