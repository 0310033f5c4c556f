/**
 * The indexes by which the addresses are found at which coins may arrive, and what was credited there. See
 * decision db/indexes-beside-the-application.
 */
export const name = '0064-coin-indexes';

const OFFERS = `options @> '[{"token": "ETH"}]'`;

export const indexes = {
  payments_coin_open: `payments (id) where status in ('initiated', 'pending', 'confirming') and ${OFFERS}`,
  /** By the end of their late windows. */
  payments_coin_over: `payments (((expires_at at time zone 'UTC') + late_window_ms * interval '1 millisecond'))
    where status in ('paid', 'failed', 'expired') and ${OFFERS}`,
  credits_of_coin: `credits (network, recipient)
    where canonical and contract = '0x0000000000000000000000000000000000000000'`,
};
