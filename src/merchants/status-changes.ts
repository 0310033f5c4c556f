import { type Events, nextSequence } from '../events/record.ts';
import { announceCredentialChange } from '../identity/credential-cache.ts';
import { endSessions } from '../identity/sessions.ts';
import type { Trx } from '../lib/db-types.ts';
import type { MerchantStatus } from '../ports/security.ts';
import type { LogoDeps } from './logo.ts';
import { type Merchant, type MerchantInput, step } from './merchant.ts';
import { presentMerchant } from './present.ts';
import { lockMerchant, saveMerchant } from './queries.ts';

export type AnnounceDeps = LogoDeps & {
  readonly events: Events;
  /** Drops a merchant's sessions from this process's cache; other processes are notified by the commit. */
  readonly forgetSessions: (merchantId: string) => void;
};

export type StatusChangeDeps = AnnounceDeps & {
  /** Revokes all API keys of a merchant whose lock the caller holds; returns how many. `api-keys` implements it. */
  readonly revokeKeys: (
    trx: Trx,
    merchantId: string,
    at: { readonly now: Date; readonly real: Date },
  ) => Promise<number>;
  /** Called after a status change, for folders that depend on a merchant's status. */
  readonly followStatus: (trx: Trx, merchantId: string, status: MerchantStatus, now: Date) => Promise<void>;
};

export type StatusChange = {
  readonly merchant: Merchant;
  readonly from: MerchantStatus;
  /** Sessions and keys that a termination ended. */
  readonly ended: { readonly sessionsEnded?: number; readonly keysRevoked?: number };
};

/**
 * Applies `input` to a merchant and announces the new status. Termination also ends the merchant's sessions and revokes
 * its API keys. Throws NOT_FOUND, and CONFLICT when the status doesn't allow the input. `now` is business time, `real`
 * wall time.
 */
export async function changeMerchantStatus(
  trx: Trx,
  deps: StatusChangeDeps,
  merchantId: string,
  input: MerchantInput,
  now: Date,
  real: Date,
): Promise<StatusChange> {
  const merchant = await lockMerchant(trx, merchantId);
  const { next, events } = step(merchant, input);
  const moved: Merchant = { ...merchant, ...next, updatedAt: now };
  await saveMerchant(trx, moved);
  const ended = next.status === 'terminated' ? await endAccess(trx, deps, merchantId, now, real) : {};
  if (events.length > 0) {
    await announceStatus(trx, deps, moved, now);
    await deps.followStatus(trx, moved.id, moved.status, now);
  }
  return { merchant: moved, from: merchant.status, ended };
}

async function endAccess(trx: Trx, deps: StatusChangeDeps, merchantId: string, now: Date, real: Date) {
  const sessionsEnded = await endSessions(trx, { type: 'merchant', id: merchantId }, 'terminated', real);
  return { sessionsEnded, keysRevoked: await deps.revokeKeys(trx, merchantId, { now, real }) };
}

/** Announces a merchant's new status as an event and to every process's cache. The caller holds the merchant's lock. */
export async function announceStatus(trx: Trx, deps: AnnounceDeps, merchant: Merchant, now: Date): Promise<void> {
  deps.forgetSessions(merchant.id);
  await announceCredentialChange(trx, merchant.id);
  const sequence = await nextSequence(trx, merchant.id);
  const data = presentMerchant(merchant, deps);
  await deps.events.record(
    trx,
    { merchantId: merchant.id, type: 'merchant.status_changed', resourceId: merchant.id, sequence, data },
    now,
  );
}
