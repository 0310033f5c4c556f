import type { components } from '../../../generated/api.ts';
import { networkText, shortHash } from './format.ts';
import type { PaymentState } from './payment-state.ts';
import type { Words } from './words.ts';

type PublicPayment = components['schemas']['PublicPayment'];

/**
 * What became of a transfer that the page has shown and that is gone, in plain words; null when there is none, or when
 * it no longer matters to the payer.
 */
export function replacedText(payment: PublicPayment, state: PaymentState, { say }: Words): string | null {
  const [gone] = payment.replaced;
  if (!gone) return null;
  const hash = shortHash(gone.hash);
  const by = gone.by === null ? null : shortHash(gone.by);
  const network = networkText(gone.network);
  if (by !== null && payment.transactions.some((transfer) => transfer.hash === gone.by)) {
    return say('replaced.paid', { hash, by });
  }
  if (state === 'confirming' || state === 'paid' || state === 'cancelled') return null;
  const isOpen = state === 'waiting' || state === 'part_paid' || state === 'unpriced';
  const next = (text: string, advice: string | null): string => (advice === null ? text : `${text} ${advice}`);
  if (by !== null) return next(say('replaced.other', { hash, by }), isOpen ? say('replaced.other.open') : null);
  if (gone.undone) {
    return next(
      say('replaced.undone', { hash, network }),
      say(isOpen ? 'replaced.undone.open' : 'replaced.undone.over'),
    );
  }
  return next(say('replaced.dropped', { hash, network }), isOpen ? say('replaced.dropped.open') : null);
}
