import { type Mandate as ChainMandate, mandateId, mandateRef } from '../../chains/evm/collector.ts';
import type { CollectingToken } from '../plans/plan-network.ts';
import type { StoredMandate, Subscription } from '../records.ts';
import type { MandateTerms } from '../schedule/mandate-window.ts';

type Hex = `0x${string}`;

/** The mandate that asks a subscription's customer for these terms, as nobody has signed it yet. */
export function newMandate(
  subscription: Pick<Subscription, 'id' | 'wallet'>,
  { network, collector, token }: CollectingToken,
  terms: MandateTerms,
  now: Date,
): StoredMandate {
  const unnamed = {
    ...terms,
    subscriptionId: subscription.id,
    network: network.name,
    collector,
    payer: subscription.wallet,
    tokenContract: token.contract,
    ref: mandateRef(subscription.id),
    signature: null,
    submittedAt: null,
    relayedBy: null,
    authorizedAt: null,
    revokedAt: null,
    createdAt: now,
  };
  return { ...unnamed, id: mandateId(onChain(unnamed)) };
}

/** A mandate as the collector knows it. */
export const onChain = (mandate: Omit<StoredMandate, 'id'>): ChainMandate => ({
  payer: mandate.payer as Hex,
  token: mandate.tokenContract as Hex,
  maxPerPeriod: mandate.maxPerPeriod,
  period: mandate.period,
  start: mandate.start,
  end: mandate.end,
  carry: mandate.carry,
  ref: mandate.ref as Hex,
});

/** Whether the customer's signature is still wanted: the chain neither has the mandate nor has seen it withdrawn. */
export const isOpen = ({ authorizedAt, revokedAt }: StoredMandate): boolean =>
  authorizedAt === null && revokedAt === null;

/**
 * Whether it was signed and brought to the chain, which refused it although it had been asked before. Then no other signature of it is
 * brought there, and its customer agrees by a transaction of the wallet.
 */
export const isReverted = ({ relayedBy, signature }: StoredMandate): boolean =>
  relayedBy !== null && signature === null;
