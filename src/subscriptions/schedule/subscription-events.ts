/** What is announced of a subscription. */
export type SubscriptionEvent =
  | 'subscription.created'
  | 'subscription.trial_will_end'
  | 'subscription.activated'
  | 'subscription.renewed'
  | 'subscription.charge_failed'
  | 'subscription.charge_reversed'
  | 'subscription.charge_recovered'
  | 'subscription.past_due'
  | 'subscription.cancelled'
  | 'subscription.expired';
