import type { components } from '../../generated/api.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { notFound } from '../lib/errors.ts';
import { presentFiat } from '../lib/money.ts';
import { parseNotes, parseReason } from '../lib/remarks.ts';
import { getMerchant } from '../merchants/queries.ts';
import { failing, requireSecond } from '../payouts/four-eyes.ts';
import { requireLostGone } from '../payouts/lost.ts';
import type { HandlersOf } from '../ports/operation.ts';
import { beginRefund } from './begin.ts';
import { completeRefund, type RefundCompletionDeps, worthMinor } from './complete.ts';
import { presentRefund } from './present.ts';
import { findRefund } from './queries.ts';
import { heldMicro, type Refund, requireAllowed } from './refund.ts';
import { moveRefund } from './service.ts';

type Operation = 'adminGetRefund' | 'processRefund' | 'completeRefund' | 'failRefund';

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
    completeRefund: async ({ params, body, principal, audit }) => {
      const completion = { id: params.id, txHash: body.txHash, notes: parseNotes(body.notes), principal, audit };
      return { status: 200, body: await presentAdmin(deps.db, await completeRefund(deps, completion)) };
    },
    failRefund: async ({ params, body, principal, now, trx, audit }) => {
      const reason = parseReason(body.reason);
      const input = { kind: 'fail', by: principal.adminId, reason } as const;
      const toInput = async (locked: Refund) => {
        requireAllowed(locked, 'fail');
        if (locked.status === 'processing') {
          const act = failing('refund', heldMicro(locked), locked.processedBy, locked.processingAt);
          await requireSecond(trx, deps, await deps.settings.current(), act, principal.adminId);
        }
        await requireLostGone(trx, deps, { kind: 'refund', ...locked }, null, now);
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
    txVerified: refund.txVerified,
    notes: refund.notes,
  };
}
