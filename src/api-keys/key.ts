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
};

/** Every scope that the contract has, in its order; one that were missing would not compile. */
export const SCOPES = Object.keys(EVERY_SCOPE) as readonly Scope[];

/** How many keys of one merchant may work at the same time. */
export const LIVE_KEYS_MAX = 20;

export type ApiKey = {
  readonly id: Id<'apiKey'>;
  readonly merchantId: Id<'merchant'>;
  readonly name: string;
  /** The public value, `pk_<mode>_…`. */
  readonly apiKey: string;
  readonly permissions: readonly Scope[];
  /** Addresses and CIDR ranges; none means everywhere. */
  readonly allowedIps: readonly string[];
  /** Wall time from which it works no more. */
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly createdAt: Date;
};

/** A key with its secret, for the one answer that shows it. */
export type KeyWithSecret = { readonly key: ApiKey; readonly apiSecret: string };

/** A public value and the secret that belongs to it: 128 and 256 random bits, with the mode to be seen in both. */
export function newKeyPair(livemode: boolean): { readonly apiKey: string; readonly apiSecret: string } {
  const mode = livemode ? 'live' : 'sandbox';
  return {
    apiKey: `pk_${mode}_${randomBytes(16).toString('hex')}`,
    apiSecret: `sk_${mode}_${randomBytes(32).toString('hex')}`,
  };
}
