/** Indexes by which little is read of a wallet that a merchant has subscribed thousands of times without asking it. */
export const name = '0193-of-one-wallet';

export const indexes = {
  // In the order of the customer's list, which begins with what can be charged, and with all that finds its ids.
  subscriptions_of_wallet: `subscriptions
    (wallet, ((mandate_status = 'active' and cancelled_at is null)) desc, created_at desc, id desc)
    include (network, merchant_id, mandate_status, cancelled_at)`,
  // What a payer has agreed to, which costs gas each time.
  mandates_agreed: 'mandates (payer) where authorized_at is not null',
};
