import { type BitcoinNetwork, isBitcoinNetwork } from '../chains/bitcoin/network.ts';
import type { Clock } from '../lib/clock.ts';
import type { Network } from '../ports/chain.ts';
import { type BitcoinControl, controlBitcoin } from './bitcoin-control.ts';
import { type BitcoinWallet, createBitcoinWallet } from './bitcoin-wallet.ts';

/** The sandbox's Bitcoin network. */
export type SandboxBitcoin = {
  readonly network: BitcoinNetwork;
  readonly control: BitcoinControl;
  readonly wallet: BitcoinWallet;
};

/** The Bitcoin network among those of the process, with what drives its node; null where there is none. */
export function openBitcoin(networks: readonly Network[], clock: Clock): SandboxBitcoin | null {
  const network = networks.find(isBitcoinNetwork);
  if (!network) return null;
  const control = controlBitcoin(network.rpcUrl, clock.now);
  return { network, control, wallet: createBitcoinWallet(control) };
}
