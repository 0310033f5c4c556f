import { isNobody } from '../chains/evm/wallet-address.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { invalidField } from '../lib/errors.ts';
import { isDepositAddress } from '../payments/queries.ts';
import type { Network } from '../ports/chain.ts';
import type { StableToken } from './withdrawal.ts';

export type DestinationRules = {
  readonly networks: readonly Network[];
  /** Whether this is an address of an enabled network, with a right checksum. */
  readonly validateAddress: (address: string) => boolean;
};

/**
 * The network that a withdrawal is paid on and the token that it is paid in. VALIDATION_ERROR for what the platform
 * does not have.
 */
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
 * Where a crypto withdrawal goes: what was asked, else the wallet of the profile. VALIDATION_ERROR for what is no
 * address, and for those that may not receive it.
 */
export async function resolveDestination(
  trx: Trx,
  { networks, validateAddress }: DestinationRules,
  asked: string | undefined,
  walletAddress: string | null,
): Promise<string> {
  const address = asked ?? walletAddress;
  if (address === null) {
    throw invalidField('destinationAddress', 'is needed, because your profile has no walletAddress');
  }
  if (!validateAddress(address)) {
    throw invalidField('destinationAddress', 'must be an address of an enabled network; check it for typing mistakes');
  }
  if (await mayReceive(trx, networks, address)) return address;
  throw invalidField('destinationAddress', 'belongs to the platform or to nobody; ask for a wallet of your own');
}

/**
 * Whether a payout may go to an address. Not to nobody and not to contracts of the platform, from which it would never
 * come back; and not to where a payment waits for its payer, because our own money would count as a sale.
 */
export async function mayReceive(
  db: Db | Trx,
  networks: DestinationRules['networks'],
  address: string,
): Promise<boolean> {
  const ours = networks.flatMap(({ factory, collector, treasury, tokens }) => [
    factory,
    ...(collector ? [collector] : []),
    treasury,
    ...tokens.map(({ contract }) => contract),
  ]);
  if (isNobody(address) || ours.some((own) => isSame(own, address))) return false;
  return !(await isDepositAddress(db, address));
}

/** Whether two texts are the same address; case carries only the checksum. */
export const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
