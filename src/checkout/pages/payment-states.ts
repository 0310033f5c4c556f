import type { components } from '../../../generated/api.ts';
import { unreachable } from '../../lib/errors.ts';
import { astrayLeft, astrayText } from './astray-text.ts';
import { confirmingText, waitsForBlock } from './confirming.ts';
import { fiatText, networkText, tokenText } from './format.ts';
import { chosenOption } from './pay-view.ts';
import type { PaymentState } from './payment-state.ts';
import { replacedText } from './replaced-text.ts';

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
 * is read, `unlisted` while none of the payment's networks is listed any more, and `unpriced` while the chosen coin has
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
export function describe(payment: PublicPayment, state: PaymentState): PaymentText {
  const asked = fiatText(payment.amount, payment.currency);
  const { merchantName } = payment;
  const words = wordsOf(payment, state, asked);
  return {
    ...words,
    title: `${words.short} · ${asked} to ${merchantName}`,
    notice: noticeOf(payment, state),
    replaced: replacedText(payment, state),
  };
}

type Words = { readonly short: string; readonly headline: string; readonly text: readonly string[] };

function wordsOf(payment: PublicPayment, state: PaymentState, asked: string): Words {
  const { merchantName, confirmations } = payment;
  const arrived = `${fiatText(payment.amountReceived, payment.currency)} of ${asked} has arrived.`;
  const something = payment.amountReceived > 0;
  const safe =
    payment.amountRefunded > 0
      ? givenBack(payment)
      : `Your money is not lost: ${merchantName} can see it and decides how to settle it. Please get in touch with them.`;
  switch (state) {
    case 'waiting':
      return { short: 'Pay', headline: 'Awaiting payment', text: [] };
    case 'part_paid': {
      const missing = tokenText(payment.tokenAmountDue, payment.token);
      const rest = `Send the remaining ${missing} on ${networkText(payment.network)} to the address below.`;
      return { short: 'Part paid', headline: `${missing} still missing`, text: [arrived, rest] };
    }
    case 'unpriced':
      return unpricedWords(payment, something ? arrived : null);
    case 'unlisted':
      return {
        short: 'Not possible',
        headline: 'This payment can no longer be made',
        text: [
          `Payments on ${networkText(payment.network)} are no longer taken. Please send nothing more to its address.`,
          something
            ? `${arrived} ${safe}`
            : (astrayLeft(payment, safe)?.join(' ') ?? `Ask ${merchantName} for a new payment.`),
        ],
      };
    case 'time_up':
      return {
        short: 'Time is up',
        headline: 'Time is up',
        text: [
          'Please send nothing more.',
          'We are still reading the last blocks to see whether your payment arrived in time.',
        ],
      };
    case 'confirming':
      return {
        short: `Confirming ${confirmations.seen} of ${confirmations.required}`,
        headline: waitsForBlock(payment) ? 'Payment seen, waiting for a block' : 'Payment received, confirming',
        text: [
          ...confirmingText(payment),
          payment.successUrl
            ? `You have nothing more to do. When it is confirmed, this page leads back to ${merchantName}.`
            : 'You have nothing more to do and may close this page.',
        ],
      };
    case 'paid':
      return { short: 'Paid', headline: 'Payment complete', text: [`Thank you. ${merchantName} has your payment.`] };
    case 'expired':
    case 'cancelled':
    case 'failed':
      return endedWords(merchantName, state, something ? [arrived, safe] : astrayLeft(payment, safe));
    default:
      return unreachable(state);
  }
}

/** `arrived` says what has come already; null when nothing has. */
function unpricedWords({ token, options }: PublicPayment, arrived: string | null): Words {
  const others = options.some(({ unavailable }) => !unavailable);
  const wait = 'Or wait: this page goes on by itself when there is a price again.';
  return {
    short: 'No price',
    headline: `${token} has no price at the moment`,
    text: [
      ...(arrived === null ? [] : [arrived]),
      `No reliable price of ${token} can be had right now, so we can not say how much to send. What you have sent already counts.`,
      others && arrived === null
        ? `Choose something else to pay with. ${wait}`
        : 'Please wait: this page goes on by itself.',
    ],
  };
}

/** That money went back, in the words of the page. */
const givenBack = ({ merchantName, amountRefunded, currency }: PublicPayment): string =>
  `${merchantName} gives ${fiatText(amountRefunded, currency)} of it back to you, or has done so. They sent you a link for that.`;

/** `left` says what happened to money that arrived; null when none did. */
function endedWords(
  merchantName: string,
  state: 'expired' | 'cancelled' | 'failed',
  left: readonly string[] | null,
): Words {
  const stop = 'Please send nothing to its address any more.';
  switch (state) {
    case 'expired':
      return left
        ? { short: 'Expired', headline: 'The time ran out', text: left }
        : { short: 'Expired', headline: 'This payment has expired', text: [`Nothing arrived in time. ${stop}`] };
    case 'cancelled':
      return {
        short: 'Cancelled',
        headline: 'This payment was cancelled',
        text: left ?? [`${merchantName} cancelled it. ${stop}`],
      };
    case 'failed':
      return {
        short: 'Not confirmed',
        headline: 'The network did not confirm your payment',
        text: [
          'Your transfer was seen but not confirmed within 24 hours.',
          `Should it still go through, ${merchantName} will see it. Please get in touch with them.`,
        ],
      };
    default:
      return unreachable(state);
  }
}

function overpaidNotice(payment: PublicPayment): string {
  const { merchantName, amount, amountReceived, currency, refundOffer } = payment;
  const sums = `${fiatText(amountReceived, currency)} arrived, and ${fiatText(amount, currency)} was asked.`;
  const twice = payment.transactions.some(({ astray }) => astray === 'again');
  const figures = twice ? `You have sent more than once. ${sums}` : sums;
  return refundOffer ? figures : `${figures} ${merchantName} can see the surplus and decides how to settle it.`;
}

/** What became of a paid payment to which something else than its amount came. */
function settledNotice(payment: PublicPayment): string | null {
  const { merchantName, amount, amountReceived, amountRefunded, currency } = payment;
  if (amountRefunded > 0) return givenBack(payment);
  const figures = `${fiatText(amountReceived, currency)} of ${fiatText(amount, currency)} arrived`;
  return amountReceived < amount ? `${figures}, and ${merchantName} takes it as paid. You owe nothing more.` : null;
}

function noticeOf(payment: PublicPayment, state: PaymentState): string | null {
  const { exception } = payment;
  switch (exception) {
    case 'wrong_token':
      return astrayText(payment);
    case 'overpaid':
      return overpaidNotice(payment);
    case 'late':
      return state === 'confirming' || state === 'paid'
        ? 'It arrived after the time was up and was accepted all the same.'
        : null;
    case 'underpaid':
      return null;
    case null:
      return state === 'paid' ? settledNotice(payment) : null;
    default:
      return unreachable(exception);
  }
}
