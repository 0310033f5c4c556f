import { assetsOf } from '../ports/assets.ts';
import type { Asset, Network } from '../ports/chain.ts';
import type { PaidIn } from './payout.ts';

/** What is to be paid, on a network. */
export type ToPay = {
  readonly token: string;
  /** Those of the base units in which a refund is counted; null: whichever. */
  readonly decimals: number | null;
  /** What it was begun in; null: in what is listed. */
  readonly begunIn: PaidIn | null;
};

/**
 * What is paid there, if it is listed. `decimals`: those of the base units in which a refund is counted; of a token
 * that is listed with others by now they would be another amount.
 */
export const findPayable = (network: Network, token: string, decimals: number | null): Asset | undefined =>
  assetsOf(network).find((each) => each.symbol === token && (decimals === null || each.decimals === decimals));

/** What a payout is paid in: what it was begun in, whatever is listed by now. */
export const findPaidIn = (network: Network, { token, decimals, begunIn }: ToPay): Asset | undefined =>
  begunIn === null ? findPayable(network, token, decimals) : toAsset(token, begunIn);

/** What was begun in, as an asset. */
export const toAsset = (token: string, { contract, decimals }: PaidIn): Asset => ({
  ...{ symbol: token as Asset['symbol'], contract, decimals },
});

type Listed = { readonly networks: readonly Network[] };

/** What a payout that is begun now is paid in; null where nothing is listed for it. */
export function listedFor(
  { networks }: Listed,
  { network: name, token, decimals }: { readonly network: string } & Pick<ToPay, 'token' | 'decimals'>,
): PaidIn | null {
  const network = networks.find((each) => each.name === name);
  const asset = network && findPayable(network, token, decimals);
  return asset ? { contract: asset.contract, decimals: asset.decimals } : null;
}

/** Whether a payout can be looked up: its network is listed, and it is known what it is paid in. */
export const isListed = ({ networks }: Listed, payout: { readonly network: string } & ToPay): boolean =>
  networks.some((each) => each.name === payout.network && findPaidIn(each, payout) !== undefined);
