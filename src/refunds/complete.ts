import type { Db, Trx } from '../lib/db-types.ts';
import { AppError, invalidField, notFound } from '../lib/errors.ts';
import { MICRO_PER_CENT } from '../lib/money.ts';
import { requireBegunInPaid } from '../payouts/check.ts';
import { type Completion, type CompletionDeps, completePayout, type Keep } from '../payouts/complete.ts';
import { fourEyes, requireSecond, whenTwo } from '../payouts/four-eyes.ts';
import { isListed, toAsset } from '../payouts/listed.ts';
import { paidWith, requireLostGone } from '../payouts/lost.ts';
import { isSaidByTwo } from '../payouts/transfers.ts';
import { isDollar } from '../ports/assets.ts';
import type { Settings } from '../settings/settings.ts';
import { requireCovered, requireNoDebt } from './covered.ts';
import { findRefund } from './queries.ts';
import { heldMicro, type Refund, requireAllowed } from './refund.ts';
import { moveRefund, type RefundDeps } from './service.ts';

export type RefundCompletionDeps = RefundDeps & CompletionDeps;

/**
 * Completes a refund with the transaction that paid it, after asking the chain; no database transaction is open
 * meanwhile, and the one that follows checks everything again that may have changed. Throws NOT_FOUND; CONFLICT for the
 * state, the merchant (`merchant_not_active`, `merchant_owes`), money that is gone (`refund_uncovered`), a transaction
 * that completed another payout (`tx_hash_used`), what the chain does not show (`payout_…`), and while one that was
 * taken back may be there after all (`lost_payout_…`); FORBIDDEN (`four_eyes`); SERVICE_UNAVAILABLE when the chain does
 * not answer.
 */
export async function completeRefund(
  deps: RefundCompletionDeps,
  completion: Completion,
  keep: Keep<Refund> = async () => {},
): Promise<Refund> {
  const { id, audit } = completion;
  const settings = await deps.settings.current();
  const asked = await findRefund(deps.db, { id });
  if (!asked) throw notFound('refund');
  const { merchantId, network } = asked;
  const txHash = parseTxHash(completion.txHash, asked);
  await requireCompletable(deps, deps.db, asked, completion, settings);
  const facts = isListed(deps, asked) ? factsOf(asked) : null;
  return completePayout(
    deps,
    completion,
    { merchantId, network, txHash, isCoin: !isDollar(asked.token), isByBank: false, facts, settings },
    async (trx, input, present) => {
      const toInput = async (locked: Refund) => {
        await requireCompletable(deps, trx, locked, completion, present);
        if (isSaidByTwo(input.transfers)) await requireSaidByTwo(deps, trx, locked, completion, present);
        requireSameDestination(asked, locked);
        requireBegunInPaid(locked, input);
        await requireLostGone(trx, deps, { kind: 'refund', ...locked }, paidWith(input), deps.clock.now());
        // The money of one in processing may have left, so record it whatever became of what it gives back.
        if (locked.status === 'pending') await requireCovered(trx, deps, locked, deps.clock.now());
        if (locked.status === 'pending') await requireNoDebt(trx, locked);
        return input;
      };
      const completed = await moveRefund(trx, deps, { id }, toInput, deps.clock.now());
      const verified = input.block !== null;
      const metadata = { previousStatus: asked.status, newStatus: completed.status, txHash, verified };
      await audit.record(trx, { resourceId: id, merchantId, metadata });
      await keep(trx, completed);
      return completed;
    },
  );
}

/**
 * The hash in the form in which it is compared: with 0x where the network writes its addresses so. Else one transaction
 * could complete two refunds where the chain is not asked.
 */
function parseTxHash(text: string, { destination }: Refund): string {
  const [, digits] = /^(?:0x)?([0-9a-f]{64})$/.exec(text.toLowerCase()) ?? [];
  if (digits !== undefined) return destination?.address.startsWith('0x') === false ? digits : `0x${digits}`;
  throw invalidField('txHash', 'must be 64 hexadecimal digits, with 0x before them where the network writes it so');
}

/** What the chain has to show of the payout. */
const factsOf = (refund: Refund) => ({
  network: refund.network,
  token: refund.token as 'USDT',
  destination: refund.destination?.address ?? null,
  minMicro: heldMicro(refund),
  minUnits: refund.units,
  notBefore: refund.destination?.chainTime ?? refund.destination?.at ?? null,
  pays: 'refund' as const,
  ...(refund.begunIn && { begunIn: toAsset(refund.token, refund.begunIn) }),
});

/**
 * From the threshold on, another administrator completes a refund than the one who began to pay it. Where its token is
 * no longer listed the chain is not asked: then that holds for every amount, and a note says how they know.
 */
async function requireCompletable(
  deps: Pick<RefundCompletionDeps, 'areLinked' | 'networks'>,
  db: Db | Trx,
  refund: Refund,
  { principal: { adminId }, notes }: Pick<Completion, 'principal' | 'notes'>,
  settings: Settings,
): Promise<void> {
  requireAllowed(refund, 'complete');
  const { token, network, processedBy: by, processingAt: at } = refund;
  const listed = isListed(deps, refund);
  const unasked = `${token} on ${network} is no longer listed, so the chain is not asked`;
  if (!listed && notes === null) throw invalidField('notes', `is needed, because ${unasked}: say how you know`);
  const act = {
    ...{ what: 'complete a refund', heldMicro: heldMicro(refund), always: listed ? null : `Since ${unasked},` },
    ...{ first: { who: 'who began to pay it', by, at }, rest: () => '.' },
  };
  const when = whenTwo(settings, { heldMicro: act.heldMicro });
  if (when !== null && by === null)
    throw fourEyes(`${when} one administrator begins to pay a refund (process), and another completes it.`);
  await requireSecond(db, deps, settings, act, adminId);
}

/**
 * Another refund has the coin of the transaction, and no receipt shows what its contracts sent to whom: two people say
 * that it paid this one, too, whatever the amount, and a note says how they know.
 */
async function requireSaidByTwo(
  deps: Pick<RefundCompletionDeps, 'areLinked'>,
  trx: Trx,
  refund: Refund,
  { principal: { adminId }, notes }: Pick<Completion, 'principal' | 'notes'>,
  settings: Settings,
): Promise<void> {
  const why = `this transaction has completed another payout, and no receipt shows what its contracts sent of ${refund.token}`;
  const { processedBy: by, processingAt: at } = refund;
  if (by === null)
    throw fourEyes(`Since ${why}, one administrator begins to pay the refund (process), and another completes it.`);
  if (notes === null) throw invalidField('notes', `is needed, because ${why}: say how you know that it paid this one`);
  const first = { who: 'who began to pay it', by, at };
  const rest = () => '. Do not fail it if it was paid, or it is paid twice.';
  const act = { what: 'complete the refund', heldMicro: heldMicro(refund), always: `Since ${why},`, first, rest };
  await requireSecond(trx, deps, settings, act, adminId);
}

/** The chain was asked about the address of before: the payer has changed it meanwhile. */
function requireSameDestination(asked: Refund, locked: Refund): void {
  if (asked.destination?.address === locked.destination?.address) return;
  const message = 'The payer has just named another address. Look at the refund again.';
  throw new AppError('CONFLICT', message, { retryAfterSeconds: 1 });
}

/** Micro-dollars as cents, rounded down. */
export const worthMinor = (refund: Refund): bigint => heldMicro(refund) / MICRO_PER_CENT;
