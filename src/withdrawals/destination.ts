import type { Db, Trx } from '../lib/db-types.ts';
import { invalidField } from '../lib/errors.ts';
import { isDepositAddress } from '../payments/queries.ts';
import type { Network } from '../ports/chain.ts';
import type { Chains } from '../ports/chain-kind.ts';
import type { StableToken } from './withdrawal.ts';

export type DestinationRules = {
  readonly networks: readonly Network[];
  readonly chains: Pick<Chains, 'kindOf' | 'isOwnerless' | 'isOwnAddress' | 'keysOf'>;
};

/** The network and the token of a payout. VALIDATION_ERROR for what the platform does not offer. */
export function resolveNetwork(
  { networks }: Pick<DestinationRules, 'networks'>,
  wanted: { readonly network?: string | undefined; readonly currency?: StableToken | undefined },
): { readonly network: string; readonly currency: StableToken } {
  const network = wanted.network === undefined ? networks[0] : networks.find(({ name }) => name === wanted.network);
  if (!network) throw invalidField('network', `must be one of: ${networks.map(({ name }) => name).join(', ')}`);
  const currency = wanted.currency ?? 'USDT';
  const tokens = network.tokens.map(({ symbol }) => symbol);
  if (!tokens.includes(currency)) {
    throw invalidField('currency', `${network.name} pays in one of: ${tokens.join(', ')}`);
  }
  return { network: network.name, currency };
}

/**
 * The destination of a crypto withdrawal on a network: the requested address, else the profile's wallet.
 * VALIDATION_ERROR for text that is no address there, and for an address that may not receive payouts.
 */
export async function resolveDestination(
  trx: Trx,
  { chains, networks }: DestinationRules,
  networkName: string,
  asked: string | undefined,
  walletAddress: string | null,
): Promise<string> {
  const address = asked ?? walletAddress;
  if (address === null) {
    throw invalidField('destinationAddress', 'is needed, because your profile has no walletAddress');
  }
  const network = networks.find(({ name }) => name === networkName);
  if (!network || !chains.kindOf(network).addresses.isAddress(address)) {
    throw invalidField('destinationAddress', `must be an address of ${networkName}; check it for typing mistakes`);
  }
  if (await mayReceive(trx, chains, address)) return address;
  throw invalidField('destinationAddress', 'belongs to the platform or to nobody; ask for a wallet of your own');
}

/**
 * Whether a payout may go to an address. Not to a burn address or a contract of the platform, from which it would never
 * come back; and not to a deposit address, where our own money would count as a sale
 * (decision withdrawals/destination-fixed-at-approval).
 */
export async function mayReceive(
  db: Db | Trx,
  chains: Pick<Chains, 'isOwnerless' | 'isOwnAddress' | 'keysOf'>,
  address: string,
): Promise<boolean> {
  if (chains.isOwnerless(address) || chains.isOwnAddress(address)) return false;
  return !(await isDepositAddress(db, chains.keysOf(address)));
}

/** Whether two texts are the same address. Case only carries the checksum. */
export const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
