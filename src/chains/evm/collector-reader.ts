import { type Address, erc20Abi, type Hex } from 'viem';
import { estimateContractGas, readContract, simulateContract } from 'viem/actions';
import { subscriptionCollector } from '../../../generated/contracts.ts';
import { min } from '../../lib/money.ts';
import type { CollectReason, MandateState } from '../../ports/collector.ts';
import { CollectorClosedError, reasonOf } from '../collector.ts';
import { findRevert, isReverted, type Reader } from './client.ts';
import { type Charge, type CollectorPlace, type Mandate, mandateDigest } from './collector.ts';
import { isSignedBy } from './signatures.ts';

const { abi } = subscriptionCollector;

/** The block to read at; the head by default. */
export type BlockChoice =
  | { readonly blockHash: Hex }
  | { readonly blockTag: 'latest' | 'pending' | 'safe' | 'finalized' };

const STATUSES = ['none', 'active', 'revoked'] as const;

/**
 * Reads what the chain knows of a payer's mandate. Rejects when the node does not answer, or does not have the block.
 */
export async function readMandateState(
  reader: Reader,
  collector: Address,
  payer: Address,
  id: Hex,
  at: BlockChoice = { blockTag: 'latest' },
): Promise<MandateState> {
  const contract = { address: collector, abi, functionName: 'state' } as const;
  const [status, window, lastNumber, available] = await readContract(reader, { ...contract, args: [payer, id], ...at });
  return { status: STATUSES[status] ?? 'revoked', window, lastNumber, available };
}

/** The collector's roles, and whether it is paused. */
export async function readCollector(
  reader: Reader,
  collector: Address,
): Promise<{
  readonly operator: Address;
  readonly proposedOperator: Address;
  readonly owner: Address;
  readonly paused: boolean;
}> {
  const read = <const N extends 'operator' | 'proposedOperator' | 'owner' | 'paused'>(functionName: N) =>
    readContract(reader, { address: collector, abi, functionName });
  const [operator, proposedOperator, owner, paused] = await Promise.all([
    read('operator'),
    read('proposedOperator'),
    read('owner'),
    read('paused'),
  ]);
  return { operator, proposedOperator, owner, paused };
}

/**
 * What would become of each charge if the operator sent them now, in their order: the very call, not sent. Throws
 * CollectorClosedError when the collector takes none at all; rejects when the node does not answer.
 */
export async function previewCollectMany(
  reader: Reader,
  collector: Address,
  operator: Address,
  charges: readonly Charge[],
): Promise<CollectReason[]> {
  const call = { address: collector, abi, functionName: 'collectMany', args: [charges], account: operator } as const;
  try {
    return (await simulateContract(reader, call)).result.map(reasonOf);
  } catch (error) {
    const revert = findRevert(error);
    if (revert?.data?.errorName === 'EnforcedPause') throw new CollectorClosedError('paused');
    if (revert?.data?.errorName === 'NotOperator') throw new CollectorClosedError('not_operator');
    throw error;
  }
}

/**
 * What a node thinks that these charges need, sent together by the operator now. Rejects when the node does not answer.
 */
export const estimateCollectMany = (
  reader: Reader,
  collector: Address,
  operator: Address,
  charges: readonly Charge[],
): Promise<bigint> =>
  estimateContractGas(reader, {
    address: collector,
    abi,
    functionName: 'collectMany',
    args: [charges],
    account: operator,
  });

/** The sender and the gas of a call: a wallet with code may answer differently to others, or need more. */
export type SentAs = { readonly account: Address; readonly gas: bigint };

/** Whether the collector would take a payer's agreement now, sent so; rejects when the node does not answer. */
export async function simulateAuthorization(
  reader: Reader,
  collector: Address,
  mandate: Mandate,
  signature: Hex,
  sentAs: SentAs,
): Promise<boolean> {
  const args = [mandate, signature] as const;
  const call = { address: collector, abi, functionName: 'authorizeBySig', args, ...sentAs } as const;
  try {
    await simulateContract(reader, call);
    return true;
  } catch (error) {
    if (isReverted(error)) return false;
    throw error;
  }
}

/** The gas that a node thinks a payer's agreement takes, sent so; rejects when it would be refused. */
export const estimateAuthorization = (
  reader: Reader,
  collector: Address,
  mandate: Mandate,
  signature: Hex,
  sentAs: SentAs,
): Promise<bigint> =>
  estimateContractGas(reader, {
    ...{ address: collector, abi, functionName: 'authorizeBySig', args: [mandate, signature] },
    ...sentAs,
  });

/** What a spender could take of a holder's token: of balance and allowance the lesser. */
export async function readFunds(reader: Reader, token: Address, holder: Address, spender: Address): Promise<bigint> {
  const contract = { address: token, abi: erc20Abi } as const;
  const [balance, allowance] = await Promise.all([
    readContract(reader, { ...contract, functionName: 'balanceOf', args: [holder] }),
    readContract(reader, { ...contract, functionName: 'allowance', args: [holder, spender] }),
  ]);
  return min(balance, allowance);
}

/**
 * Whether the collector would take this as the payer's agreement at present: the payer's key signed it, or else the
 * payer's account has code that says so (ERC-1271). Only in the second case is the node asked; rejects when it does not
 * answer. See decision chains/evm/key-before-code.
 */
export const verifyMandateSignature = (
  reader: Reader,
  place: CollectorPlace,
  mandate: Mandate,
  signature: Hex,
): Promise<boolean> => isSignedBy(reader, mandate.payer, mandateDigest(place, mandate), signature);
