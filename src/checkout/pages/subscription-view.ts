import { createHash } from 'node:crypto';
import { firstPeriodFrom } from '../../subscriptions/schedule/first-period.ts';
import { type ContactLink, contactLinks } from './contact-view.ts';
import { networkText } from './format.ts';
import {
  chargeText,
  decimals,
  describe,
  everyText,
  isAsked,
  isByTransaction,
  type PublicSubscription,
  priceText,
  type SubscriptionState,
  type SubscriptionText,
  stateOf,
} from './subscription-states.ts';
import { type Words, wordsOf } from './words.ts';

/** A promise to the customer, and its explanation. */
type Promised = { readonly what: string; readonly means: string };
type Line = { readonly label: string; readonly value: string };

/** Everything that the subscription page's template shows; the template decides nothing. */
export type SubscriptionView = SubscriptionText & {
  readonly id: string;
  readonly state: SubscriptionState;
  /** Changes whenever the page should. */
  readonly version: string;
  readonly merchantName: string;
  readonly contact: readonly ContactLink[];
  readonly fiat: string;
  readonly every: string;
  readonly tokens: string;
  readonly planName: string;
  readonly description: string | null;
  readonly token: string;
  readonly network: string;
  /** What the customer agrees to, as long as the agreement is asked for; empty otherwise. */
  readonly promises: readonly Promised[];
  /** The same promises in English, beside another language; empty otherwise. */
  readonly inEnglish: readonly Promised[];
  /** The facts that other states show. */
  readonly lines: readonly Line[];
  /** What the customer has to do with the wallet. */
  readonly steps: { readonly allow: boolean; readonly sign: boolean };
  /** Whether the customer agrees by a transaction, because the chain has refused a signature. */
  readonly byTransaction: boolean;
  readonly recommended: string;
  /** The wallet's address when the customer has to send money to it; null otherwise. */
  readonly refill: string | null;
  /** Whether there is, or may soon be, a mandate that the customer can revoke on the chain. */
  readonly canRevoke: boolean;
  /** We charge nothing any more, even if the chain would still allow it. */
  readonly isOver: boolean;
  readonly details: readonly Line[];
  /** How often the page reloads its content; null when nothing changes without the customer. */
  readonly followSeconds: number | null;
};

/** Seconds between two reloads, in states in which the customer waits for something. */
const FOLLOW: Readonly<Partial<Record<SubscriptionState, number>>> = {
  submitted: 2,
  waiting: 5,
  past_due: 3,
  done: 15,
};
const VERSION_LENGTH = 12;
const DAYS_OF_SHORTEST_MONTH = 28;

/** What the subscription page shows at `now` (business time). Pure. */
export function subscriptionView(subscription: PublicSubscription, now: Date, words: Words): SubscriptionView {
  const shown = contentOf(subscription, now, words);
  const version = createHash('sha256')
    .update(JSON.stringify([subscription, shown]))
    .digest('hex');
  return { ...shown, version: version.slice(0, VERSION_LENGTH) };
}

function contentOf(subscription: PublicSubscription, now: Date, words: Words): Omit<SubscriptionView, 'version'> {
  const { say, tokens } = words;
  const state = stateOf(subscription);
  const asked = isAsked(subscription);
  const pastDue = state === 'past_due' && subscription.merchantCollects ? subscription.failureCode : null;
  const { token, mandateStatus } = subscription;
  const charge = chargeText(subscription, words);
  return {
    ...describe(subscription, state, now, words),
    id: subscription.id,
    state,
    merchantName: subscription.merchantName,
    contact: contactLinks(subscription.merchantContact),
    fiat: words.fiat(subscription.amount, subscription.currency),
    every: everyText(subscription, words),
    tokens: say(subscription.currency === 'USD' ? 'subscription.each' : 'subscription.then', { charge }),
    planName: subscription.planName,
    description: subscription.description,
    token,
    network: networkText(subscription.network),
    promises: asked ? promises(subscription, now, words) : [],
    inEnglish: asked && words.language !== 'en' ? promises(subscription, now, wordsOf('en', words.zone)) : [],
    lines: asked ? [] : lines(subscription, state, now, words),
    steps: { allow: asked || pastDue === 'insufficient_allowance', sign: asked },
    byTransaction: isByTransaction(subscription),
    recommended: tokens(decimals(BigInt(subscription.allowance.recommended), subscription.tokenDecimals), token),
    refill: pastDue === 'insufficient_balance' ? subscription.walletAddress : null,
    canRevoke: !asked && (mandateStatus === 'active' || state === 'submitted'),
    isOver: state === 'cancelled' || state === 'expired',
    details: details(subscription, words),
    followSeconds: asked ? (FOLLOW.waiting ?? null) : (FOLLOW[state] ?? null),
  };
}

/** What the customer agrees to, in the order in which people ask about it. */
function promises(subscription: PublicSubscription, now: Date, words: Words): Promised[] {
  const { say, tokens } = words;
  const { token, terms, merchantName: merchant } = subscription;
  const network = networkText(subscription.network);
  const charge = chargeText(subscription, words);
  return [
    {
      what: say('promise.price', { merchant, price: priceText(subscription, words) }),
      means:
        subscription.currency === 'USD'
          ? say('promise.price.dollars', { network, charge })
          : say('promise.price.rupees', { network, charge, token }),
    },
    firstCharge(subscription, now, words),
    {
      what: say('promise.most', { amount: tokens(terms.mostPerCharge, token), days: terms.windowDays }),
      means: limits(subscription, words),
    },
    { what: say('promise.stays'), means: say('promise.stays.means') },
    { what: say('promise.stop'), means: say('promise.stop.means') },
  ];
}

function limits({ currency, terms, token }: PublicSubscription, { say, tokens, date }: Words): string {
  return [
    ...(currency === 'USD' ? [] : [say('promise.moves')]),
    say('promise.late', { amount: tokens(terms.mostAtOnce, token) }),
    say('promise.end', { date: date(terms.until), amount: tokens(terms.mostInAll, token) }),
  ].join(' ');
}

function firstCharge(subscription: PublicSubscription, now: Date, words: Words): Promised {
  const { say, moment } = words;
  const { firstChargeAt, nextChargeAt, status } = subscription;
  const next =
    status === 'past_due' ? null : [nextChargeAt, firstChargeAt].find((at) => at !== null && new Date(at) > now);
  const isFirst = new Date(firstChargeAt) > now;
  // A trial that is over goes on as long as there is time left to agree.
  const isNamedFirst = isFirst || nextChargeAt === null || status === 'trialing';
  const from = new Date(firstChargeAt);
  const begins = isNamedFirst && status !== 'past_due' ? firstPeriodFrom(from, now) : from;
  const after = say('promise.after', { rhythm: rhythm(subscription, begins, words) });
  return {
    what: next
      ? say(isNamedFirst ? 'promise.first_on' : 'promise.next_on', { when: moment(next) })
      : say(isNamedFirst ? 'promise.first_now' : 'promise.next_now'),
    means: isFirst ? `${say('promise.free')} ${after}` : after,
  };
}

/** The days of the charges: `every month on the 2nd`. Days are in UTC. */
function rhythm({ interval }: PublicSubscription, at: Date, { say, weekday, dayOfYear }: Words): string {
  switch (interval) {
    case 'daily':
      return say('rhythm.daily');
    case 'weekly':
      return say('rhythm.weekly', { weekday: weekday(at) });
    case 'monthly': {
      const day = at.getUTCDate();
      return say(day > DAYS_OF_SHORTEST_MONTH ? 'rhythm.monthly_last' : 'rhythm.monthly', { day });
    }
    default:
      return say('rhythm.yearly', { day: dayOfYear(at) });
  }
}

/** The facts that the page shows once the customer has agreed, or can not agree at present. */
function lines(subscription: PublicSubscription, state: SubscriptionState, now: Date, words: Words): Line[] {
  const { say, tokens, moment, date } = words;
  const { nextChargeAt, terms, token, walletAddress } = subscription;
  const over = ['cancelled', 'expired', 'revoked', 'ended', 'waiting'].includes(state);
  const planned =
    nextChargeAt === null ? null : new Date(nextChargeAt) > now ? moment(nextChargeAt) : say('line.collecting');
  const most = say('line.at_most.value', { amount: tokens(terms.mostPerCharge, token), days: terms.windowDays });
  return [
    ...(planned && state === 'done' ? [{ label: say('line.next_charge'), value: planned }] : []),
    { label: say('line.from_wallet'), value: shortAddress(walletAddress) },
    ...(over ? [] : [{ label: say('line.at_most'), value: most }]),
    ...(over ? [] : [{ label: say('line.ends'), value: date(terms.until) }]),
  ];
}

/** What experts need to check the subscription, or to stop it without this page. */
function details(subscription: PublicSubscription, { say }: Words): Line[] {
  const { walletAddress, collector, tokenContract, mandate, network, chainId, token } = subscription;
  return [
    { label: say('line.wallet'), value: walletAddress },
    {
      label: say('line.network'),
      value: say('line.network.value', { network: networkText(network), chain: String(chainId) }),
    },
    { label: say('line.token_contract', { token }), value: tokenContract },
    { label: say('line.collector'), value: collector },
    { label: say('line.agreement'), value: mandate.id },
  ];
}

/** Both ends of an address, which people compare: `0x709979…dc79C8`. */
export const shortAddress = (address: string): string => `${address.slice(0, 8)}…${address.slice(-6)}`;
