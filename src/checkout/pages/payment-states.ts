import type { components } from '../../../generated/api.ts';
import { unreachable } from '../../lib/errors.ts';
import { astrayLeft, astrayText } from './astray-text.ts';
import { confirmingText, waitsForBlock } from './confirming.ts';
import { networkText } from './format.ts';
import { chosenOption } from './pay-view.ts';
import type { PaymentState } from './payment-state.ts';
import { replacedText } from './replaced-text.ts';
import type { Words } from './words.ts';

type PublicPayment = components['schemas']['PublicPayment'];

/** What the page says in a state. */
export type PaymentText = {
  /** The title of the document. */
  readonly title: string;
  readonly headline: string;
  readonly text: readonly string[];
  /** What is unusual about the money. */
  readonly notice: string | null;
  /** What became of a transfer that is gone. */
  readonly replaced: string | null;
};

/**
 * The page's state at `now`. It is `time_up` from the deadline until the last block that could hold a timely transfer
 * is read, `unlisted` while none of the payment's networks is listed any more or its
 * merchant may not collect, and `unpriced` while the chosen coin has
 * no price.
 */
export function stateOf(payment: PublicPayment, now: Date): PaymentState {
  switch (payment.status) {
    case 'initiated':
    case 'pending':
      if (now >= new Date(payment.expiresAt) || payment.amountDue === 0) return 'time_up';
      if (payment.options.length === 0) return 'unlisted';
      if (chosenOption(payment)?.unavailable) return 'unpriced';
      return payment.amountReceived > 0 ? 'part_paid' : 'waiting';
    case 'expired':
      return payment.reason === 'cancelled' ? 'cancelled' : 'expired';
    case 'confirming':
    case 'paid':
    case 'failed':
      return payment.status;
    default:
      return unreachable(payment.status);
  }
}

/** What the page says in `state`. */
export function describe(payment: PublicPayment, state: PaymentState, words: Words): PaymentText {
  const asked = words.fiat(payment.amount, payment.currency);
  const { short, headline, text } = textOf(payment, state, words);
  return {
    ...{ headline, text },
    title: words.say('payment.title', { state: short, asked, merchant: payment.merchantName }),
    notice: noticeOf(payment, state, words),
    replaced: replacedText(payment, state, words),
  };
}

type Text = { readonly short: string; readonly headline: string; readonly text: readonly string[] };

/** What has arrived of what was asked: the figures of a sentence. */
const figuresOf = ({ amount, amountReceived, currency }: PublicPayment, { fiat }: Words) => ({
  received: fiat(amountReceived, currency),
  asked: fiat(amount, currency),
});

function textOf(payment: PublicPayment, state: PaymentState, words: Words): Text {
  const { say } = words;
  const merchant = payment.merchantName;
  const arrived = say('payment.arrived', figuresOf(payment, words));
  const something = payment.amountReceived > 0;
  const safe = payment.amountRefunded > 0 ? givenBack(payment, words) : say('payment.not_lost', { merchant });
  switch (state) {
    case 'waiting':
      return { short: say('payment.waiting.short'), headline: say('payment.waiting'), text: [] };
    case 'part_paid': {
      const missing = words.tokens(payment.tokenAmountDue, payment.token);
      const rest = say('payment.part_paid.rest', { missing, network: networkText(payment.network) });
      const headline = say('payment.part_paid', { missing });
      return { short: say('payment.part_paid.short'), headline, text: [arrived, rest] };
    }
    case 'unpriced':
      return unpricedText(payment, something ? arrived : null, words);
    case 'unlisted': {
      const { merchantCollects } = payment;
      const next = merchantCollects ? [say('payment.ask_new', { merchant })] : [];
      const left = something ? [`${arrived} ${safe}`] : (astrayLeft(payment, safe, words) ?? next);
      const stop = merchantCollects
        ? say('payment.unlisted.stop', { network: networkText(payment.network) })
        : `${say('payment.not_collecting')} ${say('payment.stop')}`;
      const text = [stop, ...left];
      return { short: say('payment.unlisted.short'), headline: say('payment.unlisted'), text };
    }
    case 'time_up': {
      const text = [say('payment.time_up.stop'), say('payment.time_up.reading')];
      return { short: say('payment.time_up'), headline: say('payment.time_up'), text };
    }
    case 'confirming':
      return confirmingState(payment, words);
    case 'paid': {
      const text = [say('payment.paid.thanks', { merchant })];
      return { short: say('payment.paid.short'), headline: say('payment.paid'), text };
    }
    case 'expired':
    case 'cancelled':
    case 'failed':
      return endedText(merchant, state, something ? [arrived, safe] : astrayLeft(payment, safe, words), words);
    default:
      return unreachable(state);
  }
}

function confirmingState(payment: PublicPayment, words: Words): Text {
  const { say } = words;
  const next = payment.successUrl
    ? say('payment.confirming.back', { merchant: payment.merchantName })
    : say('payment.confirming.close');
  return {
    short: say('payment.confirming.short', payment.confirmations),
    headline: say(waitsForBlock(payment) ? 'payment.confirming.waits' : 'payment.confirming'),
    text: [...confirmingText(payment, words), next],
  };
}

/** `arrived` says what has come already; null when nothing has. */
function unpricedText({ token, options }: PublicPayment, arrived: string | null, { say }: Words): Text {
  const others = options.some(({ unavailable }) => !unavailable);
  return {
    short: say('payment.unpriced.short'),
    headline: say('payment.unpriced', { token }),
    text: [
      ...(arrived === null ? [] : [arrived]),
      say('payment.unpriced.why', { token }),
      say(others && arrived === null ? 'payment.unpriced.choose' : 'payment.unpriced.wait'),
    ],
  };
}

/** That money went back, in the words of the page. */
const givenBack = ({ merchantName, amountRefunded, currency }: PublicPayment, { say, fiat }: Words): string =>
  say('payment.given_back', { merchant: merchantName, amount: fiat(amountRefunded, currency) });

/** `left` says what happened to money that arrived; null when none did. */
function endedText(
  merchant: string,
  state: 'expired' | 'cancelled' | 'failed',
  left: readonly string[] | null,
  { say }: Words,
): Text {
  const over = (why: string): readonly string[] => [`${why} ${say('payment.stop')}`];
  switch (state) {
    case 'expired': {
      const headline = say(left ? 'payment.expired.received' : 'payment.expired');
      return { short: say('payment.expired.short'), headline, text: left ?? over(say('payment.expired.nothing')) };
    }
    case 'cancelled': {
      const text = left ?? over(say('payment.cancelled.by', { merchant }));
      return { short: say('payment.cancelled.short'), headline: say('payment.cancelled'), text };
    }
    case 'failed': {
      const text = [say('payment.failed.why'), say('payment.failed.next', { merchant })];
      return { short: say('payment.failed.short'), headline: say('payment.failed'), text };
    }
    default:
      return unreachable(state);
  }
}

function overpaidNotice(payment: PublicPayment, words: Words): string {
  const { say } = words;
  const sums = say('payment.overpaid', figuresOf(payment, words));
  const twice = payment.transactions.some(({ astray }) => astray === 'again');
  const figures = twice ? `${say('payment.overpaid.twice')} ${sums}` : sums;
  if (payment.refundOffer) return figures;
  return `${figures} ${say('payment.overpaid.surplus', { merchant: payment.merchantName })}`;
}

/** What became of a paid payment to which something else than its amount came. */
function settledNotice(payment: PublicPayment, words: Words): string | null {
  const { merchantName, amount, amountReceived, amountRefunded } = payment;
  if (amountRefunded > 0) return givenBack(payment, words);
  if (amountReceived >= amount) return null;
  return words.say('payment.settled', { ...figuresOf(payment, words), merchant: merchantName });
}

function noticeOf(payment: PublicPayment, state: PaymentState, words: Words): string | null {
  const { exception } = payment;
  switch (exception) {
    case 'wrong_token':
      return astrayText(payment, words);
    case 'overpaid':
      return overpaidNotice(payment, words);
    case 'late':
      return state === 'confirming' || state === 'paid' ? words.say('payment.late') : null;
    case 'underpaid':
      return null;
    case null:
      return state === 'paid' ? settledNotice(payment, words) : null;
    default:
      return unreachable(exception);
  }
}
