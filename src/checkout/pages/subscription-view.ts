import { createHash } from 'node:crypto';
import { type ContactLink, contactLinks } from './contact-view.ts';
import { dateText, fiatText, momentText, networkText, tokenText } from './format.ts';
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
const ORDINALS: Readonly<Record<Intl.LDMLPluralRule, string>> = {
  ...{ zero: 'th', one: 'st', two: 'nd', few: 'rd', many: 'th', other: 'th' },
};

/** What the subscription page shows at `now` (business time). Pure. */
export function subscriptionView(subscription: PublicSubscription, now: Date): SubscriptionView {
  const shown = contentOf(subscription, now);
  const version = createHash('sha256')
    .update(JSON.stringify([subscription, shown]))
    .digest('hex');
  return { ...shown, version: version.slice(0, VERSION_LENGTH) };
}

function contentOf(subscription: PublicSubscription, now: Date): Omit<SubscriptionView, 'version'> {
  const state = stateOf(subscription);
  const asked = isAsked(subscription);
  const pastDue = state === 'past_due' ? subscription.failureCode : null;
  const { token, mandateStatus } = subscription;
  return {
    ...describe(subscription, state, now),
    id: subscription.id,
    state,
    merchantName: subscription.merchantName,
    contact: contactLinks(subscription.merchantContact),
    fiat: fiatText(subscription.amount, subscription.currency),
    every: everyText(subscription),
    tokens: `${chargeText(subscription)} ${subscription.currency === 'USD' ? 'each time' : 'when this was set up'}`,
    planName: subscription.planName,
    description: subscription.description,
    token,
    network: networkText(subscription.network),
    promises: asked ? promises(subscription, now) : [],
    lines: asked ? [] : lines(subscription, state, now),
    steps: { allow: asked || pastDue === 'insufficient_allowance', sign: asked },
    byTransaction: isByTransaction(subscription),
    recommended: tokenText(decimals(BigInt(subscription.allowance.recommended), subscription.tokenDecimals), token),
    refill: pastDue === 'insufficient_balance' ? subscription.walletAddress : null,
    canRevoke: !asked && (mandateStatus === 'active' || state === 'submitted'),
    isOver: state === 'cancelled' || state === 'expired',
    details: details(subscription),
    followSeconds: asked ? (FOLLOW.waiting ?? null) : (FOLLOW[state] ?? null),
  };
}

/** What the customer agrees to, in the order in which people ask about it. */
function promises(subscription: PublicSubscription, now: Date): Promised[] {
  const { token, terms, network } = subscription;
  const inRupees = subscription.currency !== 'USD';
  const charge = chargeText(subscription);
  const price = inRupees
    ? `Taken in ${token} on ${networkText(network)}, at the rate of each day: ${charge} when this was set up.`
    : `That is ${charge} each time, on ${networkText(network)}.`;
  return [
    { what: `${subscription.merchantName} collects ${priceText(subscription)}`, means: price },
    firstCharge(subscription, now),
    {
      what: `At most ${tokenText(terms.mostPerCharge, token)} for ${days(terms.windowDays)}`,
      means: limits(subscription),
    },
    {
      what: 'Your money stays in your wallet',
      means: 'Until each charge. A contract on the network takes it, and can take nothing beyond these limits.',
    },
    {
      what: 'You can stop at any time',
      means: 'On this page, with the same wallet. Nobody has to allow it, and nothing can be taken from then on.',
    },
  ];
}

function limits({ currency, terms, token }: PublicSubscription): string {
  const moves = 'That is a quarter more than now, because rates move; if ever more is asked, you have to agree anew. ';
  const late = `A charge may come late: what was not used is kept for a while, so at most ${tokenText(terms.mostAtOnce, token)} at once. `;
  const end = `On ${dateText(terms.until)} your agreement ends by itself; until then it allows ${tokenText(terms.mostInAll, token)} in all.`;
  return `${currency === 'USD' ? '' : moves}${late}${end}`;
}

function firstCharge(subscription: PublicSubscription, now: Date): Promised {
  const { firstChargeAt, nextChargeAt, status } = subscription;
  const next =
    status === 'past_due' ? null : [nextChargeAt, firstChargeAt].find((at) => at !== null && new Date(at) > now);
  const first = new Date(firstChargeAt) > now;
  const label = first || nextChargeAt === null ? 'First charge' : 'Next charge';
  return {
    what: next ? `${label} on ${momentText(next)}` : `${label} as soon as you agree`,
    means: `${first ? 'It is free until then. ' : ''}After that ${rhythm(subscription)}.`,
  };
}

/** The days of the charges: `every month on the 2nd`. Days are in UTC. */
function rhythm({ interval, firstChargeAt }: PublicSubscription): string {
  const at = new Date(firstChargeAt);
  const say = (options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(at);
  switch (interval) {
    case 'daily':
      return 'every day at the same time';
    case 'weekly':
      return `every ${say({ weekday: 'long' })}`;
    case 'monthly': {
      const day = at.getUTCDate();
      const last = day > DAYS_OF_SHORTEST_MONTH ? ', or the last day of a shorter one' : '';
      return `every month on the ${day}${ORDINALS[new Intl.PluralRules('en', { type: 'ordinal' }).select(day)]}${last}`;
    }
    default:
      return `every year on ${say({ day: 'numeric', month: 'long' })}`;
  }
}

/** The facts that the page shows once the customer has agreed. */
function lines(subscription: PublicSubscription, state: SubscriptionState, now: Date): Line[] {
  const { nextChargeAt, terms, token, walletAddress } = subscription;
  const over = state === 'cancelled' || state === 'expired' || state === 'revoked' || state === 'ended';
  const planned =
    nextChargeAt === null ? null : new Date(nextChargeAt) > now ? momentText(nextChargeAt) : 'Being collected now';
  return [
    ...(planned && state === 'done' ? [{ label: 'Next charge', value: planned }] : []),
    { label: 'From wallet', value: shortAddress(walletAddress) },
    ...(over
      ? []
      : [{ label: 'At most', value: `${tokenText(terms.mostPerCharge, token)} for ${days(terms.windowDays)}` }]),
    ...(over ? [] : [{ label: 'Ends by itself', value: dateText(terms.until) }]),
  ];
}

/** What experts need to check the subscription, or to stop it without this page. */
function details({
  walletAddress,
  collector,
  tokenContract,
  mandate,
  network,
  chainId,
  token,
}: PublicSubscription): Line[] {
  return [
    { label: 'Wallet', value: walletAddress },
    { label: 'Network', value: `${networkText(network)}, chain ${chainId}` },
    { label: `${token} contract`, value: tokenContract },
    { label: 'Collecting contract', value: collector },
    { label: 'Agreement', value: mandate.id },
  ];
}

const days = (count: number): string => (count === 1 ? 'every day' : `every ${count} days`);

/** Both ends of an address, which people compare: `0x709979…dc79C8`. */
export const shortAddress = (address: string): string => `${address.slice(0, 8)}…${address.slice(-6)}`;
