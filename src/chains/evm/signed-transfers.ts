import {
  type Address,
  getTypesForEIP712Domain,
  type Hex,
  hashTypedData,
  keccak256,
  maxUint256,
  serializeTypedData,
  stringToBytes,
  type TypedDataDefinition,
} from 'viem';
import type { JsonObject } from '../../lib/json.ts';
import type { SignedTransfer, SignedTransfers } from '../../ports/signed-transfers.ts';
import { openNetworkReader } from './client.ts';
import { authorizationData, encodeAuthorization, findAuthorizationStanding, simulateAuthorization } from './erc3009.ts';
import type { EvmNetwork } from './network.ts';
import { encodePermit2, findPermit2Standing, permit2Data, permitData, simulatePermit2 } from './permit2.ts';
import { isSignedByKey, normalizeSignature } from './signatures.ts';

/** Transfers of an EVM network that their senders sign. */
export function openEvmSignedTransfers(network: EvmNetwork): SignedTransfers {
  const reader = openNetworkReader(network);
  const { chainId } = network;
  const dataOf = (transfer: SignedTransfer): TypedDataDefinition =>
    transfer.method === 'permit2' ? permit2Data(chainId, transfer) : authorizationData(chainId, transfer);
  return {
    nonceFor: (paymentId) => keccak256(stringToBytes(`kasi payment ${paymentId}`)),
    typedData: (transfer) => asJson(dataOf(transfer)),
    permitTypedData: (transfer, nonce) => asJson(permitData(chainId, transfer, nonce)),
    normalizeSignature: (signature) => normalizeSignature(signature as Hex),
    isSigned: (transfer, signature) =>
      isSignedByKey(transfer.from as Address, hashTypedData(dataOf(transfer)), signature as Hex),
    isPermitSigned: async (transfer, { deadline, signature }, nonce) => {
      if (nonce > maxUint256) return false;
      const digest = hashTypedData(permitData(chainId, transfer, nonce, deadline));
      return isSignedByKey(transfer.from as Address, digest, signature as Hex);
    },
    findStanding: (transfer) =>
      (transfer.method === 'permit2' ? findPermit2Standing : findAuthorizationStanding)(reader, transfer),
    encode: (transfer, signed) =>
      transfer.method === 'permit2' ? encodePermit2(transfer, signed) : encodeAuthorization(transfer, signed),
    simulate: (transfer, signed, sender) =>
      (transfer.method === 'permit2' ? simulatePermit2 : simulateAuthorization)(reader, transfer, signed, sender),
  };
}

/** Typed data as wallets take it: with the type of its domain, numbers as decimal strings. */
function asJson(data: TypedDataDefinition): JsonObject {
  const types = { ...data.types, EIP712Domain: getTypesForEIP712Domain({ domain: data.domain }) };
  return JSON.parse(serializeTypedData({ ...data, types } as never)) as JsonObject;
}
