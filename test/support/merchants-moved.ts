import { type KeyDeps, revokeKeysOf } from '../../src/api-keys/service.ts';
import type { StatusChangeDeps } from '../../src/merchants/status-changes.ts';

/** Revokes a merchant's keys as another process would: this one hears of it by the notification. */
export const revokeKeysWith =
  (deps: Omit<KeyDeps, 'forgetKey'>): StatusChangeDeps['revokeKeys'] =>
  (trx, merchantId, at) =>
    revokeKeysOf(trx, { ...deps, forgetKey: () => undefined }, merchantId, at);
