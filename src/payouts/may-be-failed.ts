import { after, DAY_MS } from '../lib/clock.ts';
import type { Trx } from '../lib/db-types.ts';
import type { Network } from '../ports/chain.ts';
import type { SettingsReader } from '../settings/settings.ts';
import type { CompletionDeps } from './complete.ts';
import { fourEyes, whenTwo } from './four-eyes.ts';
import { type Repayable, requireLostGone } from './lost.ts';
import type { FailRequest } from './payout.ts';

export type FailingDeps = Pick<CompletionDeps, 'areLinked'> & {
  readonly networks: readonly Network[];
  readonly settings: Pick<SettingsReader, 'current'>;
};

/** A locked withdrawal or refund whose state lets it be failed. */
export type Failable = Repayable & {
  readonly status: string;
  readonly heldMicro: bigint;
  readonly failRequest: FailRequest | null;
};

/** How long a request to fail counts: what was not sent when it was asked for may be sent later. */
const ASKED_FOR_MS = DAY_MS;

/**
 * Throws where more than its state keeps a payout from being failed, because its money may have left: FORBIDDEN
 * (`four_eyes`) while it is being paid, CONFLICT while a lost payout of it may be on the chain after all.
 */
export async function requireMayBeFailed(
  trx: Trx,
  deps: FailingDeps,
  payout: Failable,
  adminId: string,
  now: Date,
): Promise<void> {
  if (payout.status === 'processing') await requireFailedByTwo(trx, deps, payout, adminId, now);
  await requireLostGone(trx, deps, payout, null, now);
}

/** Unless another administrator has asked for it within a day. See decision payouts/failed-by-two. */
async function requireFailedByTwo(trx: Trx, deps: FailingDeps, payout: Failable, adminId: string, now: Date) {
  const { kind, failRequest } = payout;
  const when = whenTwo(await deps.settings.current(), payout);
  const asked = failRequest !== null && now < after(failRequest.at, ASKED_FOR_MS) ? failRequest : null;
  if (when === null || (asked !== null && !(await deps.areLinked(trx, asked.by, adminId, asked.at)))) return;
  throw fourEyes(`${when} it takes two administrators to fail a ${kind} that is processing, because its money may have \
left. If it was paid, complete it. ${wayOn(asked, adminId)}; where there is none, an operator makes one with npx kasi admin.`);
}

function wayOn(asked: FailRequest | null, adminId: string): string {
  if (asked === null) return 'Else ask for it (fail-request), and let another administrator fail it';
  const who = asked.by === adminId ? 'You have' : "An account that may be one person's with yours has";
  return `${who} asked for it: let another administrator fail it`;
}
