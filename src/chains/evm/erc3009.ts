import { type Address, encodeFunctionData, type Hex, parseAbi, parseSignature } from 'viem';
import { readContract } from 'viem/actions';
import type { ContractCall } from '../../ports/operator.ts';
import type { Prospect, Signatures, SignedTransfer, Standing } from '../../ports/signed-transfers.ts';
import { hasCode, type Reader } from './client.ts';
import { tryCall } from './trial.ts';

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

/** What is signed for the token's own contract. */
export function authorizationData(chainId: number, transfer: SignedTransfer) {
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

/** The call that brings it to the chain. */
export function encodeAuthorization(transfer: SignedTransfer, signed: Signatures): ContractCall {
  const args = argsOf(transfer, signed);
  return {
    to: transfer.token.contract,
    data: encodeFunctionData({ abi: ABI, functionName: 'transferWithAuthorization', args }),
    gas: GAS,
  };
}

function argsOf({ from, to, units, validAfter, validBefore, nonce }: SignedTransfer, { signature }: Signatures) {
  const { r, s, v } = parseSignature(signature as Hex);
  const period = [BigInt(validAfter), BigInt(validBefore)] as const;
  return [from as Address, to as Address, units, ...period, nonce as Hex, Number(v), r, s] as const;
}

/** What would become of it, sent by `sender` now. Rejects when the node does not answer. */
export async function simulateAuthorization(
  reader: Reader,
  transfer: SignedTransfer,
  signed: Signatures,
  sender: string,
): Promise<Prospect> {
  const { from, units, nonce } = transfer;
  const authorizer = from as Address;
  const token = { address: transfer.token.contract as Address, abi: ABI } as const;
  const call = { args: argsOf(transfer, signed), account: sender as Address, gas: GAS };
  const tried = await tryCall(reader, authorizer, { ...token, functionName: 'transferWithAuthorization', ...call });
  if (tried !== null) return tried;
  const [spent, balance] = await Promise.all([
    readContract(reader, { ...token, functionName: 'authorizationState', args: [authorizer, nonce as Hex] }),
    readContract(reader, { ...token, functionName: 'balanceOf', args: [authorizer] }),
  ]);
  if (spent) return 'spent';
  return balance < units ? 'balance' : 'refused';
}

/** Whether the sender's word is enough. Rejects when the node does not answer. */
export const findAuthorizationStanding = async (reader: Reader, { from }: SignedTransfer): Promise<Standing> => ({
  kind: (await hasCode(reader, from as Address)) ? 'contract' : 'ready',
});
