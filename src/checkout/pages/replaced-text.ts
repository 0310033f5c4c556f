import type { components } from '../../../generated/api.ts';
import { networkText, shortHash } from './format.ts';
import type { PaymentState } from './payment-state.ts';

type PublicPayment = components['schemas']['PublicPayment'];

/**
 * What became of a transfer that the page has shown and that is gone, in plain words; null when there is none, or when
 * it no longer matters to the payer.
 */
export function replacedText(payment: PublicPayment, state: PaymentState): string | null {
  const [gone] = payment.replaced;
  if (!gone) return null;
  const { hash, by, network, undone } = gone;
  if (by !== null && payment.transactions.some((transfer) => transfer.hash === by)) {
    return `Your transfer ${shortHash(hash)} was replaced by ${shortHash(by)}, which pays this, too. That one counts; you need do nothing.`;
  }
  if (state === 'confirming' || state === 'paid' || state === 'cancelled') return null;
  const isOpen = state === 'waiting' || state === 'part_paid' || state === 'unpriced';
  if (by !== null) {
    return [
      `Your transfer ${shortHash(hash)} was replaced by another one, ${shortHash(by)}, which does not pay this. Nothing of it has arrived here.`,
      isOpen ? ' Pay again if you still want to.' : '',
    ].join('');
  }
  if (undone) {
    return [
      `${networkText(network)} has undone your transfer ${shortHash(hash)}: the block that held it is gone. It may still go through by itself.`,
      isOpen
        ? ' Look at your wallet before you pay again.'
        : ' Look at your wallet: unless it goes through, the money is there.',
    ].join('');
  }
  return [
    `${networkText(network)} has dropped your transfer ${shortHash(hash)} before a block took it, most likely because its fee was too low. The money is still in your wallet.`,
    isOpen ? ' Send it again with a higher fee; should the first one come through after all, it counts, too.' : '',
  ].join('');
}
