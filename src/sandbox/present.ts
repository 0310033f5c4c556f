import type { components } from '../../generated/api.ts';
import type { BitcoinNetwork } from '../chains/bitcoin/network.ts';
import type { FundedWallet } from '../chains/evm/faucet.ts';
import type { EvmNetwork } from '../chains/evm/network.ts';
import { formatToken, formatUnits } from '../lib/money.ts';
import type { SettingsReader } from '../settings/settings.ts';
import type { Head } from './anvil.ts';
import { confirmationsOf } from './confirmations.ts';

type Schemas = components['schemas'];

const ETHER_DECIMALS = 18;

/** A network with everything that a payer's wallet needs to know. */
export const presentNetwork = (
  network: EvmNetwork,
  settings: Pick<SettingsReader, 'latest'>,
): Schemas['SandboxNetwork'] => ({
  network: network.name,
  chainId: network.chainId,
  rpcUrl: network.rpcUrl,
  confirmations: confirmationsOf({ network, settings }),
  factory: network.factory,
  collector: network.collector,
  treasury: network.treasury,
  tokens: network.tokens.map(({ symbol, contract, decimals }) => ({ token: symbol, contract, decimals })),
});

/** The Bitcoin network, without user and password of its node: whoever needs them reads the data folder. */
export function presentBitcoin(
  network: BitcoinNetwork,
  settings: Pick<SettingsReader, 'latest'>,
): Schemas['SandboxNetwork'] {
  const rpcUrl = new URL(network.rpcUrl);
  return {
    network: network.name,
    chainId: null,
    rpcUrl: rpcUrl.origin,
    confirmations: confirmationsOf({ network, settings }),
    factory: null,
    collector: null,
    treasury: null,
    tokens: [{ token: network.native.symbol, contract: null, decimals: network.native.decimals }],
  };
}

/** The newest block of a test chain. */
export const presentHead = (network: string, head: Head): Schemas['SandboxChainHead'] => ({
  network,
  blockNumber: head.height,
  blockHash: head.hash,
  blockTime: new Date(head.timestamp * 1000).toISOString(),
});

/** The caller that made the wallet sees its key. */
export const presentWallet = (network: EvmNetwork, wallet: FundedWallet): Schemas['SandboxWallet'] => ({
  address: wallet.address,
  privateKey: wallet.privateKey,
  network: network.name,
  balances: [
    ...wallet.tokens.map(({ token, units }) => ({
      token: token.symbol,
      contract: token.contract,
      amount: formatToken(units, token.decimals),
    })),
    { token: 'ETH', contract: null, amount: formatUnits(wallet.wei, ETHER_DECIMALS) },
  ],
});
