import type { components } from '../../generated/api.ts';
import type { OperatorTransaction } from '../chains/operator/queries.ts';
import type { Signatures, SignMethod } from '../ports/signed-transfers.ts';

/** The purpose of an operator transaction that brings a payer's signed transfer to the chain. */
export const RELAY_PURPOSE = 'payment.relay';

export type RelayStatus = Exclude<components['schemas']['RelayStatus'], 'to_approve' | 'to_sign'>;
export type RelayReason = components['schemas']['RelayReason'];

/** What a payer has signed. Addresses, number and signature are lower-case hex. */
export type SignedTerms = {
  readonly network: string;
  /** The token. */
  readonly contract: string;
  /** By which contract it is moved: that of the token, or Permit2. */
  readonly method: SignMethod;
  readonly payer: string;
  /** The payment's deposit address. */
  readonly recipient: string;
  readonly units: bigint;
  /** In seconds since 1970: the last one too early (of Permit2 the first good one), and the first one too late. */
  readonly validAfter: number;
  readonly validBefore: number;
  /** The transfer's number, 32 bytes. */
  readonly nonce: string;
};

/** A signed transfer of a payment; a payment has one at most. */
export type Relay = SignedTerms &
  Signatures & {
    readonly paymentId: string;
    readonly merchantId: string;
    readonly status: RelayStatus;
    /** Why it is `refused`. */
    readonly reason: RelayReason | null;
    /** The transaction of ours that carries it. */
    readonly sentBy: string | null;
  };

/** What a step changes. */
export type RelayState = Pick<Relay, 'status' | 'reason' | 'sentBy'>;

/**
 * The state after news of the transaction that carries it. One that was dropped is decided about anew; what a reorg
 * takes back is on its way again.
 */
export function follow({
  id,
  status,
  succeeded,
}: Pick<OperatorTransaction, 'id' | 'status' | 'succeeded'>): RelayState {
  if (status === 'dropped') return { status: 'signed', reason: null, sentBy: null };
  if (succeeded === false) return { status: 'reverted', reason: null, sentBy: id };
  return { status: status === 'confirmed' ? 'done' : 'sent', reason: null, sentBy: id };
}

/** Whether nothing else may be signed for its payment meanwhile. */
export const isOnItsWay = ({ status }: RelayState): boolean => status !== 'refused' && status !== 'reverted';
