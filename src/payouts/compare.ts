import { findFinalHeight } from '../chains/second-look.ts';
import { describeTestimony, finalOpinionOf, isOnlyEarly } from '../chains/testimony.ts';
import type { Db } from '../lib/db-types.ts';
import { formatCents, MICRO_PER_CENT } from '../lib/money.ts';
import type { Network } from '../ports/chain.ts';
import type { Chains } from '../ports/chain-kind.ts';
import { listSeen } from './lost-queries.ts';
import { nameOf } from './payout.ts';
import { comparable, everShown, listPayouts, sumNotFinalElsewhere } from './review-queries.ts';

export type PayoutComparisonDeps = { readonly db: Db; readonly chains: Pick<Chains, 'openWitness'> };

/** One payout that the chain does not have as it should. */
export type PayoutDifference = { readonly rule: string; readonly subject: string; readonly message: string };

export type PayoutComparison = { readonly payouts: number; readonly differences: readonly PayoutDifference[] };

type Options = {
  /** Business time. */
  readonly now: Date;
  readonly signal?: AbortSignal;
  /** Looks for every payout that was ever verified. */
  readonly all?: boolean;
};

/**
 * Looks on a network's chain for the payouts of what was completed, in blocks that are final: those that were not
 * seen there yet, and those of the last days again. Names what was taken back and is there after all. Changes nothing.
 */
export async function comparePayouts(
  { db, chains }: PayoutComparisonDeps,
  network: Network,
  { now, signal, all = false }: Options,
): Promise<PayoutComparison> {
  const witness = chains.openWitness(network);
  const finalHeight = witness && (await findFinalHeight(db, { network, witness }));
  if (!witness || finalHeight === undefined || finalHeight === null) return { payouts: 0, differences: [] };
  const choice = all ? everShown : comparable(finalHeight, now);
  const differences: PayoutDifference[] = (await listSeen(db, network.name)).map((lost) => ({
    rule: 'chain.payout',
    subject: lost.payoutId,
    message: `Payout ${lost.txHash} was taken back and is on the chain after all, and completes nothing: ${lost.sighting}`,
  }));
  let [payouts, unheard] = [0, 0];
  for await (const page of listPayouts(db, network, choice, signal)) {
    const asked = page.map(async (payout) => ({ payout, testimony: await witness.askPayout(payout, finalHeight) }));
    for (const { payout, testimony } of await Promise.all(asked)) {
      payouts += 1;
      if (testimony.agree.length + testimony.deny.length === 0) unheard += 1;
      if (finalOpinionOf(testimony) === 'there' || isOnlyEarly(testimony)) continue;
      const message = `${nameOf(payout)}, is not on the chain as it should be: ${describeTestimony(testimony)}`;
      differences.push({ rule: 'chain.payout', subject: payout.id, message });
    }
  }
  signal?.throwIfAborted();
  if (payouts > 0 && unheard === payouts) {
    const message = `no endpoint says anything about any of ${payouts} payouts, so they are not compared`;
    differences.push({ rule: 'chain.payout', subject: network.name, message });
  }
  return { payouts, differences };
}

/** Payouts that may still vanish and can't be asked about: the network is not listed, or the contract is unknown. */
export async function findUnlistedPayouts(
  { db }: Pick<PayoutComparisonDeps, 'db'>,
  networks: readonly Network[],
): Promise<PayoutDifference[]> {
  const found = await sumNotFinalElsewhere(db, networks);
  return found.map(({ network, token, payouts, micro }) => ({
    rule: 'chain.unlisted',
    subject: network,
    message:
      `${payouts} payouts of ${token}, ${formatCents(micro / MICRO_PER_CENT)} USD in all, were never seen in a final block of this network, ` +
      'which is not configured, or not with that token: list it again until they are',
  }));
}
