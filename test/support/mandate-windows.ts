import { availableAt, type MandateTerms, type WindowState } from '../../src/subscriptions/schedule/mandate-window.ts';

/** What the collector stores after charging `amount` at `now`; null where it refuses that (`PeriodLimit`). */
export function chargedAt(terms: MandateTerms, state: WindowState, amount: bigint, now: Date): WindowState | null {
  const available = availableAt(terms, state, now);
  const window = Math.floor((Math.floor(now.getTime() / 1000) - terms.start) / terms.period) + 1;
  return amount > available ? null : { window, available: available - amount };
}
