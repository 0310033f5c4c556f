import { deriveDevKeys } from '../../src/chains/bitcoin/dev-wallet.ts';
import { bitcoin } from '../../src/chains/bitcoin/kind.ts';
import { MNEMONIC } from '../../src/chains/evm/dev-accounts.ts';
import { type BitcoinControl, controlBitcoin, fund } from '../../src/sandbox/bitcoin-control.ts';
import { startBitcoinNode } from '../../src/sandbox/bitcoin-node.ts';
import { createBitcoinWallet } from '../../src/sandbox/bitcoin-wallet.ts';
import { makeTestFolder } from '../support/run-folder.ts';

/**
 * A regtest node with a wallet that has coins, and a network on it: bcoin, or the bitcoind that BITCOIN_RPC_URL names,
 * whose chain should be empty.
 */
export async function openBitcoin(runFolder: string) {
  const { node, close } = await openNode(runFolder);
  const entry = {
    name: 'regtest',
    chain: 'regtest',
    rpcUrl: node.rpcUrl,
    accountKey: deriveDevKeys(MNEMONIC).accountKey,
    confirmations: 1,
    pollMs: 100,
  };
  return {
    ...{ node, entry, network: bitcoin.parseNetwork(entry), wallet: createBitcoinWallet(node), close },
    /** Drops the newest blocks and puts nothing in their place. */
    rollBack: async (depth: number): Promise<void> => {
      const { height } = await node.readHead();
      await node.rpc('invalidateblock', [await node.rpc('getblockhash', [height - depth + 1])]);
    },
  };
}

async function openNode(runFolder: string): Promise<{ node: BitcoinControl; close: () => Promise<void> }> {
  const url = process.env['BITCOIN_RPC_URL'];
  if (url === undefined) {
    const node = await startBitcoinNode({ dataDir: makeTestFolder(runFolder), now: new Date(), log: () => undefined });
    return { node, close: () => node.stop() };
  }
  const node = controlBitcoin(url);
  await fund(node.rpc, new Date());
  return { node, close: async () => undefined };
}
