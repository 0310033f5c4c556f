import type { Address } from 'viem';
import { estimateContractGas, simulateContract } from 'viem/actions';
import { hasCode, isReverted, type Reader } from './client.ts';

/** A contract's function with its arguments, who sends it, and the gas that it is given. */
export type Attempt = Parameters<typeof simulateContract>[1] & { readonly gas: bigint };

/**
 * What would become of a call that carries what `signer` has signed; null when the chain would not carry it out.
 * Rejects when the node does not answer.
 */
export async function tryCall(
  reader: Reader,
  signer: Address,
  { gas, ...call }: Attempt,
): Promise<'passes' | 'dear' | 'wallet' | null> {
  // Permit2, and USDC since its version 2.2, would ask the code of such a wallet: see decision relays/keys-only.
  if (await hasCode(reader, signer)) return 'wallet';
  try {
    await simulateContract(reader, { ...call, gas });
    // Only an estimate says what a network's gas also pays for.
    const work = await estimateContractGas(reader, call as Parameters<typeof estimateContractGas>[1]);
    return work > gas ? 'dear' : 'passes';
  } catch (error) {
    if (!isReverted(error)) throw error;
    return null;
  }
}
