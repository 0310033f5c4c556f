import { conflict } from '../lib/errors.ts';
import { isListed } from '../payouts/listed.ts';
import type { Network } from '../ports/chain.ts';
import type { Chains } from '../ports/chain-kind.ts';
import { isBank, type Withdrawal } from './withdrawal.ts';

export type ListedDeps = { readonly networks: readonly Network[]; readonly chains: Pick<Chains, 'isAddressOn'> };

/** Whether the network of a withdrawal is listed, and its token or what it was begun in. */
export const isWithdrawalListed = (
  deps: Pick<ListedDeps, 'networks'>,
  { network, currency: token, begunIn }: Pick<Withdrawal, 'network' | 'currency' | 'begunIn'>,
): boolean => isListed(deps, { network, token, decimals: null, begunIn });

/**
 * Throws CONFLICT (`network_not_listed`) for a withdrawal on a network, or in a token, that is no longer listed. `cure`
 * is what gives the money back. See decision withdrawals/held-while-not-listed.
 */
export function requireListed(deps: Pick<ListedDeps, 'networks'>, withdrawal: Withdrawal, cure: string): void {
  if (isWithdrawalListed(deps, withdrawal)) return;
  const { network, currency } = withdrawal;
  const message = `${currency} on ${network} is no longer listed, so nothing is paid there. ${cure}, which gives the money \
back for a withdrawal elsewhere, or list it again in KASI_NETWORKS.`;
  throw conflict(message, 'network_not_listed');
}

/** Throws CONFLICT (`off_ramp_address`) when a bank withdrawal would go to an address of another kind of network. */
export function requireOffRampFits(
  { networks, chains }: ListedDeps,
  withdrawal: Withdrawal,
  offRampAddress: string | null,
): void {
  const network = networks.find(({ name }) => name === withdrawal.network);
  if (!isBank(withdrawal) || offRampAddress === null || network === undefined) return;
  if (chains.isAddressOn(network, offRampAddress)) return;
  const message = `The setting offRampAddress is no address of ${network.name}, where this withdrawal is paid. Set one that is.`;
  throw conflict(message, 'off_ramp_address');
}
