import { type Charge, type Mandate, mandateId } from '../../src/chains/evm/collector.ts';
import type { CollectReason } from '../../src/ports/collector.ts';
import { availableAt, FRESH, type WindowState } from '../../src/subscriptions/schedule/mandate-window.ts';
import { chargedAt } from '../support/mandate-windows.ts';

/** Money that left a payer, according to the token's own logs. */
export type Taken = { readonly charge: Charge; readonly at: number };

/** The collector's expected outcomes, derived only from the written rules and the service's own window arithmetic. */
export type Model = {
  readonly mandates: Map<string, { status: 'active' | 'revoked'; lastNumber: number; windows: WindowState }>;
  readonly balances: Map<string, bigint>;
  readonly allowances: Map<string, bigint>;
};

export const createModel = (): Model => ({ mandates: new Map(), balances: new Map(), allowances: new Map() });

/** Whether the payer's authorisation is accepted. */
export function authorize(model: Model, mandate: Mandate, now: number): boolean {
  const known = model.mandates.get(mandateId(mandate));
  if (known) return known.status === 'active';
  if (now >= mandate.end) return false;
  model.mandates.set(mandateId(mandate), { status: 'active', lastNumber: 0, windows: FRESH });
  return true;
}

/** Revokes a mandate, given or not. */
export function revoke(model: Model, mandate: Mandate): void {
  const known = model.mandates.get(mandateId(mandate));
  model.mandates.set(mandateId(mandate), { lastNumber: 0, windows: FRESH, ...known, status: 'revoked' });
}

/** What is left of a mandate, and the latest charged number. */
export function remainderOf(model: Model, mandate: Mandate, now: number): { left: bigint; lastNumber: number } {
  const { lastNumber, windows } = model.mandates.get(mandateId(mandate)) ?? { lastNumber: 0, windows: FRESH };
  return { left: availableAt(mandate, windows, new Date(now * 1000)), lastNumber };
}

/** The outcome of a charge; a successful one is carried out. */
export function charge(model: Model, { mandate, amount, number }: Charge, now: number): CollectReason {
  const known = model.mandates.get(mandateId(mandate));
  if (number <= (known?.lastNumber ?? 0)) return 'AlreadyCharged';
  if (!known) return 'MandateMissing';
  if (known.status === 'revoked') return 'MandateRevoked';
  if (now < mandate.start) return 'NotStarted';
  if (now >= mandate.end) return 'Ended';
  const time = new Date(now * 1000);
  const windows = chargedAt(mandate, known.windows, amount, time);
  const begun = Math.floor((now - mandate.start) / mandate.period);
  if (amount === 0n || number > Number(BigInt(mandate.ref) % 2n ** 32n) + begun) return 'PeriodLimit';
  if (windows === null || amount > availableAt(mandate, known.windows, time)) return 'PeriodLimit';
  const balance = model.balances.get(mandate.payer) ?? 0n;
  if (balance < amount) return 'InsufficientBalance';
  const allowance = model.allowances.get(mandate.payer) ?? 0n;
  if (allowance < amount) return 'InsufficientAllowance';
  model.mandates.set(mandateId(mandate), { ...known, lastNumber: number, windows });
  model.balances.set(mandate.payer, balance - amount);
  if (allowance !== 2n ** 256n - 1n) model.allowances.set(mandate.payer, allowance - amount);
  return 'Ok';
}

/**
 * What must always hold, checked from the token's logs alone and without a bucket: never more than the limit times the
 * windows begun, never more than the limit and its carry within one window, nothing outside the mandate's time, no
 * number twice.
 */
export function findExcess(taken: readonly Taken[], now: number): string[] {
  return [...Map.groupBy(taken, (one) => mandateId(one.charge.mandate)).values()].flatMap((of) => {
    const { mandate } = of[0]!.charge;
    const windowOf = (at: number): number => Math.floor((at - mandate.start) / mandate.period);
    const sum = (some: readonly Taken[]): bigint => some.reduce((total, one) => total + one.charge.amount, 0n);
    const begun = BigInt(windowOf(Math.min(now, mandate.end - 1)) + 1);
    const numbers = of.map((one) => one.charge.number);
    const faults: [boolean, string][] = [
      [sum(of) > mandate.maxPerPeriod * begun, 'more than the windows begun allow'],
      [of.some(({ at }) => at < mandate.start || at >= mandate.end), 'outside of the time of the mandate'],
      [new Set(numbers).size < numbers.length, 'a number twice'],
      ...[...Map.groupBy(of, ({ at }) => windowOf(at)).values()].map((within): [boolean, string] => [
        sum(within) > mandate.maxPerPeriod * BigInt(1 + mandate.carry),
        'more in one window than the limit and its carry',
      ]),
    ];
    return faults.filter(([broken]) => broken).map(([, fault]) => `${fault}: ${mandateId(mandate)}`);
  });
}
