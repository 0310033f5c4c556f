import { after, DAY_MS } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { AppError } from '../lib/errors.ts';
import { formatCents, MICRO_DECIMALS, parseCents, parseUnits } from '../lib/money.ts';
import type { Settings } from '../settings/settings.ts';
import type { CompletionDeps } from './complete.ts';
import type { FailRequest, PayoutKind } from './payout.ts';

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

/** How long a request to fail counts: what was not sent when it was asked for may be sent later. */
const ASKED_FOR_MS = DAY_MS;

/**
 * Throws FORBIDDEN (`four_eyes`) where an administrator would fail what is being paid, unless another one has asked for
 * it within a day. See decision payouts/failed-by-two.
 */
export async function requireFailedByTwo(
  db: Db | Trx,
  deps: Pick<CompletionDeps, 'areLinked'>,
  settings: Threshold,
  payout: { readonly kind: PayoutKind; readonly heldMicro: bigint; readonly failRequest: FailRequest | null },
  adminId: string,
  now: Date,
): Promise<void> {
  const { kind, heldMicro, failRequest } = payout;
  const when = whenTwo(settings, { heldMicro });
  const asked = failRequest !== null && now < after(failRequest.at, ASKED_FOR_MS) ? failRequest : null;
  if (when === null || (asked !== null && !(await deps.areLinked(db, asked.by, adminId, asked.at)))) return;
  throw fourEyes(`${when} it takes two administrators to fail a ${kind} that is processing, because its money may have \
left. If it was paid, complete it. ${wayOn(asked, adminId)}; where there is none, an operator makes one with npx kasi admin.`);
}

function wayOn(asked: FailRequest | null, adminId: string): string {
  if (asked === null) return 'Else ask for it (fail-request), and let another administrator fail it';
  const who = asked.by === adminId ? 'You have' : "An account that may be one person's with yours has";
  return `${who} asked for it: let another administrator fail it`;
}
