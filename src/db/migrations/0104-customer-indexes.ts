/** What a customer's own list reads, built beside the application. See decision db/indexes-beside-the-application. */
export const name = '0104-customer-indexes';

export const indexes = {
  subscriptions_by_wallet: 'subscriptions (wallet, created_at desc, id desc)',
};
