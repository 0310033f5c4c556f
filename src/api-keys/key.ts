import { randomBytes } from 'node:crypto';
import type { components } from '../../generated/api.ts';
import type { Id } from '../lib/ids.ts';

export type Scope = components['schemas']['ApiKeyScope'];

const EVERY_SCOPE: Readonly<Record<Scope, true>> = {
  'payments:read': true,
  'payments:write': true,
  'settlements:read': true,
  'settlements:write': true,
  'webhooks:manage': true,
  'links:manage': true,
  'subscriptions:manage': true,
};

/** What only a key may do that was made for it. See decision api-keys/two-scopes-on-request. */
const ON_REQUEST: readonly Scope[] = ['links:manage', 'subscriptions:manage'];

/** Every scope of the contract, in its order; a missing one doesn't compile. */
export const SCOPES = Object.keys(EVERY_SCOPE) as readonly Scope[];

export const DEFAULT_SCOPES = SCOPES.filter((scope) => !ON_REQUEST.includes(scope));

/** Whether a key with these scopes takes money out. See decision api-keys/keys-to-money-need-a-code. */
export const isForMoney = (scopes: readonly Scope[]): boolean => scopes.includes('settlements:write');

/** The most live keys that one merchant may have. */
export const LIVE_KEYS_MAX = 20;

export type ApiKey = {
  readonly id: Id<'apiKey'>;
  readonly merchantId: Id<'merchant'>;
  readonly name: string;
  /** The public value, `pk_<mode>_…`. */
  readonly apiKey: string;
  readonly permissions: readonly Scope[];
  /** Addresses and CIDR ranges; an empty list allows all. */
  readonly allowedIps: readonly string[];
  /** Wall time from which the key no longer works. */
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly createdAt: Date;
};

/** A key with its secret, for the one answer that shows the secret. */
export type KeyWithSecret = { readonly key: ApiKey; readonly apiSecret: string };

/** A public value and its secret: 128 and 256 random bits, both prefixed with the mode. */
export function newKeyPair(livemode: boolean): { readonly apiKey: string; readonly apiSecret: string } {
  const mode = livemode ? 'live' : 'sandbox';
  return {
    apiKey: `pk_${mode}_${randomBytes(16).toString('hex')}`,
    apiSecret: `sk_${mode}_${randomBytes(32).toString('hex')}`,
  };
}
