import type { components } from '../../../generated/api.ts';
import { unreachable } from '../../lib/errors.ts';
import { type ContactLink, contactLinks } from './contact-view.ts';
import { networkText, shortHash } from './format.ts';
import type { Words } from './words.ts';

export type PublicRefund = components['schemas']['PublicRefund'];

/** What the page of a refund says. */
export type RefundView = {
  readonly title: string;
  readonly headline: string;
  readonly text: readonly string[];
  readonly badge: { readonly name: string; readonly tone: string } | null;
  /** The words of the form; null when there is nothing left to say. */
  readonly form: { readonly heading: string; readonly button: string } | null;
  readonly contact: readonly ContactLink[];
  readonly lines: readonly Line[];
};

/** A fact of the refund. One that readers look up elsewhere has the words of a button that copies it. */
type Line = {
  readonly label: string;
  readonly value: string;
  readonly copy?: { readonly label: string; readonly copied: string };
};

/** The page of a refund for whoever has its link. */
export function refundView(refund: PublicRefund, words: Words): RefundView {
  const { merchantName, destinationAddress, txHash } = refund;
  const { say, fiat } = words;
  const network = networkText(refund.network);
  const money = say('on_network', { money: words.tokens(refund.tokenAmount, refund.token), network });
  const worth = fiat(refund.amount, refund.currency);
  return {
    ...textOf(refund, money, words),
    contact: contactLinks(refund.merchantContact),
    title: say('refund.title', { amount: worth, merchant: merchantName }),
    form: refund.isChangeable && !refund.isProven ? formOf(destinationAddress, words) : null,
    lines: [
      { label: say('refund.worth'), value: worth },
      { label: say('refund.paid_for'), value: fiat(refund.paymentAmount, refund.currency) },
      { label: say('refund.network'), value: network },
      ...(destinationAddress === null ? [] : [{ label: say('refund.goes_to'), value: destinationAddress }]),
      ...(txHash === null ? [] : [transactionLine(txHash, words)]),
    ],
  };
}

/** The whole hash: half of one finds nothing in an explorer. */
const transactionLine = (hash: string, { say }: Words): Line => ({
  label: say('refund.transaction'),
  value: hash,
  copy: { label: say('copy.hash', { hash: shortHash(hash) }), copied: say('copied.hash') },
});

const formOf = (destination: string | null, { say }: Words) =>
  destination === null
    ? { heading: say('refund.where'), button: say('refund.where.button') }
    : { heading: say('refund.wrong'), button: say('refund.wrong.button') };

type Text = Pick<RefundView, 'headline' | 'text' | 'badge'>;

function textOf({ status, merchantName: merchant, isProven }: PublicRefund, money: string, { say }: Words): Text {
  const clock = { name: 'clock', tone: '' };
  switch (status) {
    case 'awaiting_claim':
      return {
        headline: say('refund.awaiting', { merchant }),
        text: [say('refund.awaiting.next', { money })],
        badge: null,
      };
    case 'pending': {
      const text = [say(isProven ? 'refund.pending.proven' : 'refund.pending.claimed', { money })];
      return { headline: say('refund.pending'), text, badge: clock };
    }
    case 'processing':
      return { headline: say('refund.processing'), text: [say('refund.processing.text', { money })], badge: clock };
    case 'completed':
      return {
        headline: say('refund.completed'),
        text: [say('refund.completed.text', { money })],
        badge: { name: 'tick', tone: 'paid' },
      };
    case 'cancelled':
      return {
        headline: say('refund.cancelled'),
        text: [say('refund.cancelled.text', { merchant })],
        badge: { name: 'cross', tone: '' },
      };
    case 'failed':
      return {
        headline: say('refund.failed'),
        text: [say('refund.failed.text', { merchant })],
        badge: { name: 'warn', tone: 'warn' },
      };
    default:
      return unreachable(status);
  }
}
