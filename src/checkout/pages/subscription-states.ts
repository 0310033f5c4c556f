import type { components } from '../../../generated/api.ts';
import { unreachable } from '../../lib/errors.ts';
import { dateText, fiatText, momentText, networkText, plainAmount, tokenText } from './format.ts';

export type PublicSubscription = components['schemas']['PublicSubscription'];

/**
 * The states that a customer needs to tell apart. In `ended` the agreement has run out, in `expired` the subscription
 * has.
 */
export type SubscriptionState =
  | 'waiting'
  | 'submitted'
  | 'done'
  | 'past_due'
  | 'revoked'
  | 'ended'
  | 'cancelled'
  | 'expired';

/** What the page says in a state. */
export type SubscriptionText = {
  /** The title of the document. */
  readonly title: string;
  readonly headline: string;
  readonly text: readonly string[];
};

type Words = { readonly short: string; readonly headline: string; readonly text: readonly string[] };

const EVERY = { daily: 'every day', weekly: 'every week', monthly: 'every month', yearly: 'every year' } as const;

/** After this long the network has usually accepted a signature. */
const PATIENCE_MS = 10 * 60_000;

const REFUSED =
  'The network refused what your wallet had signed. Nothing is lost: you can agree by a transaction of your wallet instead.';

/** The interval in words: `every month`. */
export const everyText = ({ interval }: Pick<PublicSubscription, 'interval'>): string => EVERY[interval];

/** Whether the customer is asked to sign. */
export const isAsked = ({ typedData, submittedAt }: PublicSubscription): boolean =>
  typedData !== null && submittedAt === null;

/** Whether the customer is asked to agree by a transaction, because the chain has refused a signature. */
export const isByTransaction = (subscription: PublicSubscription): boolean =>
  isAsked(subscription) && subscription.agreeBy === 'transaction';

/** The state of the page. Pure. */
export function stateOf(subscription: PublicSubscription): SubscriptionState {
  const { status, mandateStatus, submittedAt, typedData, failureCode } = subscription;
  if (status === 'cancelled' || status === 'expired') return status;
  // A submitted mandate keeps its typed data until the chain has it.
  if (typedData !== null && submittedAt !== null) return 'submitted';
  switch (mandateStatus) {
    case 'pending':
      return 'waiting';
    case 'active':
      // A charge that failed for lack of a mandate is collected now that there is one.
      return status === 'past_due' && !failureCode?.startsWith('mandate_') ? 'past_due' : 'done';
    case 'revoked':
      return 'revoked';
    case 'expired':
      return 'ended';
    default:
      return unreachable(mandateStatus);
  }
}

/** What the page says in `state` at `now` (business time). */
export function describe(subscription: PublicSubscription, state: SubscriptionState, now: Date): SubscriptionText {
  const { short, headline, text } = wordsOf(subscription, state, now);
  const { merchantName } = subscription;
  const refused = isByTransaction(subscription) ? [REFUSED] : [];
  return { headline, text: [...text, ...refused], title: `${short} · ${priceText(subscription)} to ${merchantName}` };
}

/** `USD 25.00 every month`. */
export const priceText = (subscription: PublicSubscription): string =>
  `${fiatText(subscription.amount, subscription.currency)} ${everyText(subscription)}`;

/**
 * What one charge takes in the token: `25.00 USDT`. A price in rupees follows the rate, so its mandate allows a quarter
 * more, rounded up, than was due when it was made. The text shows the amount that was due then.
 */
export function chargeText(subscription: PublicSubscription): string {
  const { amount, currency, token, mandate, tokenDecimals } = subscription;
  if (currency === 'USD') return tokenText(amount.toFixed(2), token);
  return tokenText(decimals((BigInt(mandate.maxPerPeriod) * 4n) / 5n, tokenDecimals), token);
}

/** Base units of a token as a decimal string. */
export function decimals(units: bigint, places: number): string {
  const digits = units.toString().padStart(places + 1, '0');
  return plainAmount(`${digits.slice(0, -places)}.${digits.slice(-places)}`);
}

function wordsOf(subscription: PublicSubscription, state: SubscriptionState, now: Date): Words {
  const { merchantName, network } = subscription;
  const price = priceText(subscription);
  switch (state) {
    case 'waiting':
      return { short: 'Agree', headline: 'Waiting for your agreement', text: waitingText(subscription, now) };
    case 'submitted':
      return {
        short: 'Sent',
        headline: 'Sent, waiting for the network',
        text: [
          `Your signature is on its way to ${networkText(network)}.`,
          hasWaitedLong(subscription, now)
            ? 'It takes longer than usual. It goes on by itself: you have nothing to do, and may close this page.'
            : 'You have nothing more to do and may close this page.',
        ],
      };
    case 'done':
      return {
        short: 'Agreed',
        headline: 'You have agreed',
        text: [
          `${merchantName} may now collect ${price}.`,
          'Your money stays in your wallet until each charge, and you can stop at any time.',
        ],
      };
    case 'past_due':
      return { short: 'Not charged', ...pastDueWords(subscription, now) };
    case 'revoked':
    case 'ended':
      return { short: 'Stopped', ...stoppedWords(subscription, state, now) };
    case 'cancelled':
    case 'expired':
      return { short: 'Over', ...overWords(subscription, state, now) };
    default:
      return unreachable(state);
  }
}

function waitingText(subscription: PublicSubscription, now: Date): string[] {
  const { trialEnd, status, merchantName, currentPeriodEnd } = subscription;
  if (status === 'past_due') {
    return trialEnd === currentPeriodEnd
      ? ['Your free time is over. The first charge follows as soon as you agree.']
      : [
          `Prices have moved: ${chargeText(subscription)} is due, more than you agreed to. It is charged as soon as you agree anew.`,
        ];
  }
  if (trialEnd !== null && new Date(trialEnd) > now) {
    return [`It is free until ${momentText(trialEnd)}. ${merchantName} asks you to agree now to what comes then.`];
  }
  return ['Nothing is taken before you agree. Please read what you agree to, then take the steps below.'];
}

const hasWaitedLong = ({ submittedAt }: PublicSubscription, now: Date): boolean =>
  submittedAt !== null && now.getTime() - new Date(submittedAt).getTime() > PATIENCE_MS;

function pastDueWords(subscription: PublicSubscription, now: Date): Omit<Words, 'short'> {
  const { failureCode, token, network, merchantName, nextChargeAt } = subscription;
  const charge = chargeText(subscription);
  const again = nextChargeAt !== null && new Date(nextChargeAt) > now ? momentText(nextChargeAt) : null;
  const otherwise = again ? [`Otherwise it is tried again on ${again}.`] : [];
  const ask = `Please get in touch with ${merchantName}.`;
  switch (failureCode) {
    case 'insufficient_balance':
      return {
        headline: `Your wallet holds too little ${token}`,
        text: [
          `${charge} is due. Send what is missing to your wallet, on ${networkText(network)}: it is then collected by itself.`,
          ...otherwise,
        ],
      };
    case 'insufficient_allowance':
      return {
        headline: `Your wallet allows too little ${token}`,
        text: [`${charge} is due. Raise what your wallet allows: it is then collected by itself.`, ...otherwise],
      };
    case 'token_blocked':
      return {
        headline: `${token} can not leave your wallet`,
        text: [`The token's own contract refuses to move money of this wallet. ${ask}`],
      };
    case 'mandate_missing':
    case 'mandate_revoked':
    case 'network_unavailable':
    case 'gas_too_dear':
    case null:
      return {
        headline: 'The last charge did not go through',
        text: [
          again
            ? `It is tried again on ${again}; you have nothing to do.`
            : 'It is tried again; you have nothing to do.',
        ],
      };
    default:
      return unreachable(failureCode);
  }
}

function stoppedWords(subscription: PublicSubscription, state: 'revoked' | 'ended', now: Date): Omit<Words, 'short'> {
  const { terms, merchantName } = subscription;
  const goOn = isAsked(subscription)
    ? 'If you want to go on, agree again below.'
    : `If you want to go on, please get in touch with ${merchantName}.`;
  return state === 'revoked'
    ? {
        headline: 'You have stopped the charges',
        text: ['Nothing can be taken from your wallet any more.', ...paidText(subscription, now), goOn],
      }
    : {
        headline: 'Your agreement has ended',
        text: [`It was given until ${dateText(terms.until)}. Nothing can be taken from your wallet any more.`, goOn],
      };
}

function overWords(subscription: PublicSubscription, state: 'cancelled' | 'expired', now: Date): Omit<Words, 'short'> {
  const headline = state === 'cancelled' ? 'This subscription is cancelled' : 'This subscription is over';
  return { headline, text: [`${whyOver(subscription)} Nothing more is charged.`, ...paidText(subscription, now)] };
}

function whyOver({ cancelReason, merchantName }: PublicSubscription): string {
  switch (cancelReason) {
    case 'requested':
      return `${merchantName} has cancelled it.`;
    case 'not_authorized':
      return 'Nobody agreed to it in time.';
    case 'payment_failed':
      return 'A charge failed, and the last try did too.';
    case 'merchant_terminated':
      return `${merchantName} no longer takes payments here.`;
    case null:
      return '';
    default:
      return unreachable(cancelReason);
  }
}

/** Says how long paid access lasts. Without an agreement nothing was paid. */
function paidText({ currentPeriodEnd, cancelReason, firstChargeAt }: PublicSubscription, now: Date): string[] {
  const holds = new Date(currentPeriodEnd) > now && new Date(firstChargeAt) <= now;
  return holds && cancelReason !== 'not_authorized'
    ? [`What you have paid for holds until ${momentText(currentPeriodEnd)}.`]
    : [];
}
