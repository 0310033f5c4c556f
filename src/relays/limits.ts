import { listAtRisk, listTransactions, type OperatorTransactionId } from '../chains/operator/queries.ts';
import { after, DAY_MS, MINUTE_MS, SECOND_MS } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { mayCollect } from '../merchants/guard.ts';
import { getCollectsBy } from '../merchants/queries.ts';
import type { Settings } from '../settings/settings.ts';
import { countSent, hasReverted, listSentBy, sumGas } from './queries.ts';
import { RELAY_PURPOSE, type Relay, type RelayReason } from './relay.ts';

/**
 * Gas that relays of a network may lose within 24 hours: the limits of those that failed, and of those of which nobody
 * knows yet. Enough for dozens on their way at once, and at a price of one gwei a loss of 0.01 ETH.
 */
export const GAS_AT_RISK_MAX = 10_000_000n;

/** When one is looked at again: after the wallet's transfer before it, and after any other limit. */
const BUSY_MS = 4 * SECOND_MS;
const LIMIT_MS = MINUTE_MS;

/** What keeps a relay from being sent: it is refused, or waits. */
export type Obstacle =
  | { readonly kind: 'refused'; readonly reason: RelayReason }
  | { readonly kind: 'waits'; readonly forMs: number };

export type RelayLimits = {
  readonly gas: bigint;
  readonly settings: Pick<Settings, 'relayDailyMax' | 'allowPendingMerchantsToCollect'>;
  readonly now: Date;
};

/**
 * Why a relay with so much gas is not sent now; null: nothing is in the way. What a wallet has signed is sent one after
 * the other, because it can make all that are on their way fail at once. See decisions relays/one-in-flight and
 * relays/for-who-may-collect.
 */
export async function findObstacle(
  db: Db | Trx,
  { payer, network, merchantId }: Pick<Relay, 'payer' | 'network' | 'merchantId'>,
  { gas, settings, now }: RelayLimits,
): Promise<Obstacle | null> {
  const since = after(now, -DAY_MS);
  if (await hasReverted(db, payer, since)) return { kind: 'refused', reason: 'wallet' };
  if (!mayCollect(await getCollectsBy(db, merchantId), settings)) return { kind: 'waits', forMs: LIMIT_MS };
  const before = await listTransactions(db, (await listSentBy(db, { payer, network })) as OperatorTransactionId[]);
  if (before.some(({ succeeded }) => succeeded === null)) return { kind: 'waits', forMs: BUSY_MS };
  if ((await countSent(db, merchantId, since)) >= settings.relayDailyMax) return { kind: 'waits', forMs: LIMIT_MS };
  const atRisk = await readGasAtRisk(db, now);
  const own = atRisk.find((each) => each.network === network)?.gas ?? 0n;
  return own + gas > GAS_AT_RISK_MAX ? { kind: 'waits', forMs: LIMIT_MS } : null;
}

/** The gas that relays of the last 24 hours have lost or may lose, by network. */
export const readGasAtRisk = async (db: Db | Trx, now: Date) =>
  sumGas(db, await listAtRisk(db, RELAY_PURPOSE, after(now, -DAY_MS)));
