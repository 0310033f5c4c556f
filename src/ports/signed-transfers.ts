import type { JsonObject } from '../lib/json.ts';
import type { Token } from './chain.ts';
import type { ContractCall } from './operator.ts';

/** By which contract a signed transfer is made: the token's own (ERC-3009), or Permit2, which moves approved tokens. */
export type SignMethod = 'erc3009' | 'permit2';

/** A transfer that its sender signs and somebody else brings to the chain. Addresses and nonce are hex. */
export type SignedTransfer = {
  readonly token: Token;
  readonly method: SignMethod;
  readonly from: string;
  readonly to: string;
  readonly units: bigint;
  /** Seconds since 1970. With Permit2 the first one that is good, otherwise the last one too early. */
  readonly validAfter: number;
  /** The first one too late. */
  readonly validBefore: number;
  /** Of all transfers of `from` with the same number, one is executed. 32 bytes. */
  readonly nonce: string;
};

/** An allowance that the sender signs (ERC-2612), so that Permit2 may move just what the transfer does. */
export type SignedPermit = {
  /** Seconds since 1970, the last one that is good. */
  readonly deadline: number;
  readonly signature: string;
};

/** What a sender has signed. */
export type Signatures = { readonly signature: string; readonly permit: SignedPermit | null };

/** What would become of a signed transfer if it were sent now. `dear`: it takes more gas now than it is given. */
export type Prospect = 'passes' | 'dear' | 'balance' | 'spent' | 'allowance' | 'wallet' | 'refused';

/**
 * Whether a transfer of a wallet can be made: its word is enough; it first has to sign an allowance, with this number;
 * it first has to approve by a transaction of its own; or it is a contract, whose signatures are not taken.
 */
export type Standing =
  | { readonly kind: 'ready' | 'to_approve' | 'contract' }
  | { readonly kind: 'to_permit'; readonly nonce: bigint };

/** How transfers are signed and sent on one network. What returns a promise may ask the node. */
export type SignedTransfers = {
  /** The number that transfers for this payment have: 32 bytes in hex. */
  readonly nonceFor: (paymentId: string) => string;
  /** What the sender's wallet is asked to sign (`eth_signTypedData_v4`), numbers as decimal strings. */
  readonly typedData: (transfer: SignedTransfer) => JsonObject;
  /** What it is asked to sign besides, so that Permit2 may move what the transfer does. */
  readonly permitTypedData: (transfer: SignedTransfer, nonce: bigint) => JsonObject;
  /** A signature as contracts take it; some wallets write it differently. */
  readonly normalizeSignature: (signature: string) => string;
  /** Whether the key of `from` has signed the transfer. Asks no node. */
  readonly isSigned: (transfer: SignedTransfer, signature: string) => Promise<boolean>;
  /** Whether the key of `from` has signed the allowance with this number. Asks no node. */
  readonly isPermitSigned: (transfer: SignedTransfer, permit: SignedPermit, nonce: bigint) => Promise<boolean>;
  /** Whether `from` can have the transfer made by a signature. Rejects when the node does not answer. */
  readonly findStanding: (transfer: SignedTransfer) => Promise<Standing>;
  /** The call by which an account of ours brings it to the chain; its gas is the most that it can cost. */
  readonly encode: (transfer: SignedTransfer, signed: Signatures) => ContractCall;
  /** What would become of it, sent by `sender` now. Rejects when the node does not answer. */
  readonly simulate: (transfer: SignedTransfer, signed: Signatures, sender: string) => Promise<Prospect>;
};
