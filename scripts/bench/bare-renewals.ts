import { type Address, createClient as createChainClient, type Hex, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { getBlockNumber, getTransactionCount, getTransactionReceipt, sendRawTransaction } from 'viem/actions';
import { COLLECT_BATCH_MAX, encodeCollectMany, type Mandate } from '../../src/chains/evm/collector.ts';
import type { EvmNetwork } from '../../src/chains/evm/network.ts';
import { sandboxOperatorKey } from '../../src/sandbox/network.ts';
import { onChain } from '../../src/subscriptions/mandates/mandate.ts';
import { until } from '../lib/wait.ts';
import { CROWD_PRICE_UNITS, type Crowd } from './crowd.ts';

const GAS = 10_100_000n;
const WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 10;

/**
 * Collects from a crowd without keeping any records: the same calls in batches of 100, signed and sent all at once.
 * Resolves with the height of the last block that includes one of them.
 */
export async function collectBare(network: EvmNetwork, { mandates }: Crowd): Promise<bigint> {
  const { address, signTransaction } = privateKeyToAccount(sandboxOperatorKey() as Hex);
  const client = createChainClient({ transport: http(network.rpcUrl) });
  const first = await getTransactionCount(client, { address, blockTag: 'pending' });
  const batches = Array.from({ length: Math.ceil(mandates.length / COLLECT_BATCH_MAX) }, (_, i) =>
    mandates.slice(i * COLLECT_BATCH_MAX, (i + 1) * COLLECT_BATCH_MAX),
  );
  const hashes = await Promise.all(
    batches.map(async (batch, i) => {
      const charges = batch.map((mandate) => ({
        mandate: onChain(mandate) as Mandate,
        amount: CROWD_PRICE_UNITS,
        number: 2,
      }));
      const serializedTransaction = await signTransaction({
        ...{ type: 'eip1559', chainId: network.chainId, nonce: first + i, to: network.collector as Address },
        ...{ data: encodeCollectMany(charges), gas: GAS },
        ...{ maxFeePerGas: 20_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n },
      });
      return sendRawTransaction(client, { serializedTransaction });
    }),
  );
  // Wait for the last receipt; the others come before it. The node counts a transaction some moments before its receipt
  // is there.
  const isMined = () => getTransactionReceipt(client, { hash: hashes.at(-1) as Hex }).then(Boolean, () => false);
  await until('the node collects', WITHIN_MS, isMined, LOOK_EVERY_MS);
  const receipts = await Promise.all(hashes.map((hash) => getTransactionReceipt(client, { hash })));
  const logs = receipts.reduce((sum, receipt) => sum + receipt.logs.length, 0);
  if (logs !== 2 * mandates.length) throw new Error('the node did not collect');
  return receipts.at(-1)?.blockNumber ?? 0n;
}

/** Resolves once a block has `confirmations`, its own included. */
export async function waitUntilDeep(network: EvmNetwork, height: bigint, confirmations: number): Promise<void> {
  const client = createChainClient({ transport: http(network.rpcUrl) });
  const deep = height + BigInt(confirmations) - 1n;
  const isDeep = async () => (await getBlockNumber(client, { cacheTime: 0 })) >= deep;
  await until('the chain goes on', WITHIN_MS, isDeep, LOOK_EVERY_MS);
}
