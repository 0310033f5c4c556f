import type { Trx } from '../lib/db-types.ts';
import { invalidField } from '../lib/errors.ts';
import { type DestinationRules, requirePayable, unfit } from '../payouts/destination.ts';
import type { Network } from '../ports/chain.ts';
import type { Chains } from '../ports/chain-kind.ts';
import type { StableToken } from './withdrawal.ts';

/** The networks on which dollars can be paid out: some take payments in their own coin only. */
const payingNetworks = (networks: readonly Network[]): readonly Network[] =>
  networks.filter(({ tokens }) => tokens.length > 0);

/** Whether dollars can be paid out to this address, as far as its spelling tells. */
export const isPayable = (
  { networks, chains }: { readonly networks: readonly Network[]; readonly chains: Pick<Chains, 'isAddressOn'> },
  address: string,
): boolean => payingNetworks(networks).some((network) => chains.isAddressOn(network, address));

/**
 * The network and the token of a payout. VALIDATION_ERROR for what the platform does not offer, and for a network that
 * has no dollars.
 */
export function resolveNetwork(
  { networks: all }: Pick<DestinationRules, 'networks'>,
  wanted: { readonly network?: string | undefined; readonly currency?: StableToken | undefined },
): { readonly network: string; readonly currency: StableToken } {
  const networks = payingNetworks(all);
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
  rules: DestinationRules,
  networkName: string,
  asked: string | undefined,
  walletAddress: string | null,
): Promise<string> {
  const address = asked ?? walletAddress;
  if (address === null) {
    throw invalidField('destinationAddress', 'is needed, because your profile has no walletAddress');
  }
  const isOfProfile = asked === undefined;
  await requirePayable(trx, rules, networkName, address, isOfProfile ? unfitProfile : unfit);
  return address;
}

/** The same of the wallet of a profile. */
const unfitProfile = (network: string, elsewhere: string | undefined): string =>
  `is needed, because the walletAddress of your profile ${
    elsewhere ? `is an address of ${elsewhere}` : `is no address of ${network}`
  }: name an address of ${network}`;
