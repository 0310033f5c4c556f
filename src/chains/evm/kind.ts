import type { Address } from 'viem';
import type { ChainKind, PaymentRequest } from '../../ports/chain-kind.ts';
import { checkNetworkContracts } from './check-network.ts';
import { openEvmCollector } from './collector-capability.ts';
import { depositAddress } from './deposit-address.ts';
import { EVM_NETWORK_SCHEMA, type EvmNetwork, findEvmConflicts, parseEvmNetwork, treasuriesOf } from './network.ts';
import { operatorOfKey } from './operator-account.ts';
import { findKeyProblem } from './operator-key.ts';
import { createOperatorNode } from './operator-node.ts';
import { createEvmPayoutCheck } from './payout.ts';
import { createEvmReader } from './rpc.ts';
import { writeSafeBatch } from './safe-batch.ts';
import { openEvmSignatures } from './signatures.ts';
import { openEvmSignedTransfers } from './signed-transfers.ts';
import { openEvmTreasury } from './treasury.ts';
import { checksummed, isWalletAddress, isZeroAddress } from './wallet-address.ts';
import { createEvmWitness } from './witness.ts';

/** Chains that speak the JSON-RPC of Ethereum and derive CREATE2 addresses as it does. */
export const evm: ChainKind<EvmNetwork> = {
  name: 'evm',
  addresses: {
    isAddress: isWalletAddress,
    canonical: (address) => address.toLowerCase(),
    present: checksummed,
    isOwnerless: isZeroAddress,
  },
  networkSchema: EVM_NETWORK_SCHEMA,
  parseNetwork: parseEvmNetwork,
  findConflicts: findEvmConflicts,
  checkNetwork: checkNetworkContracts,
  assignDeposit: async (_trx, { factory }, paymentId) => {
    const address = depositAddress(factory as Address, paymentId);
    return { address, canonical: address.toLowerCase(), factory };
  },
  paymentUri: transferUri,
  describe: ({ chainId, factory, collector, treasury, former = [] }) => ({
    chain: `eip155:${chainId}`,
    contracts: [
      { role: 'factory', address: factory, treasury },
      ...former.map((each) => ({ role: 'factory', address: each.factory, treasury: each.treasury }) as const),
      // A collector goes on paying the treasury that it was deployed with.
      ...(collector === null
        ? []
        : [{ role: 'collector', address: collector, treasury: former.length > 0 ? null : treasury } as const]),
    ],
  }),
  listOwnAddresses: (network) => [
    network.factory,
    ...(network.former ?? []).map(({ factory }) => factory),
    ...(network.collector === null ? [] : [network.collector]),
    ...treasuriesOf(network),
    ...network.tokens.map(({ contract }) => contract),
  ],
  openReader: createEvmReader,
  openWitness: createEvmWitness,
  openPayoutCheck: createEvmPayoutCheck,
  openCollector: openEvmCollector,
  openTreasury: openEvmTreasury,
  openSignatures: openEvmSignatures,
  openSignedTransfers: openEvmSignedTransfers,
  writePayouts: writeSafeBatch,
  operator: { findKeyProblem, openAccount: operatorOfKey, openNode: createOperatorNode },
};

/** A request to pay the coin, or to transfer ERC-20 tokens, as wallets read it from a QR code (EIP-681). */
function transferUri({ contract, chainId, address, units }: PaymentRequest): string {
  if (contract === null) return `ethereum:${address}@${chainId}?value=${units}`;
  return `ethereum:${contract}@${chainId}/transfer?address=${address}&uint256=${units}`;
}
