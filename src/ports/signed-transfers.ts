import type { JsonObject } from '../lib/json.ts';
import type { Token } from './chain.ts';
import type { ContractCall } from './operator.ts';

/** A transfer that its sender signs and somebody else brings to the chain (ERC-3009). Addresses and nonce are hex. */
export type SignedTransfer = {
  readonly token: Token & Required<Pick<Token, 'authorization'>>;
  readonly from: string;
  readonly to: string;
  readonly units: bigint;
  /** Seconds since 1970: the last one too early, and the first one too late. */
  readonly validAfter: number;
  readonly validBefore: number;
  /** Of all transfers of `from` with the same number, the token executes one. 32 bytes. */
  readonly nonce: string;
};

/** What would become of a signed transfer if it were sent now. */
export type Prospect = 'passes' | 'balance' | 'spent' | 'refused';

/** How transfers are signed and sent on one network. What returns a promise may ask the node. */
export type SignedTransfers = {
  /** The number that transfers for this payment have: 32 bytes in hex. */
  readonly nonceFor: (paymentId: string) => string;
  /** What the sender's wallet is asked to sign (`eth_signTypedData_v4`), numbers as decimal strings. */
  readonly typedData: (transfer: SignedTransfer) => JsonObject;
  /** A signature as the token takes it; some wallets write it differently. */
  readonly normalizeSignature: (signature: string) => string;
  /** Whether the key of `from` has signed the transfer. Asks no node. */
  readonly isSigned: (transfer: SignedTransfer, signature: string) => Promise<boolean>;
  /** The call by which an account of ours brings it to the chain; its gas is the most that it can cost. */
  readonly encode: (transfer: SignedTransfer, signature: string) => ContractCall;
  /** What would become of it, sent by `sender` now. Rejects when the node does not answer. */
  readonly simulate: (transfer: SignedTransfer, signature: string, sender: string) => Promise<Prospect>;
};
