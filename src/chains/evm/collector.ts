import {
  type Address,
  concatHex,
  domainSeparator,
  encodeAbiParameters,
  encodeFunctionData,
  getTypesForEIP712Domain,
  type Hex,
  hashStruct,
  hashTypedData,
  keccak256,
  numberToHex,
  serializeTypedData,
  slice,
  stringToBytes,
} from 'viem';
import { subscriptionCollector } from '../../../generated/contracts.ts';

const { abi } = subscriptionCollector;

/**
 * The terms that a payer agrees to. Amounts are in base units of the token, times in seconds (since 1970), `end` is the
 * first second too late.
 */
export type Mandate = {
  readonly payer: Address;
  readonly token: Address;
  readonly maxPerPeriod: bigint;
  readonly period: number;
  readonly start: number;
  readonly end: number;
  /** The most unused windows that are kept. */
  readonly carry: number;
  /** See `mandateRef`. */
  readonly ref: Hex;
};

/** One attempt at one payment. Numbers count from 1 within a mandate; every attempt at a payment has the same. */
export type Charge = { readonly mandate: Mandate; readonly amount: bigint; readonly number: number };

/** The most charges of one transaction: a failing one costs up to 65k gas, and EIP-7825 allows a transaction 16.7M. */
export const COLLECT_BATCH_MAX = 100;

/**
 * A mandate's reference to its subscription: keccak256 of the subscription's id in UTF-8, with its last four bytes
 * replaced by the number of the first charge. The collector takes no number that runs ahead of the windows begun since.
 */
export const mandateRef = (subscriptionId: string, firstNumber: number): Hex =>
  concatHex([slice(keccak256(stringToBytes(subscriptionId)), 0, 28), numberToHex(firstNumber, { size: 4 })]);

const MANDATE_TYPES = {
  Mandate: [
    { name: 'payer', type: 'address' },
    { name: 'token', type: 'address' },
    { name: 'maxPerPeriod', type: 'uint128' },
    { name: 'period', type: 'uint48' },
    { name: 'start', type: 'uint48' },
    { name: 'end', type: 'uint48' },
    { name: 'carry', type: 'uint8' },
    { name: 'ref', type: 'bytes32' },
  ],
} as const;

/** A collector's address and chain, which are part of everything that is signed for it. */
export type CollectorPlace = { readonly collector: Address; readonly chainId: number };

const domainOf = ({ collector, chainId }: CollectorPlace) =>
  ({ name: 'Kasi Subscriptions', version: '1', chainId, verifyingContract: collector }) as const;

/** The collector's EIP-712 domain separator. */
export const collectorDomain = (place: CollectorPlace): Hex => domainSeparator({ domain: domainOf(place) });

/** The mandate's id on the chain: its EIP-712 struct hash, the same on every chain. */
export const mandateId = (mandate: Mandate): Hex =>
  hashStruct({ primaryType: 'Mandate', types: MANDATE_TYPES, data: mandate });

/** The typed data that a payer signs to agree, for viem's `signTypedData`. */
export const mandateTypedData = (place: CollectorPlace, mandate: Mandate) =>
  ({ domain: domainOf(place), types: MANDATE_TYPES, primaryType: 'Mandate', message: mandate }) as const;

/** A mandate's terms as every call that charges by it contains them. */
export const mandateWords = (mandate: Mandate): Hex =>
  encodeAbiParameters([{ type: 'tuple', components: MANDATE_TYPES.Mandate }], [mandate]);

/**
 * The typed data as wallets take it (the second parameter of `eth_signTypedData_v4`): JSON, with amounts as
 * decimal strings.
 */
export function toSign(data: ReturnType<typeof mandateTypedData>): string {
  const types = { ...data.types, EIP712Domain: getTypesForEIP712Domain({ domain: data.domain }) };
  return serializeTypedData({ ...data, types } as never);
}

/** The digest that the payer's key signs. */
export const mandateDigest = (place: CollectorPlace, mandate: Mandate): Hex =>
  hashTypedData(mandateTypedData(place, mandate));

/** Calldata that brings a payer's agreement; any account may send it. */
export const encodeAuthorizeBySig = (mandate: Mandate, signature: Hex): Hex =>
  encodeFunctionData({ abi, functionName: 'authorizeBySig', args: [mandate, signature] });

/** Calldata by which the payer ends a mandate. */
export const encodeRevoke = (id: Hex): Hex => encodeFunctionData({ abi, functionName: 'revoke', args: [id] });

/** Calldata of the payer's own agreement, without a signature. */
export const encodeAuthorize = (mandate: Mandate): Hex =>
  encodeFunctionData({ abi, functionName: 'authorize', args: [mandate] });

/** Calldata of a batch of charges, at most COLLECT_BATCH_MAX; only the operator may send it. */
export const encodeCollectMany = (charges: readonly Charge[]): Hex =>
  encodeFunctionData({ abi, functionName: 'collectMany', args: [charges] });
