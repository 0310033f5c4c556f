import {
  type Address,
  encodeFunctionData,
  getTypesForEIP712Domain,
  type Hex,
  hashTypedData,
  keccak256,
  parseAbi,
  parseSignature,
  serializeTypedData,
  stringToBytes,
} from 'viem';
import { readContract, simulateContract } from 'viem/actions';
import type { JsonObject } from '../../lib/json.ts';
import type { Prospect, SignedTransfer, SignedTransfers } from '../../ports/signed-transfers.ts';
import { findRevert, isOutOfGas, openNetworkReader, type Reader } from './client.ts';
import type { EvmNetwork } from './network.ts';
import { isSignedByKey, normalizeSignature } from './signatures.ts';

/** ERC-3009, in the form that every version of USDC has. */
const ABI = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
]);

const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

/** Circle's token takes 86,000 the first time that an address gets some, and proxies of others a little more. */
const GAS = 130_000n;

/** Transfers of an EVM network that their senders sign. */
export function openEvmSignedTransfers(network: EvmNetwork): SignedTransfers {
  const reader = openNetworkReader(network);
  const dataOf = (transfer: SignedTransfer) => typedDataOf(network.chainId, transfer);
  return {
    nonceFor: (paymentId) => keccak256(stringToBytes(`kasi payment ${paymentId}`)),
    typedData: (transfer) => {
      const data = dataOf(transfer);
      const types = { ...data.types, EIP712Domain: getTypesForEIP712Domain({ domain: data.domain }) };
      return JSON.parse(serializeTypedData({ ...data, types } as never)) as JsonObject;
    },
    normalizeSignature: (signature) => normalizeSignature(signature as Hex),
    isSigned: (transfer, signature) =>
      isSignedByKey(transfer.from as Address, hashTypedData(dataOf(transfer)), signature as Hex),
    encode: (transfer, signature) => ({
      to: transfer.token.contract,
      data: encodeFunctionData({
        abi: ABI,
        functionName: 'transferWithAuthorization',
        args: argsOf(transfer, signature),
      }),
      gas: GAS,
    }),
    simulate: (transfer, signature, sender) => simulate(reader, transfer, signature, sender),
  };
}

function typedDataOf(chainId: number, transfer: SignedTransfer) {
  const { token, from, to, units, validAfter, validBefore, nonce } = transfer;
  return {
    domain: { ...token.authorization, chainId, verifyingContract: token.contract as Address },
    types: TYPES,
    primaryType: 'TransferWithAuthorization',
    message: {
      ...{ from: from as Address, to: to as Address, value: units },
      ...{ validAfter: BigInt(validAfter), validBefore: BigInt(validBefore), nonce: nonce as Hex },
    },
  } as const;
}

function argsOf({ from, to, units, validAfter, validBefore, nonce }: SignedTransfer, signature: string) {
  const { r, s, v } = parseSignature(signature as Hex);
  const period = [BigInt(validAfter), BigInt(validBefore)] as const;
  return [from as Address, to as Address, units, ...period, nonce as Hex, Number(v), r, s] as const;
}

async function simulate(
  reader: Reader,
  transfer: SignedTransfer,
  signature: string,
  sender: string,
): Promise<Prospect> {
  const { from, units, nonce } = transfer;
  const token = { address: transfer.token.contract as Address, abi: ABI } as const;
  const args = argsOf(transfer, signature);
  const sent = { account: sender as Address, gas: GAS };
  try {
    await simulateContract(reader, { ...token, functionName: 'transferWithAuthorization', args, ...sent });
    return 'passes';
  } catch (error) {
    if (findRevert(error) === undefined && !isOutOfGas(error)) throw error;
  }
  const authorizer = from as Address;
  const [spent, balance] = await Promise.all([
    readContract(reader, { ...token, functionName: 'authorizationState', args: [authorizer, nonce as Hex] }),
    readContract(reader, { ...token, functionName: 'balanceOf', args: [authorizer] }),
  ]);
  if (spent) return 'spent';
  return balance < units ? 'balance' : 'refused';
}
