import { E12 } from '../lib/money.ts';
import type { Network } from '../ports/chain.ts';
import type { CoinPrice } from '../rates/quote.ts';
import type { Settings } from '../settings/settings.ts';

/** The share of a charge that its gas may cost where the network's file says nothing. */
export const SHARE_MAX = 0.1;
const MILLION = 1_000_000n;
/** Wei in a coin (18 digits) times the scale of a price (8 digits), for micro-dollars (6 digits). */
const WEI_E8_PER_MICRO = E12 * 10n ** 8n;

/** What the gas of a charge costs at present, in micro-dollars. */
export const gasCostMicro = (work: bigint, priceWei: bigint, coinE8: bigint): bigint =>
  (work * priceWei * coinE8) / WEI_E8_PER_MICRO;

/** The price of a network's coin at scale 8; null where it is not known, or there is none at present. */
export const priceOfGas = async (
  { coin }: Pick<Network, 'coin'>,
  coinPrice: CoinPrice,
  { manualRates }: Pick<Settings, 'manualRates'>,
): Promise<bigint | null> => (coin ? coinPrice(coin, manualRates) : null);

/**
 * The least amount, in micro-dollars, that is worth `work` units of gas at this price on a network; null where that can
 * not be told, because the network's coin is not known or has no price at present. See decision
 * subscriptions/dear-gas-waits.
 */
export async function leastWorthCollecting(
  network: Network,
  work: bigint,
  priceWei: bigint,
  coinPrice: CoinPrice,
  settings: Settings,
): Promise<bigint | null> {
  const coinE8 = await priceOfGas(network, coinPrice, settings);
  if (coinE8 === null) return null;
  const { maxGasShare = SHARE_MAX } = network;
  const share = BigInt(Math.round(maxGasShare * Number(MILLION)));
  return (gasCostMicro(work, priceWei, coinE8) * MILLION) / share;
}
