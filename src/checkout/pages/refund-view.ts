import type { components } from '../../../generated/api.ts';
import { unreachable } from '../../lib/errors.ts';
import { type ContactLink, contactLinks } from './contact-view.ts';
import { fiatText, networkText, shortHash, tokenText } from './format.ts';

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
  readonly lines: readonly { readonly label: string; readonly value: string }[];
};

/** The page of a refund for whoever has its link. */
export function refundView(refund: PublicRefund): RefundView {
  const { merchantName, destinationAddress, txHash } = refund;
  const amount = tokenText(refund.tokenAmount, refund.token);
  const network = networkText(refund.network);
  const words = wordsOf(refund, `${amount} on ${network}`);
  return {
    ...words,
    contact: contactLinks(refund.merchantContact),
    title: `Refund of ${fiatText(refund.amount, refund.currency)} from ${merchantName}`,
    form: refund.isChangeable && !refund.isProven ? formOf(destinationAddress) : null,
    lines: [
      { label: 'Worth', value: fiatText(refund.amount, refund.currency) },
      { label: 'What you paid for', value: fiatText(refund.paymentAmount, refund.currency) },
      { label: 'Network', value: network },
      ...(destinationAddress === null ? [] : [{ label: 'Goes to', value: destinationAddress }]),
      ...(txHash === null ? [] : [{ label: 'Transaction', value: shortHash(txHash) }]),
    ],
  };
}

const formOf = (destination: string | null) =>
  destination === null
    ? { heading: 'Where shall it go?', button: 'Send it there' }
    : { heading: 'Is the address wrong?', button: 'Change the address' };

type Words = Pick<RefundView, 'headline' | 'text' | 'badge'>;

function wordsOf({ status, merchantName, isProven }: PublicRefund, money: string): Words {
  switch (status) {
    case 'awaiting_claim':
      return {
        headline: `${merchantName} gives you money back`,
        text: [`You get ${money}. Say which address of yours it shall go to.`],
        badge: null,
      };
    case 'pending':
      return {
        headline: 'Your refund waits to be paid',
        text: [
          isProven
            ? `${money} will be sent back to the wallet that paid, which has signed for it.`
            : `${money} will be sent to the address below. You can still change it.`,
        ],
        badge: { name: 'clock', tone: '' },
      };
    case 'processing':
      return {
        headline: 'Your refund is being paid',
        text: [`${money} is being sent to the address below. It can not be changed any more.`],
        badge: { name: 'clock', tone: '' },
      };
    case 'completed':
      return {
        headline: 'Your refund is paid',
        text: [`${money} was sent to the address below.`],
        badge: { name: 'tick', tone: 'paid' },
      };
    case 'cancelled':
      return {
        headline: 'This refund was taken back',
        text: [`${merchantName} has cancelled it. Please ask them why.`],
        badge: { name: 'cross', tone: '' },
      };
    case 'failed':
      return {
        headline: 'This refund could not be paid',
        text: [`The money is with ${merchantName} again. Please ask them for another way.`],
        badge: { name: 'warn', tone: 'warn' },
      };
    default:
      return unreachable(status);
  }
}
