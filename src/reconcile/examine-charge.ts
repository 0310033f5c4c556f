import type { ChargeFacts } from './charge-facts.ts';
import type { Finding } from './finding.ts';

/**
 * Checks a charge against its payment and against the collector's events. While an observed event or a signal is not
 * applied yet, the chain is ahead of the charge, so only what must hold at any time is checked. Pure.
 */
export function examineCharge(facts: ChargeFacts): Finding[] {
  const { id, status, paymentId, paysFor, paymentStatus, covered, reversed, forgotten, collected, unapplied } = facts;
  const findings: Finding[] = [];
  const report = (rule: string, message: string): void => void findings.push({ rule, subject: id, message });
  const wasCollected = status === 'confirming' || status === 'succeeded';
  if (wasCollected && paymentId === null) report('charge.payment', `it is ${status} and has no payment`);
  if (paymentId !== null && paysFor !== id) report('charge.payment', `its payment ${paymentId} pays for ${paysFor}`);
  if (collected > 1) report('charge.collected_once', `the chain collected it ${collected} times`);
  if (unapplied) return findings;
  if (status === 'succeeded' && paymentStatus !== 'paid') {
    report('charge.paid', `it succeeded and its payment is ${paymentStatus}`);
  }
  if (status === 'succeeded' && paymentStatus === 'paid' && !covered)
    report('charge.reversed', 'it succeeded, its money was taken back, and it is not due again');
  if (status !== 'succeeded' && paymentStatus === 'paid' && !reversed)
    report('charge.paid', `it is ${status} and its payment is paid`);
  if (forgotten) report('charge.reversed', 'its money was taken back, and it is not due again');
  if (status === 'confirming' && collected === 0)
    report('charge.collected', 'it is confirming and nothing collected it');
  // See decision subscriptions/reversed-charges-are-due-again: its money is doubted, and its block still stands.
  const isGivenUp = status === 'void' && reversed && !covered;
  if (!wasCollected && !isGivenUp && collected > 0)
    report('charge.collected', `it is ${status} and the chain collected it`);
  return findings;
}
