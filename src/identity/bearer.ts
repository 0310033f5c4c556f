import { AppError } from '../lib/errors.ts';
import type { Audience, Credentials, Tokens } from '../ports/security.ts';

/** The token of an `Authorization: Bearer` header (RFC 6750). UNAUTHORIZED with token_missing or token_invalid. */
export function parseBearer({ authorization }: Pick<Credentials, 'authorization'>): string {
  const [, token] = /^Bearer +([^\s]+) *$/i.exec(authorization ?? '') ?? [];
  if (token) return token;
  if (authorization === undefined || !/^Bearer\b/i.test(authorization)) {
    throw unauthorized('token_missing', 'Send an access token in the header "Authorization: Bearer <token>".');
  }
  throw unauthorized('token_invalid', 'The Authorization header must be "Bearer", one space and the access token.');
}

/** Whether the credentials are an access token that we have signed and that has not expired; reads nothing. */
export function isSignedToken(tokens: Tokens, audience: Audience, credentials: Credentials): boolean {
  try {
    tokens.verify(audience, parseBearer(credentials));
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** The error for an access token whose session has ended, or whose account may no longer log in. */
export const sessionRevoked = (): AppError => unauthorized('session_revoked', 'This session has ended. Log in again.');

const unauthorized = (reason: string, message: string): AppError => new AppError('UNAUTHORIZED', message, { reason });
