/** An index that has all of what is summed up towards the most that a merchant gives back within a day. */
export const name = '0260-refunds-limited-sum';

export const indexes = {
  refunds_limited_sum: `refunds (merchant_id, limited_at) include (from_suspense, from_available)
    where limited_at is not null and status not in ('cancelled', 'failed')`,
};
