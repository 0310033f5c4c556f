import type { Db, Trx } from '../lib/db-types.ts';
import { invalidField } from '../lib/errors.ts';
import { isDepositAddress } from '../payments/queries.ts';
import type { Network } from '../ports/chain.ts';
import type { Chains } from '../ports/chain-kind.ts';
import type { StableToken } from './withdrawal.ts';

export type DestinationRules = {
  readonly networks: readonly Network[];
  readonly chains: Pick<Chains, 'isAddressOn' | 'isOwnerless' | 'isOwnAddress' | 'keysOf'>;
};

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
  if (!network || !chains.isAddressOn(network, address)) {
    const elsewhere = networks.find((other) => chains.isAddressOn(other, address));
    throw invalidField('destinationAddress', unfit(networkName, elsewhere?.name, asked === undefined));
  }
  if (await mayReceive(trx, chains, address)) return address;
  throw invalidField('destinationAddress', 'belongs to the platform or to nobody; ask for a wallet of your own');
}

/** Why an address can not be paid on a network, and what to do; `elsewhere` is the network that it is an address of. */
function unfit(network: string, elsewhere: string | undefined, isOfProfile: boolean): string {
  const found = elsewhere ? `is an address of ${elsewhere}` : `is no address of ${network}`;
  if (isOfProfile) {
    return `is needed, because the walletAddress of your profile ${found}: name an address of ${network}`;
  }
  if (elsewhere) return `${found}, and ${network} can not pay there; name an address of ${network}`;
  return `must be an address of ${network}; check it for typing mistakes`;
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

/** Whether two texts are the same address, however it is spelled. */
export const isSame = ({ keysOf }: Pick<Chains, 'keysOf'>, a: string, b: string): boolean =>
  keysOf(a).some((one) => keysOf(b).some((other) => one.kind === other.kind && one.address === other.address));
