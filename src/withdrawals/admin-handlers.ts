import { findChainTime } from '../chains/cursors.ts';
import { parseRange } from '../lib/dates.ts';
import type { KeyRing } from '../lib/envelope.ts';
import { notFound } from '../lib/errors.ts';
import { presentPagination, windowOf } from '../lib/paging.ts';
import { parseNotes, parseReason, requireNotes } from '../lib/remarks.ts';
import { type Failable, requireMayBeFailed } from '../payouts/may-be-failed.ts';
import type { Call, HandlersOf } from '../ports/operation.ts';
import {
  presentCompletion,
  presentFailRequest,
  presentFailure,
  presentOwned,
  presentOwnedSummary,
  presentProcessing,
  presentReview,
} from './admin-present.ts';
import { findOwned, listOwned } from './admin-queries.ts';
import { maskedNumber, openNumber } from './bank-account.ts';
import { beginWithdrawal } from './begin.ts';
import { completeWithdrawal, type WithdrawalCompletionDeps } from './complete.ts';
import { type ListedDeps, requireListed, requireOffRampFits } from './listed.ts';
import { countWithdrawals, findWithdrawal, type WithdrawalFilter } from './queries.ts';
import { moveWithdrawal } from './service.ts';
import { heldMicro, repayable, requireAllowed, type Withdrawal, type WithdrawalInput } from './withdrawal.ts';

export type AdminWithdrawalDeps = WithdrawalCompletionDeps & ListedDeps & { readonly keyRing: KeyRing };

type Move = 'approveWithdrawal' | 'rejectWithdrawal' | 'askToFailWithdrawal' | 'failWithdrawal';
type Operation = Move | 'processWithdrawal' | 'adminListWithdrawals' | 'adminGetWithdrawal' | 'completeWithdrawal';

/** The operations of the tag `admin-withdrawals`. */
export function adminWithdrawalHandlers(deps: AdminWithdrawalDeps): HandlersOf<Operation> {
  /** Moves a withdrawal in the request's transaction and notes it in the audit log, also for its merchant. */
  const move = async ({ params, now, trx, audit }: Call<Move>, input: WithdrawalInput): Promise<Withdrawal> => {
    const moved = await moveWithdrawal(trx, deps, { id: params.id }, input, now, async (locked) => {
      audit.note({ metadata: { previousStatus: locked.status } });
      requireAllowed(locked, input.kind);
      if (input.kind === 'fail') await requireMayBeFailed(trx, deps, failable(locked), input.by, now);
      if (input.kind !== 'approve') return;
      requireListed(deps, locked, 'Reject it');
      requireOffRampFits(deps, locked, input.offRampAddress);
    });
    const { merchantId, status: newStatus } = moved;
    const said = 'reason' in input ? { reason: input.reason } : {};
    audit.note({ resourceId: params.id, merchantId, metadata: { newStatus, ...said, ...noteOf(input) } });
    return moved;
  };
  return {
    ...readers(deps),
    approveWithdrawal: async (call) => {
      const { offRampAddress } = await deps.settings.current();
      const by = call.principal.adminId;
      const notes = parseNotes(call.body?.notes);
      const found = await findWithdrawal(call.trx, { id: call.params.id });
      const chainTime = found ? await findChainTime(call.trx, found.network) : null;
      const approved = await move(call, { kind: 'approve', by, notes, offRampAddress, chainTime });
      return { status: 200, body: presentReview(approved) };
    },
    rejectWithdrawal: async (call) => {
      const reason = parseReason(call.body.reason);
      const rejected = await move(call, { kind: 'reject', by: call.principal.adminId, reason });
      return { status: 200, body: presentReview(rejected) };
    },
    processWithdrawal: async (call) => {
      const { params, now, trx, audit } = call;
      const [by, notes] = [call.principal.adminId, parseNotes(call.body?.notes)];
      const processing = await beginWithdrawal(trx, deps, { id: params.id, by, notes }, now);
      const { merchantId, status: newStatus } = processing;
      const metadata = { previousStatus: 'approved', newStatus, ...(notes !== null && { notes }) };
      audit.note({ resourceId: params.id, merchantId, metadata });
      return { status: 200, body: presentProcessing(processing) };
    },
    askToFailWithdrawal: async (call) => {
      const notes = requireNotes(call.body.notes);
      const asked = await move(call, { kind: 'ask_to_fail', by: call.principal.adminId, notes });
      return { status: 200, body: presentFailRequest(asked) };
    },
    failWithdrawal: async (call) => {
      const reason = parseReason(call.body.reason);
      const failed = await move(call, { kind: 'fail', by: call.principal.adminId, reason });
      return { status: 200, body: presentFailure(failed) };
    },
    completeWithdrawal: async ({ params, body, principal, audit, keep }) => {
      const completion = { id: params.id, txHash: body.txHash, notes: parseNotes(body.notes), principal, audit };
      const answer = (completed: Withdrawal) => ({ status: 200, body: presentCompletion(completed) }) as const;
      return answer(await completeWithdrawal(deps, completion, (trx, completed) => keep(trx, answer(completed))));
    },
  };
}

/** A withdrawal as what is about to be failed. */
const failable = (locked: Withdrawal): Failable => ({
  ...locked,
  ...repayable(locked),
  heldMicro: heldMicro(locked),
});

const noteOf = (input: WithdrawalInput) => ('notes' in input && input.notes !== null ? { notes: input.notes } : {});

function readers(deps: AdminWithdrawalDeps): HandlersOf<'adminListWithdrawals' | 'adminGetWithdrawal'> {
  return {
    adminListWithdrawals: async ({ query }) => {
      const { status, merchantId } = query;
      const filter: WithdrawalFilter = {
        ...(merchantId !== undefined && { merchantId }),
        ...(status && { statuses: [status] }),
        ...parseRange(query),
      };
      const [owned, total] = await Promise.all([
        listOwned(deps.db, filter, windowOf(query)),
        countWithdrawals(deps.db, filter),
      ]);
      return {
        status: 200,
        body: { data: owned.rows.map(presentOwnedSummary), pagination: presentPagination(query, total, owned) },
      };
    },
    adminGetWithdrawal: async ({ params, principal }) => {
      const owned = await findOwned(deps.db, params.id);
      if (!owned) throw notFound('withdrawal');
      const { withdrawal } = owned;
      const maySee = principal.permissions.has('withdrawals.manage');
      const number = maySee ? openNumber(deps.keyRing, withdrawal) : maskedNumber(withdrawal);
      return { status: 200, body: presentOwned(owned, number) };
    },
  };
}
