import type { Db, Trx } from '../lib/db-types.ts';
import { AppError } from '../lib/errors.ts';
import { formatCents, MICRO_DECIMALS, parseCents, parseUnits } from '../lib/money.ts';
import type { Settings } from '../settings/settings.ts';
import type { CompletionDeps } from './complete.ts';

/** What an administrator is about to do with a payout, and who is not to do that alone. */
export type SecondAct = {
  /** In words, such as "complete a withdrawal". */
  readonly what: string;
  readonly heldMicro: bigint;
  /** Why it takes two whatever the amount, as the beginning of a sentence; null: only from the threshold on. */
  readonly always?: string | null;
  /** Who did the first part, in words; `by` is null where that is unknown. */
  readonly first: { readonly who: string; readonly by: string | null; readonly at: Date | null };
  /** The rest of the sentence and the way on; `own`: it was this very account, and not one that may be theirs. */
  readonly rest: (own: boolean) => string;
};

type Threshold = Pick<Settings, 'fourEyesThreshold'>;

/** When so much takes two administrators, as the beginning of a sentence; null: it does not. Pure. */
export function whenTwo(
  { fourEyesThreshold }: Threshold,
  { heldMicro, always = null }: Pick<SecondAct, 'heldMicro' | 'always'>,
): string | null {
  if (fourEyesThreshold === null || heldMicro < parseUnits(fourEyesThreshold, MICRO_DECIMALS)) return always;
  return `From ${formatCents(parseCents(fourEyesThreshold))} USD on`;
}

/**
 * Throws FORBIDDEN (`four_eyes`) where an administrator would complete alone what they, or an account that may be
 * theirs, had part in.
 */
export async function requireSecond(
  db: Db | Trx,
  { areLinked }: Pick<CompletionDeps, 'areLinked'>,
  settings: Threshold,
  act: SecondAct,
  adminId: string,
): Promise<void> {
  const when = whenTwo(settings, act);
  const { who, by, at } = act.first;
  if (when === null || by === null || at === null || !(await areLinked(db, by, adminId, at))) return;
  throw fourEyes(`${when} somebody else has to ${act.what} than ${who}${act.rest(by === adminId)}`);
}

/** The refusal of what takes two administrators. */
export const fourEyes = (message: string): AppError => new AppError('FORBIDDEN', message, { reason: 'four_eyes' });
