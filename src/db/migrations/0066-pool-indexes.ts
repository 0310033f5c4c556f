/** What left the pool may come back, and is then looked up by its transaction. Few do. */
export const name = '0066-pool-indexes';

export const indexes = {
  credits_taken_back: `credits (network, tx_hash) where spends is not null and not canonical`,
};
