import { after, DAY_MS, MINUTE_MS, SECOND_MS } from '../../lib/clock.ts';
import type { Db, Trx } from '../../lib/db-types.ts';
import { MICRO_DECIMALS, rescale } from '../../lib/money.ts';
import { mayCollect } from '../../merchants/guard.ts';
import { getCollectsBy } from '../../merchants/queries.ts';
import { leastWorthCollecting } from '../../payments/gas-share.ts';
import type { Collector } from '../../ports/collector.ts';
import type { OperatorAccount } from '../../ports/operator.ts';
import type { CoinPrice } from '../../rates/quote.ts';
import type { SettingsReader } from '../../settings/settings.ts';
import type { Subscription } from '../queries.ts';
import { unitsWhenMade } from '../schedule/mandate-window.ts';
import { isCurrent, onChain, type StoredMandate } from './mandate.ts';
import { countRelays } from './queries.ts';

export type WorthDeps = {
  readonly db: Db;
  readonly coinPrice: CoinPrice;
  readonly settings: Pick<SettingsReader, 'current'>;
};

/** Through which contract a mandate goes, by whose account, and what a unit of gas costs now. */
export type RelayRoute = {
  readonly collector: Collector;
  readonly operator: OperatorAccount;
  readonly priceWei: bigint;
};

/**
 * Mandates relayed in 24 hours for customers whom no merchant has subscribed. Of one wallet no more than what its owner
 * pays for the money and the approval to show: it can cancel and subscribe again for nothing.
 */
export const RELAYS_A_DAY = { wallet: 2, merchant: 500, all: 2000 };

/** The most mandates of one wallet in flight, also where a merchant subscribed it: its code can fail them all. */
export const RELAYS_AT_ONCE = 5;

/** Mandates of a subscription relayed in 24 hours, also of a merchant's: to revoke and sign again costs less. */
export const RELAYS_OF_ONE = 3;

/** Between looks at a mandate that is held back: a tenth of its age, within these. */
const LOOK_MIN_MS = 5 * SECOND_MS;
const LOOK_MAX_MS = 15 * MINUTE_MS;

/**
 * Why a mandate is not relayed now: its merchant may not collect, or nothing is collected by the contracts that it
 * names; or its wallet could not pay one charge, or the gas costs more than its share of one, unless its merchant has
 * subscribed it. Null: it may be. Asks the node, so no transaction may be open. See decisions
 * subscriptions/relayed-for-what-is-collected and subscriptions/strangers-show-money-first.
 */
export async function findHold(
  { db, coinPrice, settings }: WorthDeps,
  subscription: Subscription,
  { collector, operator, priceWei }: RelayRoute,
  mandate: StoredMandate & { readonly signature: string },
): Promise<'paused' | 'outdated' | 'unfunded' | 'dear' | null> {
  if (!mayCollect(await getCollectsBy(db, subscription.merchantId), await settings.current())) return 'paused';
  const { network } = collector;
  const token = network.tokens.find(({ symbol }) => symbol === subscription.token);
  if (!token || !isCurrent(mandate, { collector, token })) return 'outdated';
  if (subscription.subscribedBy !== 'customer') return null;
  const units = unitsWhenMade(mandate, subscription.currency);
  const terms = onChain(mandate);
  if ((await collector.readFunds(mandate.collector, terms)) < units) return 'unfunded';
  const work = await collector
    .estimateAuthorization(mandate.collector, terms, mandate.signature, operator.address)
    // It is refused, or its wallet's code does not bear being asked like that: then it may take all that it can get.
    .catch(() => collector.encodeAuthorization(mandate.collector, terms, mandate.signature).gas);
  const least = await leastWorthCollecting(network, work, priceWei, coinPrice, await settings.current());
  return least !== null && rescale(units, token.decimals, MICRO_DECIMALS) < least ? 'dear' : null;
}

/**
 * Whether the bounds of the day leave room for a relay of this subscription, in the transaction that enqueues it. See
 * decisions subscriptions/reverted-relay-is-final and subscriptions/revoked-again-waits.
 */
export async function hasRoom(trx: Trx, subscription: Subscription, now: Date): Promise<boolean> {
  const { flying, reverted, again, ...relayed } = await countRelays(trx, subscription, after(now, -DAY_MS));
  if (reverted > 0 || flying >= RELAYS_AT_ONCE || again >= RELAYS_OF_ONE) return false;
  if (subscription.subscribedBy !== 'customer') return true;
  const bounds = Object.keys(RELAYS_A_DAY) as (keyof typeof RELAYS_A_DAY)[];
  return bounds.every((bound) => relayed[bound] < RELAYS_A_DAY[bound]);
}

/** When a mandate that is held back is looked at again. */
export function nextLook({ submittedAt }: Pick<StoredMandate, 'submittedAt'>, now: Date): Date {
  const ageMs = now.getTime() - (submittedAt ?? now).getTime();
  return after(now, Math.min(Math.max(ageMs / 10, LOOK_MIN_MS), LOOK_MAX_MS));
}
