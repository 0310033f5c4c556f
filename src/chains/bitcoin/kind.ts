import type { ChainKind } from '../../ports/chain-kind.ts';
import { ADDRESS_RULES, isOnChain } from './addresses.ts';
import { checkBitcoinNetwork } from './check-network.ts';
import { assignBitcoinDeposit, listAccounts } from './deposits.ts';
import { BITCOIN_NETWORK_SCHEMA, type BitcoinNetwork, findBitcoinConflicts, parseBitcoinNetwork } from './network.ts';
import { chainReference, DUST } from './params.ts';
import { createBitcoinPayoutCheck } from './payout.ts';
import { createBitcoinReader } from './reader.ts';
import { bitcoinUri } from './uri.ts';
import { createBitcoinWitness } from './witness.ts';
import { writeDraft } from './write-draft.ts';

/** Bitcoin and its test chains. */
export const bitcoin: ChainKind<BitcoinNetwork> = {
  name: 'bitcoin',
  addresses: ADDRESS_RULES,
  networkSchema: BITCOIN_NETWORK_SCHEMA,
  parseNetwork: parseBitcoinNetwork,
  isOnNetwork: ({ chain }, address) => isOnChain(chain, address),
  findConflicts: findBitcoinConflicts,
  checkNetwork: checkBitcoinNetwork,
  assignDeposit: assignBitcoinDeposit,
  paymentUri: ({ address, units }) => bitcoinUri(address, units),
  describe: (network) => ({
    chain: chainReference(network.chain),
    contracts: listAccounts(network).map((address) => ({ role: 'account', address, treasury: null })),
  }),
  listOwnAddresses: listAccounts,
  openReader: createBitcoinReader,
  openWitness: createBitcoinWitness,
  openPayoutCheck: createBitcoinPayoutCheck,
  writePayouts: writeDraft,
  leastPayout: DUST,
};
