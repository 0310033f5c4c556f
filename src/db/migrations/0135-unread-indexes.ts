/**
 * Nothing reads them since there are tallies: what merchants earned, and how many subscribers a plan has. Code of before
 * is slower without them.
 */
export const name = '0135-unread-indexes';

export const dropped = ['payments_earned', 'subscriptions_counted'];
