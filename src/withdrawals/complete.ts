import type { Db, Trx } from '../lib/db-types.ts';
import { invalidField, notFound } from '../lib/errors.ts';
import type { JsonObject } from '../lib/json.ts';
import { MICRO_PER_CENT } from '../lib/money.ts';
import { type PayoutFacts, requireBegunInPaid } from '../payouts/check.ts';
import { type Completion, type CompletionDeps, completePayout, type Keep } from '../payouts/complete.ts';
import { requireSecond } from '../payouts/four-eyes.ts';
import { toAsset } from '../payouts/listed.ts';
import { paidWith, requireLostGone } from '../payouts/lost.ts';
import type { BlockPlace } from '../ports/chain.ts';
import type { Settings } from '../settings/settings.ts';
import { isWithdrawalListed, type ListedDeps } from './listed.ts';
import { findWithdrawal } from './queries.ts';
import { type MoveDeps, moveWithdrawal, requireNoDebt } from './service.ts';
import {
  heldMicro,
  isByReference,
  isTxHash,
  netMinor,
  payableFrom,
  repayable,
  requireAllowed,
  type Withdrawal,
} from './withdrawal.ts';

export type WithdrawalCompletionDeps = MoveDeps & Pick<ListedDeps, 'networks'> & CompletionDeps;

/**
 * Completes a withdrawal with the transaction that paid it, after asking the chain. No database transaction is open
 * meanwhile; the one that follows checks everything again that may have changed, with the time and settings of then
 * (decision withdrawals/chain-asked-without-locks). Throws NOT_FOUND; CONFLICT for the state, for a merchant that is
 * not active, for one that owes while nothing has been sent (`merchant_owes`), for a transaction that completed another
 * withdrawal (`tx_hash_used`), for what the chain does not show (`payout_…`), and while a payout that was taken back
 * may be there after all (`lost_payout_…`); FORBIDDEN (`four_eyes`) for the
 * approver of a large one; SERVICE_UNAVAILABLE when the chain does not answer.
 */
export async function completeWithdrawal(
  deps: WithdrawalCompletionDeps,
  completion: Completion,
  keep: Keep<Withdrawal> = async () => {},
): Promise<Withdrawal> {
  const { id, audit } = completion;
  const settings = await deps.settings.current();
  const asked = await findWithdrawal(deps.db, { id });
  if (!asked) throw notFound('withdrawal');
  const { merchantId, network } = asked;
  const txHash = isByReference(asked) ? parseReference(completion.txHash) : parseTxHash(completion.txHash);
  await requireCompletable(deps, deps.db, asked, completion, settings);
  const facts = isWithdrawalListed(deps, asked) ? factsOf(asked) : null;
  return completePayout(
    deps,
    completion,
    { merchantId, network, txHash, isCoin: false, isByBank: isByReference(asked), facts, settings },
    async (trx, input, present) => {
      const completed = await moveWithdrawal(trx, deps, { id }, input, deps.clock.now(), async (locked) => {
        await requireCompletable(deps, trx, locked, completion, present);
        requireBegunInPaid(locked, input);
        await requireLostGone(trx, deps, repayable(locked), paidWith(input), deps.clock.now());
        // The money of one in processing may have left, so record it whatever the debt. See
        // decision withdrawals/debt-first.
        if (locked.status === 'approved') await requireNoDebt(trx, locked);
      });
      await audit.record(trx, { resourceId: id, merchantId, metadata: describe(asked, completed, input.block) });
      await keep(trx, completed);
      return completed;
    },
  );
}

/** The hash in the form in which it is compared. Another kind of chain may write hashes differently. */
function parseTxHash(text: string): string {
  const hash = text.toLowerCase();
  if (isTxHash(hash)) return hash;
  throw invalidField('txHash', 'must be 0x and 64 hexadecimal digits');
}

/**
 * A bank's reference, or the hash of a transaction that no approval foresaw, in the form in which it is compared. See
 * decision withdrawals/banks-have-references.
 */
function parseReference(text: string): string {
  const written = text.trim();
  const hash = `0x${written.toLowerCase().replace(/^0x/, '')}`;
  if (isTxHash(hash)) return hash;
  const reference = written.replace(/ +/g, ' ').toUpperCase();
  if (/^[!-~][ -~]{2,62}[!-~]$/.test(reference)) return reference;
  throw invalidField('txHash', "must be the bank's reference, 4 to 64 letters, digits and signs");
}

async function requireCompletable(
  deps: Pick<WithdrawalCompletionDeps, 'areLinked' | 'networks'>,
  db: Db | Trx,
  withdrawal: Withdrawal,
  { principal: { adminId }, notes }: Pick<Completion, 'principal' | 'notes'>,
  settings: Settings,
): Promise<void> {
  requireAllowed(withdrawal, 'complete');
  const { reviewedBy: by, reviewedAt: at, network } = withdrawal;
  const listed = isWithdrawalListed(deps, withdrawal);
  if (!listed && notes === null) {
    const why = `${network} is no longer listed, so the chain is not asked`;
    throw invalidField('notes', `is needed, because ${why}: say how you know that it was paid`);
  }
  const act = {
    ...{ what: 'complete a withdrawal', heldMicro: heldMicro(withdrawal) },
    always: listed ? null : `Where the chain is not asked, as on ${network} now,`,
    first: { who: 'who approved it', by, at },
    rest: (own: boolean) => (own || at === null ? '.' : `. ${explainLink(at)}`),
  };
  await requireSecond(db, deps, settings, act, adminId);
}

/** Why two accounts count as one person's, and the way on: the link does not end with time. */
const explainLink = (approvedAt: Date): string =>
  `It was approved on ${approvedAt.toISOString().slice(0, 10)}, and your account and the approver's may be one person's: ` +
  'in the week before that day or since, one has made the other or set its password, perhaps through a third account. ' +
  'Waiting does not change that. Let an administrator complete it who has no such link; where there is none, ' +
  'an operator makes one with npx kasi admin. Do not fail it if it was paid, or the merchant is paid twice.';

/** What the chain has to show of the payout. */
const factsOf = (withdrawal: Withdrawal): PayoutFacts => ({
  network: withdrawal.network,
  token: withdrawal.currency,
  destination: withdrawal.destinationAddress,
  minMicro: netMinor(withdrawal) * MICRO_PER_CENT,
  notBefore: payableFrom(withdrawal),
  ...(withdrawal.begunIn && { begunIn: toAsset(withdrawal.currency, withdrawal.begunIn) }),
});

const describe = (before: Withdrawal, after: Withdrawal, block: BlockPlace | null): JsonObject => ({
  previousStatus: before.status,
  newStatus: after.status,
  txHash: after.txHash,
  verified: after.txVerified,
  ...(block ? { block: block.height } : {}),
  ...(after.notes === before.notes ? {} : { notes: after.notes }),
});
