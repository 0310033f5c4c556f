import { inTransaction } from '../../db/transaction.ts';
import { listRecordedTokens } from '../../deployment/unlisted.ts';
import { after, MINUTE_MS } from '../../lib/clock.ts';
import type { Db } from '../../lib/db-types.ts';
import type { Token } from '../../ports/chain.ts';
import { openBatch } from '../batch-store.ts';
import { type CollectingToken, findCollecting } from '../plans/plan.ts';
import { lockSubscription, type Subscription, saveSubscriptions } from '../queries.ts';
import { isCurrent, isReverted, isToSign, type StoredMandate } from './mandate.ts';
import { getCurrentMandate } from './queries.ts';
import { type ReplacementDeps, requestReplacements } from './replacement.ts';

export type OutdatedDeps = ReplacementDeps & { readonly db: Db };

/**
 * A mandate keeps the contracts that it names for this long: while processes with two lists run side by side, each
 * takes what the other asks for as outdated.
 */
const STEADY_MS = 3 * MINUTE_MS;

/**
 * Whether a mandate that its customer can still sign names contracts by which nothing is collected any more: another
 * contract is listed for its token or its network now. See decision subscriptions/only-what-is-collected-is-signed.
 */
export const isOutdated = (subscription: Subscription, mandate: StoredMandate, collecting: CollectingToken): boolean =>
  isToSign(subscription, mandate) &&
  (mandate.relayedBy === null || isReverted(mandate)) &&
  !isCurrent(mandate, collecting);

export type Asked = { readonly subscription: Subscription; readonly mandate: StoredMandate };

/**
 * Asks for another mandate in the place of an outdated one, and returns it; null while the outdated one is too new for
 * that. Who asks may be reading from a standby that does not know of it yet.
 */
export const replaceOutdated = (deps: OutdatedDeps, id: string, now: Date): Promise<Asked | null> =>
  inTransaction(deps.db, async (trx) => {
    const subscription = await lockSubscription(trx, { id });
    const collecting = findCollecting(deps, subscription);
    const mandate = await getCurrentMandate(trx, subscription);
    if (!collecting || !isOutdated(subscription, mandate, collecting)) return { subscription, mandate };
    if (mandate.createdAt > after(now, -STEADY_MS)) return null;
    const batch = await openBatch(trx, [subscription], {}, now);
    await requestReplacements(trx, deps, batch, [id]);
    await saveSubscriptions(trx, batch.changes().subscriptions);
    const replaced = batch.subscription(id) ?? subscription;
    return { subscription: replaced, mandate: await getCurrentMandate(trx, replaced) };
  });

/** The token that a mandate names, also where another contract is listed for it by now: its units are counted so. */
export async function tokenOf(db: Db, mandate: StoredMandate, { token }: CollectingToken): Promise<Token> {
  if (mandate.tokenContract === token.contract) return token;
  const recorded = await listRecordedTokens(db, mandate.network);
  return recorded.find(({ contract }) => contract === mandate.tokenContract) ?? token;
}
