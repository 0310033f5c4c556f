import type { components } from '../../generated/api.ts';
import { inTransaction } from '../db/transaction.ts';
import { SECOND_MS } from '../lib/clock.ts';
import { formatMicro, presentMicro } from '../lib/money.ts';
import { presentPagination, windowOf } from '../lib/paging.ts';
import { parseNotes } from '../lib/remarks.ts';
import { presentUnits } from '../payments/present-transfers.ts';
import type { AuditTrail, HandlersOf } from '../ports/operation.ts';
import type { AdminPrincipal } from '../ports/security.ts';
import { forEachPayout, isPaidBy, type Refused } from './batch.ts';
import { type ExportDeps, exportPayouts } from './export.ts';
import { countPayouts, listPayouts, type QueuedPayout, type QueueFilter } from './queue.ts';

/** A transaction as what paid a payout. Throws as the completion of a withdrawal or a refund. */
export type CompletePayout = (completion: {
  readonly id: string;
  readonly txHash: string;
  readonly notes: string | null;
  readonly principal: AdminPrincipal;
  readonly audit: AuditTrail;
}) => Promise<unknown>;

export type AdminPayoutDeps = ExportDeps & {
  readonly completeWithdrawal: CompletePayout;
  readonly completeRefund: CompletePayout;
};

type Operation = 'listPayouts' | 'exportPayouts' | 'completePayouts';

/** The operations of the tag `admin-payouts`. */
export function adminPayoutHandlers(deps: AdminPayoutDeps): HandlersOf<Operation> {
  const { db } = deps;
  return {
    completePayouts: async ({ body, principal, audit }) => {
      const txHash = body.txHash.toLowerCase();
      let recorded = 0;
      const common = { txHash, notes: parseNotes(body.notes), principal, audit };
      const { done, refused } = await forEachPayout(body.payoutIds, async (id) => {
        if (await isPaidBy(db, id, txHash)) return;
        const complete = id.startsWith('wd_') ? deps.completeWithdrawal : deps.completeRefund;
        await complete({ id, ...common });
        recorded += 1;
      });
      // Each completion has left its entry; a call that completed nothing is one, too.
      if (recorded === 0)
        await inTransaction(db, (trx) => audit.record(trx, { resourceId: txHash, metadata: summaryOf(refused) }));
      return { status: 200, body: { completed: done, refused: refused.map(presentRefused) } };
    },
    exportPayouts: async ({ body, principal, audit, now }) => {
      const { network, payoutIds, feeRate = null } = body;
      const asked = { network, ids: payoutIds ?? null, feeRate, principal, audit };
      const { payouts, refused, ...files } = await exportPayouts(deps, asked);
      const shown = payouts.map((each) => present(each, now));
      return { status: 200, body: { network, payouts: shown, refused: refused.map(presentRefused), ...files } };
    },
    listPayouts: async ({ query, now }) => {
      const { kind, network } = query;
      const filter: QueueFilter = { ...(kind && { kind }), ...(network !== undefined && { network }) };
      const [payouts, total] = await Promise.all([listPayouts(db, filter, windowOf(query)), countPayouts(db, filter)]);
      const body = {
        payouts: payouts.rows.map((each) => present(each, now)),
        pagination: presentPagination(query, total, payouts),
      };
      return { status: 200, body };
    },
  };
}

const summaryOf = (refused: readonly Refused[]) => ({
  refused: refused.map(({ id, error }) => ({ id, reason: error.reason ?? error.code })),
});

const presentRefused = ({ id, error }: Refused): components['schemas']['RefusedPayout'] => ({
  id,
  code: error.code,
  reason: error.reason ?? null,
  message: error.message,
});

const present = (payout: QueuedPayout, now: Date): components['schemas']['Payout'] => ({
  kind: payout.kind,
  id: payout.id,
  status: payout.status,
  merchantId: payout.merchantId,
  merchantName: payout.merchantName,
  merchantStatus: payout.merchantStatus,
  network: payout.network,
  token: payout.token,
  tokenAmount:
    payout.units === null ? formatMicro(payout.micro) : presentUnits(payout.token, payout.units, payout.decimals),
  worth: presentMicro(payout.micro),
  destinationAddress: payout.destination,
  createdAt: payout.createdAt.toISOString(),
  waitingSince: payout.waitingSince.toISOString(),
  ageSeconds: Math.max(0, Math.floor((now.getTime() - payout.waitingSince.getTime()) / SECOND_MS)),
});
