import { deriveDevKeys } from '../chains/bitcoin/dev-wallet.ts';
import { type BitcoinNetwork, parseBitcoinNetwork } from '../chains/bitcoin/network.ts';
import { MNEMONIC } from '../chains/evm/dev-accounts.ts';
import { ETHER, type EvmNetwork } from '../chains/evm/network.ts';
import {
  operatorKeyOf,
  prepareTestContracts,
  sweepKeyOf,
  TEST_TOKEN_DECIMALS,
  TEST_USDC_AUTHORIZATION,
} from '../chains/evm/test-contracts.ts';
import { CHAIN_ID } from './anvil.ts';

const CONFIRMATIONS = 2;
const POLL_MS = 200;
const BATCH_MAX = 50;
const GAS_PRICE_MAX_GWEI = 500;

/**
 * Deploys the service's contracts to the development chain at `rpcUrl`, unless they are there, and returns the network
 * to watch. The addresses are the same on every chain and at every start; the next call finishes an interrupted one.
 * Throws one sentence with the cure when the node serves another kind of chain.
 */
export async function prepareSandboxNetwork({
  rpcUrl,
  otherRpcUrls = [],
}: Pick<EvmNetwork, 'rpcUrl' | 'otherRpcUrls'>): Promise<EvmNetwork> {
  const contracts = await prepareTestContracts({ rpcUrl, chainId: CHAIN_ID, mnemonic: MNEMONIC });
  const decimals = TEST_TOKEN_DECIMALS;
  return {
    kind: 'evm',
    name: 'devnet',
    chainId: CHAIN_ID,
    onDemand: true,
    rpcUrl,
    ...(otherRpcUrls.length === 0 ? {} : { otherRpcUrls, secondOpinionFrom: 0 }),
    tokens: [
      { symbol: 'USDT', contract: contracts.usdt.toLowerCase(), decimals, permit2: true },
      {
        ...{ symbol: 'USDC', contract: contracts.usdc.toLowerCase(), decimals },
        ...{ authorization: TEST_USDC_AUTHORIZATION, permit2: true, permit: TEST_USDC_AUTHORIZATION },
      },
    ],
    confirmations: CONFIRMATIONS,
    pollMs: POLL_MS,
    batchMax: BATCH_MAX,
    factory: contracts.factory.toLowerCase(),
    collector: contracts.collector.toLowerCase(),
    treasury: contracts.treasury.toLowerCase(),
    gasPriceMaxGwei: GAS_PRICE_MAX_GWEI,
    coin: 'ETH',
    native: ETHER,
  };
}

/** A network of the sandbox that could not start, and why, with the cure. */
export type MissingNetwork = { readonly network: string; readonly message: string };

/** The name of the sandbox's Bitcoin network. */
export const BITCOIN_NETWORK = 'regtest';

/** The network of the sandbox's Bitcoin node, by its URL with user and password. Asks no node. */
export const sandboxBitcoinNetwork = (rpcUrl: string): BitcoinNetwork =>
  parseBitcoinNetwork({
    ...{ name: BITCOIN_NETWORK, chain: 'regtest', rpcUrl, accountKey: deriveDevKeys(MNEMONIC).accountKey },
    ...{ confirmations: 1, confirmationsFrom: [], pollMs: POLL_MS },
  });

/**
 * The private key that charges subscriptions on the network of `prepareSandboxNetwork`. It is public, like all of that
 * chain's keys.
 */
export const sandboxOperatorKey = (): string => operatorKeyOf(MNEMONIC);

/** The private key of the account that pays for sweeping deposits on that chain. */
export const sandboxSweepKey = (): string => sweepKeyOf(MNEMONIC);
