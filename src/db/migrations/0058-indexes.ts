/**
 * Indexes of big tables for what the migrations since 0045 added. They are built beside the application. See
 * decision db/indexes-beside-the-application.
 */
export const name = '0058-indexes';

export const indexes = {
  /** Asked every second of an idle network. It holds only those who have still to agree. */
  subscriptions_to_agree: `subscriptions (network) where mandate_status = 'pending' and cancelled_at is null`,
  /** Payouts that a release verified without noting their block are looked up by their hash. There are few of them. */
  withdrawals_unplaced: `withdrawals (network, finished_at)
    where status = 'completed' and tx_verified and final_at is null and tx_block is null`,
  credits_read_again: `credits (network, block_number)
    where twins is not null and canonical and confirmed_at is not null and final_at is null`,
  /** It holds only what the next prune could take. By id, so in the order of creation. */
  payments_prunable: `payments (id) where source = 'link' and status = 'expired' and credit_count = 0`,
  /** Those that `payments_confirming` leaves out: the watcher asks with each step whether one has a delisted token. */
  payments_collecting: `payments (id) where status = 'confirming' and source = 'subscription'`,
};
