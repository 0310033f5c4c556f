import type { Db, Trx } from '../lib/db-types.ts';
import { AppError, invalidField } from '../lib/errors.ts';
import { isDepositAddress } from '../payments/queries.ts';
import type { Network } from '../ports/chain.ts';
import type { Chains } from '../ports/chain-kind.ts';

/** The reason of an address that is one, and that may not receive payouts. */
export const NOT_YOURS = 'address_not_yours';

const RETRY_SECONDS = 60;

export type DestinationRules = {
  readonly networks: readonly Network[];
  readonly chains: Pick<Chains, 'isAddressOn' | 'isOwnerless' | 'isOwnAddress' | 'keysOf'>;
};

/**
 * Throws VALIDATION_ERROR for text that is no address of a network, and for an address that may not receive payouts;
 * SERVICE_UNAVAILABLE as `requireListed`.
 * `describe` words why it is no address there; `elsewhere` is the network that it is an address of.
 */
export async function requirePayable(
  db: Db | Trx,
  { chains, networks }: DestinationRules,
  networkName: string,
  address: string,
  describe: (network: string, elsewhere: string | undefined) => string = unfit,
): Promise<void> {
  const network = requireListed(networks, networkName);
  if (!chains.isAddressOn(network, address)) {
    const elsewhere = networks.find((other) => chains.isAddressOn(other, address));
    throw invalidField('destinationAddress', describe(networkName, elsewhere?.name));
  }
  if (await mayReceive(db, chains, address)) return;
  const message = 'belongs to the platform or to nobody; ask for a wallet of your own';
  throw invalidField('destinationAddress', message, NOT_YOURS);
}

/** The network of this name. Throws SERVICE_UNAVAILABLE where it is not listed: its addresses are known by the list. */
export function requireListed(networks: readonly Network[], name: string): Network {
  const network = networks.find((each) => each.name === name);
  if (network) return network;
  const message = `The network ${name} is not listed at present, so no address there can be checked. Try again later.`;
  throw new AppError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds: RETRY_SECONDS });
}

/** Why an address can not be paid on a network, and what to do. */
export function unfit(network: string, elsewhere: string | undefined): string {
  if (elsewhere === undefined) return `must be an address of ${network}; check it for typing mistakes`;
  return `is an address of ${elsewhere}, and ${network} can not pay there; name an address of ${network}`;
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
