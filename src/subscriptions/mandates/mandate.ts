import type { ChainMandate } from '../../ports/collector.ts';
import type { CollectingToken } from '../plans/plan.ts';
import type { Subscription } from '../queries.ts';
import type { MandateTerms } from '../schedule/mandate-window.ts';
import { shownStatus } from '../schedule/subscription-state.ts';

/** The purpose of an operator transaction that submits a signed mandate to the collector. */
export const RELAY_PURPOSE = 'authorize';

/** What a customer is asked to sign, or has signed. Hex in lower case. */
export type StoredMandate = MandateTerms & {
  /** The EIP-712 hash of the terms. */
  readonly id: string;
  readonly subscriptionId: string;
  readonly network: string;
  readonly collector: string;
  readonly payer: string;
  readonly tokenContract: string;
  readonly ref: string;
  readonly signature: string | null;
  readonly submittedAt: Date | null;
  /** The operator's transaction that relays it. */
  readonly relayedBy: string | null;
  readonly authorizedAt: Date | null;
  readonly revokedAt: Date | null;
  readonly createdAt: Date;
};

/** An unsigned mandate of a subscription, over these terms, whose windows begin with charge `firstNumber`. */
export function newMandate(
  subscription: Pick<Subscription, 'id' | 'wallet'>,
  { collector, token }: CollectingToken,
  terms: MandateTerms,
  firstNumber: number,
  now: Date,
): StoredMandate {
  const unnamed = {
    ...terms,
    subscriptionId: subscription.id,
    network: collector.network.name,
    collector: collector.address,
    payer: subscription.wallet,
    tokenContract: token.contract,
    ref: collector.mandateRef(subscription.id, firstNumber),
    signature: null,
    submittedAt: null,
    relayedBy: null,
    authorizedAt: null,
    revokedAt: null,
    createdAt: now,
  };
  return { ...unnamed, id: collector.mandateId(onChain(unnamed)) };
}

/** A mandate as the collector knows it. */
export const onChain = (mandate: Omit<StoredMandate, 'id'>): ChainMandate => ({
  payer: mandate.payer,
  token: mandate.tokenContract,
  maxPerPeriod: mandate.maxPerPeriod,
  period: mandate.period,
  start: mandate.start,
  end: mandate.end,
  carry: mandate.carry,
  ref: mandate.ref,
});

/**
 * Whether the customer is asked to sign: the subscription is alive, and the chain has neither the mandate nor a
 * revocation.
 */
export function isToSign(subscription: Subscription, { authorizedAt, revokedAt }: StoredMandate): boolean {
  const status = shownStatus(subscription);
  return status !== 'cancelled' && status !== 'expired' && authorizedAt === null && revokedAt === null;
}

/** Whether it names the contracts by which its token is collected now. */
export const isCurrent = (
  mandate: Pick<StoredMandate, 'collector' | 'tokenContract'>,
  { collector, token }: CollectingToken,
): boolean => mandate.collector === collector.address && mandate.tokenContract === token.contract;

/**
 * Whether the chain reverted its relay although the simulation had passed. No other signature of it is relayed then;
 * the customer agrees by a transaction of the wallet. See decision subscriptions/reverted-relay-is-final.
 */
export const isReverted = ({ relayedBy, signature }: StoredMandate): boolean =>
  relayedBy !== null && signature === null;
