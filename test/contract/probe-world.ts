import { startService, type TestMerchant, type TestService } from '../harness.ts';
import type { TestAdmin } from '../support/admins.ts';
import { createKey, type TestKey } from '../support/signing.ts';

export type ProbeWorld = {
  readonly service: TestService;
  readonly owner: TestMerchant;
  readonly other: TestMerchant;
  /** Holds every permission. */
  readonly admin: TestAdmin;
  /** A key of each merchant with every scope. */
  readonly ownersKey: TestKey;
  readonly othersKey: TestKey;
};

/** A request that succeeds when its owner sends it. */
export type ProbeRequest = { readonly path: string; readonly body?: object };

export type Probe = {
  /** Creates what the request needs, afresh each time. */
  readonly request: (world: ProbeWorld) => Promise<ProbeRequest>;
  /** The status of the same request by another merchant; null where it names nothing that belongs to a merchant. */
  readonly foreign: 403 | 404 | null;
};

/** No server listens there, so that a test call ends at once. */
export const HOOKS = 'http://127.0.0.1:1/hooks';

/** A service with two unrelated merchants. */
export async function makeProbeWorld(): Promise<ProbeWorld> {
  // No node runs here to look for payouts on.
  const settings = { withdrawalMaxOpen: 100_000, withdrawalDailyMax: '100000000.00', verifyPayoutOnChain: false };
  const service = await startService({ settings });
  const [owner, other] = [await service.activeMerchant(), await service.activeMerchant()];
  await owner.client.merchants.update(owner.id, { webhookUrl: HOOKS });
  const [ownersKey, othersKey] = [await createKey(service, owner), await createKey(service, other)];
  const admin = await service.admin();
  return { service, owner, other, admin, ownersKey, othersKey };
}
