import type { ChargeFacts } from './charge-facts.ts';
import type { Finding } from './examine.ts';

/**
 * What of a charge does not agree: with its payment, or with what the contract said. While something that was seen waits to be applied,
 * the chain is ahead of it. Pure.
 */
export function examineCharge(facts: ChargeFacts): Finding[] {
  const { id, status, paymentId, paysFor, paymentStatus, collected, unsettled } = facts;
  const findings: Finding[] = [];
  const report = (rule: string, message: string): void => void findings.push({ rule, subject: id, message });
  const taken = status === 'confirming' || status === 'succeeded';
  if (taken && paymentId === null) report('charge.payment', `it is ${status} and has no payment`);
  if (paymentId !== null && paysFor !== id) report('charge.payment', `its payment ${paymentId} pays for ${paysFor}`);
  if (collected > 1) report('charge.collected_once', `the chain collected it ${collected} times`);
  if (unsettled) return findings;
  if (status === 'succeeded' && paymentStatus !== 'paid') {
    report('charge.paid', `it succeeded and its payment is ${paymentStatus}`);
  }
  if (status !== 'succeeded' && paymentStatus === 'paid')
    report('charge.paid', `it is ${status} and its payment is paid`);
  if (status === 'confirming' && collected === 0)
    report('charge.collected', 'it is confirming and nothing collected it');
  if (!taken && collected > 0) report('charge.collected', `it is ${status} and the chain collected it`);
  return findings;
}
