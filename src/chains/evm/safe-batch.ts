import { type Address, encodeFunctionData, erc20Abi, getAddress } from 'viem';
import { invalidField } from '../../lib/errors.ts';
import type { PayoutFile, PayoutOrder, PayoutToSign } from '../../ports/chain-kind.ts';
import type { EvmNetwork } from './network.ts';

/**
 * Payouts as the Transaction Builder of a Safe reads them: a JSON file of version 1.0, which its app writes and reads.
 * The optional checksum is left out: it is of the app's own making and says nothing about who wrote the file.
 */
export async function writeSafeBatch(network: EvmNetwork, order: PayoutOrder): Promise<PayoutFile> {
  const { payouts, at, feeRate } = order;
  if (feeRate !== null) throw invalidField('feeRate', `is none of ${network.name}: whoever signs sets the fee`);
  if (payouts.length === 0) return { safe: null, psbt: null };
  const count = payouts.length === 1 ? '1 payout' : `${payouts.length} payouts`;
  const meta = { name: `Payouts on ${network.name}`, description: `${count}, exported ${at.toISOString()}` };
  const transactions = payouts.map(toTransaction);
  const chainId = String(network.chainId);
  return { safe: { version: '1.0', chainId, createdAt: at.getTime(), meta, transactions }, psbt: null };
}

const toTransaction = ({ contract, destination, units }: PayoutToSign) =>
  contract === null
    ? { to: getAddress(destination), value: String(units), data: '0x' }
    : { to: getAddress(contract), value: '0', data: transferOf(destination, units) };

const transferOf = (to: string, units: bigint) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [getAddress(to) as Address, units] });
