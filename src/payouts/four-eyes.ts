import type { Db, Trx } from '../lib/db-types.ts';
import { AppError } from '../lib/errors.ts';
import { formatCents, MICRO_DECIMALS, parseCents, parseUnits } from '../lib/money.ts';
import type { Settings } from '../settings/settings.ts';
import type { CompletionDeps } from './complete.ts';
import type { PayoutKind } from './payout.ts';

/** One that somebody has begun to pay. */
export type Begun = {
  readonly kind: PayoutKind;
  readonly heldMicro: bigint;
  /** Null where nobody knows. */
  readonly by: string | null;
  readonly at: Date | null;
};

/**
 * Throws FORBIDDEN (`four_eyes`) where from the threshold on an administrator would fail alone what they, or an account
 * that may be theirs, began to pay. See decision payouts/failed-by-two.
 */
export async function requireAnotherToFail(
  db: Db | Trx,
  { areLinked }: Pick<CompletionDeps, 'areLinked'>,
  { fourEyesThreshold }: Pick<Settings, 'fourEyesThreshold'>,
  { kind, heldMicro, by, at }: Begun,
  adminId: string,
): Promise<void> {
  if (fourEyesThreshold === null || heldMicro < parseUnits(fourEyesThreshold, MICRO_DECIMALS)) return;
  if (by === null || at === null || !(await areLinked(db, by, adminId, at))) return;
  const own = by === adminId ? '' : ", and your account and the one that began may be one person's";
  const message = `From ${formatCents(parseCents(fourEyesThreshold))} USD on somebody else has to fail a ${kind} that is \
processing than who began to pay it, because its money may have left${own}. If it was paid, complete it. Where there is no \
other administrator, an operator makes one with npx kasi admin.`;
  throw new AppError('FORBIDDEN', message, { reason: 'four_eyes' });
}
