import { randomUUID } from 'node:crypto';
import jwt from '@fastify/jwt';
import type { FastifyInstance } from 'fastify';
import { wallMs } from '../lib/clock.ts';
import { AppError } from '../lib/errors.ts';
import type { Audience, TokenClaims, Tokens } from '../ports/security.ts';

const ISSUER = 'kasi';
const TYPE = 'at+jwt';
const LIFETIME_SECONDS: Record<Audience, number> = { 'merchant-api': 900, 'admin-api': 600 };
const REFRESH_PATH: Record<Audience, string> = {
  'merchant-api': '/v1/auth/refresh',
  'admin-api': '/v1/admin/auth/refresh',
};
const REMEMBERED_MAX = 10_000;
const REQUIRED_CLAIMS = ['iss', 'aud', 'sub', 'sid', 'jti', 'iat', 'exp'];

type Namespace = { sign: (payload: object) => string; verify: (token: string) => unknown };

/**
 * Access tokens by RFC 9068, HS256 only, with one namespace and one secret per audience. Every claim is required; a
 * token without `exp` would never expire.
 */
export async function registerTokens(
  app: FastifyInstance,
  secrets: Readonly<Record<Audience, string>>,
): Promise<Tokens> {
  for (const [audience, secret] of Object.entries(secrets) as [Audience, string][]) {
    await app.register(jwt, {
      namespace: audience,
      secret,
      sign: {
        algorithm: 'HS256',
        header: { typ: TYPE, alg: 'HS256' },
        expiresIn: LIFETIME_SECONDS[audience] * 1000,
        iss: ISSUER,
        aud: audience,
      },
      verify: {
        algorithms: ['HS256'],
        allowedIss: ISSUER,
        allowedAud: audience,
        checkTyp: TYPE,
        requiredClaims: REQUIRED_CLAIMS,
      },
    });
  }
  const namespace = (audience: Audience): Namespace => {
    const found = (app.jwt as unknown as Record<Audience, Namespace | undefined>)[audience];
    if (!found) throw new Error(`no secret for tokens of ${audience}`);
    return found;
  };
  const verified = rememberVerified();
  return {
    sign: (audience, claims) => ({
      token: namespace(audience).sign({ ...claims, jti: randomUUID() }),
      expiresInSeconds: LIFETIME_SECONDS[audience],
    }),
    verify: (audience, token) => verified(`${audience} ${token}`, () => toClaims(namespace(audience), audience, token)),
  };
}

type Verified = TokenClaims & { readonly expiresAtMs: number };

/**
 * Remembers tokens with a valid signature until they expire. Only the signature: the session is still read.
 * See decision http/valid-signatures-are-remembered.
 */
function rememberVerified(): (key: string, verify: () => Verified) => TokenClaims {
  const known = new Map<string, Verified>();
  return (key, verify) => {
    const found = known.get(key);
    if (found && found.expiresAtMs > wallMs()) return found;
    const claims = verify();
    if (known.size >= REMEMBERED_MAX) known.clear();
    known.set(key, claims);
    return claims;
  };
}

function toClaims(namespace: Namespace, audience: Audience, token: string): Verified {
  let claims: unknown;
  try {
    claims = namespace.verify(token);
  } catch (error) {
    const expired = (error as { code?: string }).code === 'FAST_JWT_EXPIRED';
    throw expired
      ? new AppError('UNAUTHORIZED', `The access token has expired; refresh it at ${REFRESH_PATH[audience]}.`, {
          reason: 'token_expired',
        })
      : invalid();
  }
  const { sub, sid, exp } = claims as Record<string, unknown>;
  if (typeof sub !== 'string' || typeof sid !== 'string' || typeof exp !== 'number') throw invalid();
  return { sub, sid, expiresAtMs: exp * 1000 };
}

const invalid = (): AppError =>
  new AppError('UNAUTHORIZED', 'The access token is not valid here.', { reason: 'token_invalid' });
