import type { components } from '../../generated/api.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { notFound } from '../lib/errors.ts';
import { presentFiat } from '../lib/money.ts';
import { parseNotes, parseReason, requireNotes } from '../lib/remarks.ts';
import { getMerchant } from '../merchants/queries.ts';
import { requireMayBeFailed } from '../payouts/may-be-failed.ts';
import type { HandlersOf } from '../ports/operation.ts';
import { beginRefund } from './begin.ts';
import { completeRefund, type RefundCompletionDeps, worthMinor } from './complete.ts';
import { presentRefund } from './present.ts';
import { findRefund } from './queries.ts';
import { heldMicro, type Refund, requireAllowed } from './refund.ts';
import { moveRefund } from './service.ts';

type Operation = 'adminGetRefund' | 'processRefund' | 'completeRefund' | 'askToFailRefund' | 'failRefund';

/** The operations of the tag `admin-refunds`. */
export function adminRefundHandlers(deps: RefundCompletionDeps): HandlersOf<Operation> {
  return {
    adminGetRefund: async ({ params }) => {
      const refund = await findRefund(deps.db, { id: params.id });
      if (!refund) throw notFound('refund');
      return { status: 200, body: await presentAdmin(deps.db, refund) };
    },
    processRefund: async ({ params, body, principal, now, trx, audit }) => {
      const begin = { id: params.id, by: principal.adminId, notes: parseNotes(body?.notes) };
      const refund = await beginRefund(trx, deps, begin, now);
      audit.note({ resourceId: refund.id, merchantId: refund.merchantId, metadata: { newStatus: refund.status } });
      return { status: 200, body: await presentAdmin(trx, refund) };
    },
    completeRefund: async ({ params, body, principal, audit, keep }) => {
      const completion = { id: params.id, txHash: body.txHash, notes: parseNotes(body.notes), principal, audit };
      const answer = async (db: Db | Trx, completed: Refund) =>
        ({ status: 200, body: await presentAdmin(db, completed) }) as const;
      const keepAnswer = async (trx: Trx, completed: Refund) => keep(trx, await answer(trx, completed));
      return answer(deps.db, await completeRefund(deps, completion, keepAnswer));
    },
    askToFailRefund: async ({ params, body, principal, now, trx, audit }) => {
      const notes = requireNotes(body.notes);
      const input = { kind: 'ask_to_fail', by: principal.adminId, notes } as const;
      const refund = await moveRefund(trx, deps, { id: params.id }, input, now);
      audit.note({ resourceId: refund.id, merchantId: refund.merchantId, metadata: { notes } });
      return { status: 200, body: await presentAdmin(trx, refund) };
    },
    failRefund: async ({ params, body, principal, now, trx, audit }) => {
      const reason = parseReason(body.reason);
      const input = { kind: 'fail', by: principal.adminId, reason } as const;
      const toInput = async (locked: Refund) => {
        requireAllowed(locked, 'fail');
        const payout = { ...locked, kind: 'refund', heldMicro: heldMicro(locked) } as const;
        await requireMayBeFailed(trx, deps, payout, principal.adminId, now);
        return input;
      };
      const refund = await moveRefund(trx, deps, { id: params.id }, toInput, now);
      audit.note({ resourceId: refund.id, merchantId: refund.merchantId, metadata: { newStatus: 'failed', reason } });
      return { status: 200, body: await presentAdmin(trx, refund) };
    },
  };
}

async function presentAdmin(db: Db | Trx, refund: Refund): Promise<components['schemas']['AdminRefund']> {
  return {
    ...presentRefund(refund),
    merchantId: refund.merchantId,
    merchantName: (await getMerchant(db, refund.merchantId)).businessName,
    claimedBy: refund.destination?.by ?? null,
    destinationProven: refund.destination?.proven ?? false,
    worth: presentFiat(worthMinor(refund)),
    processedBy: refund.processedBy,
    failRequestedBy: refund.failRequest?.by ?? null,
    failRequestedAt: refund.failRequest?.at.toISOString() ?? null,
    txVerified: refund.txVerified,
    notes: refund.notes,
  };
}
