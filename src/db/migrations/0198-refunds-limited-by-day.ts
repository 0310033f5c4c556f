/** An index of what counts towards the most that a merchant gives back within a day. */
export const name = '0198-refunds-limited-by-day';

export const indexes = {
  refunds_limited: 'refunds (merchant_id, limited_at) where limited_at is not null',
};
