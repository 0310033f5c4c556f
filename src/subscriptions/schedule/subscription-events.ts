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
  | 'subscription.paused'
  | 'subscription.cancelled'
  | 'subscription.expired';

/**
 * Whether nothing is charged at present, because of the merchant, or because its network or token is `delisted`. In
 * the first hour it is only `unlisted`: nothing is charged or ended, and nothing announced.
 */
export type Paused = boolean | 'delisted' | 'unlisted';

/**
 * What the clock is told. `paused`: the merchant may not collect, or its network or token is not listed.
 * `confirming`: a charge is collected that gives the subscription a period once that is confirmed. `unsent`: the charge
 * that counts as in flight is to be sent again, and was not for a while. `ours`: a charge waits for its network or for
 * cheaper gas, and so for nothing that the chain has of it.
 */
export type Look = {
  readonly paused: Paused;
  readonly confirming?: boolean;
  readonly unsent?: boolean;
  readonly ours?: boolean;
};

type Before = { readonly next: { readonly pausedSince: Date | null } };

/** What is announced of a pause when it begins. A frozen merchant knows that it is. */
export const news = (paused: Paused, { next }: Before): SubscriptionEvent[] =>
  paused === 'delisted' && next.pausedSince === null ? ['subscription.paused'] : [];
