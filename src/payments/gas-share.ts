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

/**
 * The least amount, in micro-dollars, that is worth `work` units of gas at this price on a network; null where that can
 * not be told, because the network's coin is not known or has no price at present. See decision
 * subscriptions/dear-gas-waits.
 */
export async function leastWorthCollecting(
  { coin, maxGasShare = SHARE_MAX }: Network,
  work: bigint,
  priceWei: bigint,
  coinPrice: CoinPrice,
  { manualRates }: Settings,
): Promise<bigint | null> {
  const coinE8 = coin ? await coinPrice(coin, manualRates) : null;
  if (coinE8 === null) return null;
  const share = BigInt(Math.round(maxGasShare * Number(MILLION)));
  return (gasCostMicro(work, priceWei, coinE8) * MILLION) / share;
}
