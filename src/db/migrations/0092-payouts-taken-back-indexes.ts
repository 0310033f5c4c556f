/** What 0088 asks of refunds, built beside the application. See decision db/indexes-beside-the-application. */
export const name = '0092-payouts-taken-back-indexes';

export const indexes = {
  /** Looked through twice a minute: payouts that were not seen in a final block yet. */
  refunds_not_final: `refunds (network, tx_block) where status = 'completed' and final_at is null`,
};
