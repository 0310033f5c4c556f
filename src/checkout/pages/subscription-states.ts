import type { components } from '../../../generated/api.ts';
import { unreachable } from '../../lib/errors.ts';
import { networkText, plainAmount } from './format.ts';
import type { Words } from './words.ts';

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

type Text = { readonly short: string; readonly headline: string; readonly text: readonly string[] };

/** After this long the network has usually accepted a signature. */
const PATIENCE_MS = 10 * 60_000;

/** The interval in words: `every month`. */
export const everyText = ({ interval }: Pick<PublicSubscription, 'interval'>, { say }: Words): string =>
  say('every', { interval });

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

/** Whether the page tells that the merchant may not collect, instead of what the customer would do for that. */
const isClosed = ({ merchantCollects }: PublicSubscription, state: SubscriptionState): boolean =>
  !merchantCollects && (state === 'waiting' || state === 'past_due');

/** What the page says in `state` at `now` (business time). */
export function describe(
  subscription: PublicSubscription,
  state: SubscriptionState,
  now: Date,
  words: Words,
): SubscriptionText {
  const { say } = words;
  const { short, headline, text } = textOf(subscription, state, now, words);
  const refused = isByTransaction(subscription) ? [say('subscription.refused')] : [];
  const price = priceText(subscription, words);
  const title = say('subscription.title', { state: short, price, merchant: subscription.merchantName });
  return { headline, text: [...text, ...refused], title };
}

/** `USD 25.00 every month`. */
export const priceText = (
  subscription: Pick<PublicSubscription, 'amount' | 'currency' | 'interval'>,
  words: Words,
): string =>
  words.say('price_every', {
    price: words.fiat(subscription.amount, subscription.currency),
    every: everyText(subscription, words),
  });

/**
 * What one charge takes in the token: `25.00 USDT`. A price in rupees follows the rate, so its mandate allows a quarter
 * more, rounded up, than was due when it was made. The text shows the amount that was due then.
 */
export function chargeText(subscription: PublicSubscription, { tokens }: Words): string {
  const { amount, currency, token, mandate, tokenDecimals } = subscription;
  if (currency === 'USD') return tokens(amount.toFixed(2), token);
  return tokens(decimals((BigInt(mandate.maxPerPeriod) * 4n) / 5n, tokenDecimals), token);
}

/**
 * What a failed charge may take by the time that it is tried again: of a price in rupees all that the mandate allows,
 * because a customer who refills a wallet by what was due when it was made may send too little.
 */
const mostDue = (subscription: PublicSubscription, words: Words): string =>
  subscription.currency === 'USD'
    ? chargeText(subscription, words)
    : words.tokens(subscription.terms.mostPerCharge, subscription.token);

/** Base units of a token as a decimal string. */
export function decimals(units: bigint, places: number): string {
  const digits = units.toString().padStart(places + 1, '0');
  return plainAmount(`${digits.slice(0, -places)}.${digits.slice(-places)}`);
}

function textOf(subscription: PublicSubscription, state: SubscriptionState, now: Date, words: Words): Text {
  const { say } = words;
  const { merchantName: merchant, network } = subscription;
  if (isClosed(subscription, state)) {
    const text = state === 'waiting' ? [say('subscription.stopped.nothing')] : [];
    return { short: say('payment.unlisted.short'), headline: say('payment.not_collecting'), text };
  }
  switch (state) {
    case 'waiting': {
      const text = waitingText(subscription, now, words);
      return { short: say('subscription.waiting.short'), headline: say('subscription.waiting'), text };
    }
    case 'submitted': {
      const isLong = hasWaitedLong(subscription, now);
      const text = [
        say('subscription.submitted.on_its_way', { network: networkText(network) }),
        say(isLong ? 'subscription.submitted.long' : 'subscription.submitted.close'),
      ];
      return { short: say('subscription.submitted.short'), headline: say('subscription.submitted'), text };
    }
    case 'done': {
      const may = say('subscription.done.may', { merchant, price: priceText(subscription, words) });
      const text = [may, say('subscription.done.stays')];
      return { short: say('subscription.done.short'), headline: say('subscription.done'), text };
    }
    case 'past_due':
      return { short: say('subscription.past_due.short'), ...pastDueText(subscription, now, words) };
    case 'revoked':
    case 'ended':
      return { short: say('subscription.stopped.short'), ...stoppedText(subscription, state, now, words) };
    case 'cancelled':
    case 'expired':
      return { short: say('subscription.over.short'), ...overText(subscription, state, now, words) };
    default:
      return unreachable(state);
  }
}

function waitingText(subscription: PublicSubscription, now: Date, words: Words): string[] {
  const { say, moment } = words;
  const { trialEnd, status, merchantName: merchant, currentPeriodEnd } = subscription;
  if (status === 'past_due') {
    return trialEnd === currentPeriodEnd
      ? [say('subscription.waiting.trial_over')]
      : [say('subscription.waiting.moved', { charge: chargeText(subscription, words) })];
  }
  if (trialEnd !== null && new Date(trialEnd) > now) {
    return [say('subscription.waiting.trial', { when: moment(trialEnd), merchant })];
  }
  return [say('subscription.waiting.read')];
}

const hasWaitedLong = ({ submittedAt }: PublicSubscription, now: Date): boolean =>
  submittedAt !== null && now.getTime() - new Date(submittedAt).getTime() > PATIENCE_MS;

function pastDueText(subscription: PublicSubscription, now: Date, words: Words): Omit<Text, 'short'> {
  const { say } = words;
  const { failureCode, token, network, merchantName: merchant, nextChargeAt } = subscription;
  const charge = mostDue(subscription, words);
  const moves = subscription.currency === 'USD' ? 'no' : 'yes';
  const when = nextChargeAt !== null && new Date(nextChargeAt) > now ? words.moment(nextChargeAt) : null;
  const otherwise = when ? [say('subscription.past_due.otherwise', { when })] : [];
  switch (failureCode) {
    case 'insufficient_balance': {
      const text = say('subscription.past_due.balance.text', { moves, charge, network: networkText(network) });
      return { headline: say('subscription.past_due.balance', { token }), text: [text, ...otherwise] };
    }
    case 'insufficient_allowance': {
      const text = say('subscription.past_due.allowance.text', { moves, charge });
      return { headline: say('subscription.past_due.allowance', { token }), text: [text, ...otherwise] };
    }
    case 'token_blocked': {
      const text = [say('subscription.past_due.blocked.text', { merchant })];
      return { headline: say('subscription.past_due.blocked', { token }), text };
    }
    case 'mandate_missing':
    case 'mandate_revoked':
    case 'network_unavailable':
    case 'gas_too_dear':
    case null: {
      const again = when ? say('subscription.past_due.again_on', { when }) : say('subscription.past_due.again');
      return { headline: say('subscription.past_due.other'), text: [again] };
    }
    default:
      return unreachable(failureCode);
  }
}

function stoppedText(
  subscription: PublicSubscription,
  state: 'revoked' | 'ended',
  now: Date,
  words: Words,
): Omit<Text, 'short'> {
  const { say } = words;
  const { terms, merchantName: merchant } = subscription;
  const goOn = isAsked(subscription)
    ? say('subscription.stopped.agree_again')
    : say('subscription.stopped.ask', { merchant });
  const nothing = say('subscription.stopped.nothing');
  if (state === 'revoked') {
    return { headline: say('subscription.revoked'), text: [nothing, ...paidText(subscription, now, words), goOn] };
  }
  const until = say('subscription.ended.until', { date: words.date(terms.until) });
  return { headline: say('subscription.ended'), text: [`${until} ${nothing}`, goOn] };
}

function overText(
  subscription: PublicSubscription,
  state: 'cancelled' | 'expired',
  now: Date,
  words: Words,
): Omit<Text, 'short'> {
  const { say } = words;
  const headline = say(state === 'cancelled' ? 'subscription.cancelled' : 'subscription.expired');
  const nothing = say('subscription.over.nothing');
  const why = whyOver(subscription, words);
  return { headline, text: [why === '' ? nothing : `${why} ${nothing}`, ...paidText(subscription, now, words)] };
}

function whyOver({ cancelReason, merchantName: merchant }: PublicSubscription, { say }: Words): string {
  switch (cancelReason) {
    case 'requested':
      return say('subscription.over.requested', { merchant });
    case 'customer_requested':
      return say('subscription.over.customer');
    case 'not_authorized':
      return say('subscription.over.not_authorized');
    case 'payment_failed':
      return say('subscription.over.payment_failed');
    case 'merchant_terminated':
      return say('subscription.over.terminated', { merchant });
    case null:
      return '';
    default:
      return unreachable(cancelReason);
  }
}

/** Says how long paid access lasts. Nothing was paid for a period whose charge failed, or was taken back. */
function paidText({ paidUntil, failureCode }: PublicSubscription, now: Date, { say, moment }: Words): string[] {
  return paidUntil !== null && new Date(paidUntil) > now && failureCode === null
    ? [say('subscription.paid_until', { when: moment(paidUntil) })]
    : [];
}
