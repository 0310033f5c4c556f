import type { Network } from '../ports/chain.ts';

/** What of a network payouts can be sent in and looked up by. */
export const symbolsOf = ({ tokens, native }: Network): string[] =>
  [...tokens, native].flatMap((asset) => (asset ? [asset.symbol] : []));

/** Whether a network is listed with a token, so that a payout there can be sent and looked up. */
export const isListed = (
  { networks }: { readonly networks: readonly Network[] },
  place: { readonly network: string; readonly token: string },
): boolean => networks.some((each) => each.name === place.network && symbolsOf(each).includes(place.token));
