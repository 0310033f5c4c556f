import { listRecordedTokens } from '../deployment/unlisted.ts';
import type { Db } from '../lib/db-types.ts';
import type { CheckPayout } from '../ports/chain.ts';
import type { Settings } from '../settings/settings.ts';
import { type PayoutFacts, verifyPayout } from './check.ts';
import { listLostWith, noteHeldBy } from './lost-queries.ts';
import { holdersOfLost, listTaken, type Place } from './transfers.ts';

type Deps = { readonly db: Db; readonly checkPayout: CheckPayout };

/** A payout that its transaction has nothing left for, as the chain has just shown. */
type Refused = { readonly place: Place; readonly facts: PayoutFacts; readonly settings: Settings };

/**
 * Notes, and returns whether, other payouts have by now what a transaction moved for a lost one. The lost one could not
 * end without that: it awaits that transaction, which has nothing left. See decision payouts/lost-is-not-forgotten.
 */
export async function noteHolders(deps: Deps, { place, facts, settings }: Refused): Promise<boolean> {
  const { payoutId, network, txHash } = place;
  const lost = await listLostWith(deps.db, payoutId, txHash);
  if (lost.length === 0) return false;
  // Who may send by now says nothing about what paid it then.
  const shown = await verifyPayout(deps, facts, txHash, { ...settings, payoutWallets: [] });
  if (shown === null) return false;
  const { symbol, contract } = shown.asset;
  const ever = await listRecordedTokens(deps.db, network);
  const isAlone = ever.every((each) => each.symbol !== symbol || each.contract === contract);
  const rows = await listTaken(deps.db, place);
  let isNoted = false;
  for (const { revert, transfers, contract: paidIn } of lost) {
    if (transfers === null || !(paidIn === null ? isAlone : paidIn === contract)) continue;
    const holders = holdersOfLost(shown, place, transfers, rows);
    if (holders === null) continue;
    await noteHeldBy(deps.db, payoutId, revert, holders);
    isNoted = true;
  }
  return isNoted;
}
