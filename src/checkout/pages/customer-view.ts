import type { components } from '../../../generated/api.ts';
import { unreachable } from '../../lib/errors.ts';
import { networkText } from './format.ts';
import { priceText } from './subscription-states.ts';
import { shortAddress } from './subscription-view.ts';
import type { Key, Words } from './words.ts';

export type CustomerList = components['schemas']['CustomerSubscriptionList'];
type Listed = components['schemas']['CustomerSubscription'];

type ChargeView = {
  readonly when: string;
  readonly paid: string;
  readonly note: string | null;
  readonly receipt: string;
};

/** One subscription of the list; the template decides nothing. */
export type ListedView = {
  readonly id: string;
  readonly planName: string;
  readonly merchantName: string;
  readonly price: string;
  readonly tone: 'good' | 'warn' | 'over';
  readonly headline: string;
  readonly text: readonly string[];
  readonly network: string;
  readonly account: string;
  readonly page: string;
  readonly canTry: boolean;
  readonly canCancel: boolean;
  /** What cancelling it now does. */
  readonly cancelMeans: string;
  readonly charges: readonly ChargeView[];
};

/** Everything that the list shows. */
export type CustomerView = {
  readonly wallet: string;
  readonly until: string;
  readonly listed: readonly ListedView[];
  readonly page: number;
  readonly pages: number;
};

/** The list as its page shows it at `now` (business time). */
export const customerView = (list: CustomerList, base: string, now: Date, words: Words): CustomerView => ({
  wallet: shortAddress(list.walletAddress),
  until: words.moment(list.expiresAt),
  listed: list.subscriptions.map((each) => listedView(each, base, now, words)),
  page: list.pagination.page,
  pages: list.pagination.totalPages,
});

function listedView(listed: Listed, base: string, now: Date, words: Words): ListedView {
  const { status, currentPeriodEnd } = listed;
  const isOver = status === 'cancelled' || status === 'expired';
  return {
    id: listed.id,
    planName: listed.planName,
    merchantName: listed.merchantName,
    price: priceText(listed, words),
    ...stateOf(listed, now, words),
    network: networkText(listed.network),
    account: listed.walletAddress,
    page: `${base}/subscription/${listed.id}`,
    canTry: listed.isRetryable,
    canCancel: !isOver,
    cancelMeans: words.say('customer.cancel.means', {
      holds: isPaid(listed, now) ? 'yes' : 'no',
      when: words.moment(currentPeriodEnd),
    }),
    charges: listed.charges.map((charge) => ({
      when: words.date(charge.periodStart),
      paid:
        charge.tokenAmount === null
          ? words.fiat(charge.amount, charge.currency)
          : words.tokens(charge.tokenAmount, charge.token),
      note: charge.status === 'confirming' ? words.say('customer.confirming') : null,
      receipt: new URL(charge.receiptUrl).pathname,
    })),
  };
}

/** Whether the present period was paid. */
const isPaid = ({ status, currentPeriodEnd, charges }: Listed, now: Date): boolean =>
  status !== 'past_due' &&
  new Date(currentPeriodEnd) > now &&
  // What a reorg took back is not among them; an earlier period may be.
  charges.some(({ periodEnd }) => new Date(periodEnd) > now);

type State = Pick<ListedView, 'tone' | 'headline' | 'text'>;

function stateOf(listed: Listed, now: Date, words: Words): State {
  const { say, moment } = words;
  const { status, mandateStatus, nextChargeAt, currentPeriodEnd } = listed;
  const next = nextChargeAt !== null && new Date(nextChargeAt) > now ? moment(nextChargeAt) : null;
  switch (status) {
    case 'cancelled': {
      const text = isPaid(listed, now) ? [say('subscription.paid_until', { when: moment(currentPeriodEnd) })] : [];
      return { tone: 'over', headline: say('subscription.cancelled'), text };
    }
    case 'expired':
      return { tone: 'over', headline: say('subscription.expired'), text: [] };
    case 'past_due':
      return pastDue(listed, next, words);
    case 'active':
    case 'trialing':
      return running(mandateStatus, next, words);
    default:
      return unreachable(status);
  }
}

function running(mandateStatus: Listed['mandateStatus'], next: string | null, { say }: Words): State {
  const missing = withoutMandate(mandateStatus, say);
  if (missing !== null) return { tone: 'warn', headline: missing, text: [] };
  return { tone: 'good', headline: next ? say('promise.next_on', { when: next }) : say('line.collecting'), text: [] };
}

/** Why nothing can be charged; null while the agreement stands. */
function withoutMandate(status: Listed['mandateStatus'], say: Words['say']): string | null {
  switch (status) {
    case 'active':
      return null;
    case 'pending':
      return say('customer.to_agree');
    case 'revoked':
      return say('subscription.revoked');
    case 'expired':
      return say('subscription.ended');
    default:
      return unreachable(status);
  }
}

const FAULTS = {
  insufficient_balance: 'subscription.past_due.balance',
  insufficient_allowance: 'subscription.past_due.allowance',
  token_blocked: 'subscription.past_due.blocked',
} as const satisfies Readonly<Record<string, Key>>;

/** Without a mandate nothing is tried, whatever had failed before. */
function pastDue({ failureCode, token, mandateStatus }: Listed, next: string | null, { say }: Words): State {
  const missing = withoutMandate(mandateStatus, say);
  if (missing !== null) return { tone: 'warn', headline: missing, text: [] };
  const again = next === null ? [] : [say('subscription.past_due.otherwise', { when: next })];
  const key =
    failureCode !== null && Object.hasOwn(FAULTS, failureCode) ? FAULTS[failureCode as keyof typeof FAULTS] : null;
  if (key) return { tone: 'warn', headline: say(key, { token }), text: again };
  return { tone: 'warn', headline: say('subscription.past_due.other'), text: again };
}
