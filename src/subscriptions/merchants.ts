import { sql } from 'kysely';
import type { Trx } from '../lib/db-types.ts';
import type { MerchantStatus } from '../ports/security.ts';
import type { Settings } from '../settings/settings.ts';

/** What a merchant's state means for its subscriptions: they go on, they wait, or they end. */
export type Collecting = 'allowed' | 'paused' | 'ended';

/** What the states of these merchants mean for their subscriptions. */
export async function readCollecting(
  trx: Trx,
  merchantIds: readonly string[],
  settings: Settings,
): Promise<ReadonlyMap<string, Collecting>> {
  return collectingOf(trx, merchantIds, settings, sql``);
}

/** The same, and it stays so until the transaction ends: whoever wants to freeze one waits. To be asked before subscriptions are locked. */
export async function holdCollecting(
  trx: Trx,
  merchantIds: readonly string[],
  settings: Settings,
): Promise<ReadonlyMap<string, Collecting>> {
  return collectingOf(trx, merchantIds, settings, sql`for share`);
}

async function collectingOf(
  trx: Trx,
  merchantIds: readonly string[],
  settings: Pick<Settings, 'allowPendingMerchantsToCollect'>,
  locking: ReturnType<typeof sql>,
): Promise<ReadonlyMap<string, Collecting>> {
  const { rows } = await sql<{ id: string; status: MerchantStatus }>`
    select id, status from merchants where id = any (${[...new Set(merchantIds)]}::text[]) order by id ${locking}`.execute(
    trx,
  );
  return new Map(rows.map(({ id, status }) => [id, meaningOf(status, settings)]));
}

function meaningOf(status: MerchantStatus, settings: Pick<Settings, 'allowPendingMerchantsToCollect'>): Collecting {
  if (status === 'terminated') return 'ended';
  if (status === 'active') return 'allowed';
  return status === 'pending_verification' && settings.allowPendingMerchantsToCollect ? 'allowed' : 'paused';
}

/** As many as can be marked in a moment; what is left is looked at when its own time comes. */
const WOKEN_MAX = 20_000;

/**
 * Has the subscriptions of a merchant, whose lock is held and whose state has changed, looked at soon: those that wait for it, and all of one
 * that is closed.
 */
export async function wakeSubscriptions(
  trx: Trx,
  merchantId: string,
  status: MerchantStatus,
  now: Date,
): Promise<void> {
  if (status !== 'active' && status !== 'terminated') return;
  const which = status === 'active' ? sql`paused_since is not null` : sql`status in ('active', 'trialing', 'past_due')`;
  const { numAffectedRows } = await sql`
    update subscriptions set next_action_at = ${now}
     where id in (select id from subscriptions where merchant_id = ${merchantId} and ${which} and next_action_at > ${now}
                   order by id limit ${WOKEN_MAX} for no key update)`.execute(trx);
  if (numAffectedRows) trx.wake('kasi_subscriptions');
}
