import { type Address, encodeFunctionData, type Hex, parseAbi, parseSignature } from 'viem';
import { readContract } from 'viem/actions';
import type { ContractCall } from '../../ports/operator.ts';
import type { Prospect, Signatures, SignedTransfer, Standing } from '../../ports/signed-transfers.ts';
import { hasCode, type Reader } from './client.ts';
import { PERMIT2, permit2Domain, TRANSFER_PROXY } from './permit2-deployment.ts';
import { type Attempt, tryCall } from './trial.ts';

/** The proxy that x402 has for its scheme `exact`: it moves all that is signed, to the witness's `to`. */
const PROXY_ABI = parseAbi([
  'struct TokenPermissions { address token; uint256 amount; }',
  'struct PermitTransferFrom { TokenPermissions permitted; uint256 nonce; uint256 deadline; }',
  'struct Witness { address to; uint256 validAfter; }',
  'struct EIP2612Permit { uint256 value; uint256 deadline; bytes32 r; bytes32 s; uint8 v; }',
  'function settle(PermitTransferFrom permit, address owner, Witness witness, bytes signature)',
  'function settleWithPermit(EIP2612Permit permit2612, PermitTransferFrom permit, address owner, Witness witness, bytes signature)',
]);
const PERMIT2_ABI = parseAbi(['function nonceBitmap(address owner, uint256 wordPosition) view returns (uint256)']);
const TOKEN_ABI = parseAbi([
  'function balanceOf(address account) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function nonces(address owner) view returns (uint256)',
]);

const TYPES = {
  PermitWitnessTransferFrom: [
    { name: 'permitted', type: 'TokenPermissions' },
    { name: 'spender', type: 'address' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
    { name: 'witness', type: 'Witness' },
  ],
  TokenPermissions: [
    { name: 'token', type: 'address' },
    { name: 'amount', type: 'uint256' },
  ],
  Witness: [
    { name: 'to', type: 'address' },
    { name: 'validAfter', type: 'uint256' },
  ],
} as const;

const PERMIT_TYPES = {
  Permit: [
    { name: 'owner', type: 'address' },
    { name: 'spender', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const;

/** Of a transfer, and of the allowance before it. Proxied tokens take more than the sandbox's. */
const GAS = 180_000n;
const PERMIT_GAS = 80_000n;

/** What is signed for Permit2: who may use it, and who gets all of it. */
export const permit2Data = (chainId: number, transfer: SignedTransfer) =>
  ({
    domain: permit2Domain(chainId),
    types: TYPES,
    primaryType: 'PermitWitnessTransferFrom',
    message: { ...permitOf(transfer), spender: TRANSFER_PROXY, witness: witnessOf(transfer) },
  }) as const;

/** What is signed for the token besides, where Permit2 may not move it yet: just as much, and as long. */
export const permitData = (chainId: number, transfer: SignedTransfer, nonce: bigint, deadline = deadlineOf(transfer)) =>
  ({
    domain: { ...transfer.token.permit, chainId, verifyingContract: transfer.token.contract as Address },
    types: PERMIT_TYPES,
    primaryType: 'Permit',
    message: {
      ...{ owner: transfer.from as Address, spender: PERMIT2, value: transfer.units },
      ...{ nonce, deadline: BigInt(deadline) },
    },
  }) as const;

/** The last second at which contracts take what is signed. */
const deadlineOf = ({ validBefore }: SignedTransfer): number => validBefore - 1;

const permitOf = (transfer: SignedTransfer) => ({
  permitted: { token: transfer.token.contract as Address, amount: transfer.units },
  nonce: BigInt(transfer.nonce),
  deadline: BigInt(deadlineOf(transfer)),
});
const witnessOf = ({ to, validAfter }: SignedTransfer) => ({ to: to as Address, validAfter: BigInt(validAfter) });

/** The call of the proxy: with an allowance, or without. */
function callOf(transfer: SignedTransfer, { signature, permit }: Signatures) {
  const rest = [permitOf(transfer), transfer.from as Address, witnessOf(transfer), signature as Hex] as const;
  const proxy = { address: TRANSFER_PROXY, abi: PROXY_ABI } as const;
  if (permit === null) return { ...proxy, functionName: 'settle', args: rest, gas: GAS } as const;
  const { r, s, v } = parseSignature(permit.signature as Hex);
  const allowance = { value: transfer.units, deadline: BigInt(permit.deadline), r, s, v: Number(v) };
  return {
    ...{ ...proxy, functionName: 'settleWithPermit', gas: GAS + PERMIT_GAS },
    args: [allowance, ...rest],
  } as const;
}

/** The call that brings it to the chain, with the allowance where there is one. */
export function encodePermit2(transfer: SignedTransfer, signed: Signatures): ContractCall {
  const { gas, ...call } = callOf(transfer, signed);
  return { to: TRANSFER_PROXY, data: encodeFunctionData(call as Parameters<typeof encodeFunctionData>[0]), gas };
}

/** What would become of it, sent by `sender` now. Rejects when the node does not answer. */
export async function simulatePermit2(
  reader: Reader,
  transfer: SignedTransfer,
  signed: Signatures,
  sender: string,
): Promise<Prospect> {
  const from = transfer.from as Address;
  const tried = await tryCall(reader, from, { ...callOf(transfer, signed), account: sender as Address } as Attempt);
  if (tried !== null) return tried;
  const nonce = BigInt(transfer.nonce);
  const [bits, balance, allowance] = await Promise.all([
    readContract(reader, {
      ...{ address: PERMIT2, abi: PERMIT2_ABI, functionName: 'nonceBitmap', args: [from, nonce >> 8n] },
    }),
    readContract(reader, { ...tokenOf(transfer), functionName: 'balanceOf', args: [from] }),
    readContract(reader, { ...tokenOf(transfer), functionName: 'allowance', args: [from, PERMIT2] }),
  ]);
  if ((bits >> (nonce & 0xffn)) & 1n) return 'spent';
  if (balance < transfer.units) return 'balance';
  return allowance < transfer.units ? 'allowance' : 'refused';
}

/** Whether Permit2 may move what the transfer does, and what can be done where it may not. */
export async function findPermit2Standing(reader: Reader, transfer: SignedTransfer): Promise<Standing> {
  const from = transfer.from as Address;
  const token = tokenOf(transfer);
  const [isContract, allowance] = await Promise.all([
    hasCode(reader, from),
    readContract(reader, { ...token, functionName: 'allowance', args: [from, PERMIT2] }),
  ]);
  if (isContract) return { kind: 'contract' };
  if (allowance >= transfer.units) return { kind: 'ready' };
  if (transfer.token.permit === undefined) return { kind: 'to_approve' };
  return { kind: 'to_permit', nonce: await readContract(reader, { ...token, functionName: 'nonces', args: [from] }) };
}

const tokenOf = ({ token }: SignedTransfer) => ({ address: token.contract as Address, abi: TOKEN_ABI }) as const;
