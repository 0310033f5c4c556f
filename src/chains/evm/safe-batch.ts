import { type Address, encodeFunctionData, erc20Abi, getAddress } from 'viem';
import type { PayoutFileFacts, PayoutToSign, SafeBatch } from '../../ports/chain-kind.ts';
import type { EvmNetwork } from './network.ts';

/**
 * Payouts as the Transaction Builder of a Safe reads them: a JSON file of version 1.0, which its app writes and reads.
 * The optional checksum is left out: it is of the app's own making and says nothing about who wrote the file.
 */
export const safeBatch = (
  { chainId }: EvmNetwork,
  payouts: readonly PayoutToSign[],
  { name, description, at }: PayoutFileFacts,
): SafeBatch => ({
  version: '1.0',
  chainId: String(chainId),
  createdAt: at.getTime(),
  meta: { name, description },
  transactions: payouts.map(({ contract, destination, units }) =>
    contract === null
      ? { to: getAddress(destination), value: String(units), data: '0x' }
      : { to: getAddress(contract), value: '0', data: transferOf(destination, units) },
  ),
});

const transferOf = (to: string, units: bigint) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [getAddress(to) as Address, units] });
