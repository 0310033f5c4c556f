import { assetsOf } from '../ports/assets.ts';
import type { Asset, Network } from '../ports/chain.ts';

/**
 * What is paid there, if it is listed. `decimals`: those of the base units in which a refund is counted; of a token
 * that is listed with others by now they would be another amount.
 */
export const findPayable = (network: Network, token: string, decimals: number | null): Asset | undefined =>
  assetsOf(network).find((each) => each.symbol === token && (decimals === null || each.decimals === decimals));

/** Whether a network is listed with a token, so that a payout there can be sent and looked up. */
export const isListed = (
  { networks }: { readonly networks: readonly Network[] },
  { network, token, decimals }: { readonly network: string; readonly token: string; readonly decimals: number | null },
): boolean => networks.some((each) => each.name === network && findPayable(each, token, decimals) !== undefined);
