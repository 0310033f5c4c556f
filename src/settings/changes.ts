import { runEach } from '../db/batches.ts';
import { byDatabaseClock } from '../db/clock-offset.ts';
import { inTransaction, sqlState } from '../db/transaction.ts';
import { openIncident, resolveIncidents } from '../incidents/incidents.ts';
import { HOUR_MS } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { conflict, notFound } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import type { JsonObject } from '../lib/json.ts';
import type { Job } from '../ports/job.ts';
import type { AdminPrincipal } from '../ports/security.ts';
import {
  type Change,
  type ChangeDraft,
  type ChangeInput,
  type ChangeKind,
  describeFields,
  fieldsAsJson,
  inputDue,
  propose,
  step,
} from './change.ts';
import {
  insertChange,
  isAnyChangeDue,
  listDueChanges,
  lockChange,
  lockChangesOf,
  nextChangeDue,
  saveChange,
} from './change-queries.ts';
import type { Settings } from './settings.ts';

/** Puts a change into effect, in the transaction that says so; or says why that is not possible any more. */
export type ApplyChange = (trx: Trx, change: Change, now: Date) => Promise<string | null>;

/** What this folder asks of those who know the administrators. */
export type Approvers = {
  /** Whether somebody else than this administrator can approve a change, or could until lately. */
  readonly hasOther: (trx: Trx, adminId: string, now: Date) => Promise<boolean>;
  /** Throws FORBIDDEN (`second_person`) when the two accounts may have been one person's at `asOf`, or since. */
  readonly requireTwoPeople: (trx: Trx, first: string, second: string, asOf: Date) => Promise<void>;
  /** Keeps administrators and their roles as they are until the transaction ends. Call it before any row lock. */
  readonly hold: (trx: Trx) => Promise<void>;
  /** Whether those who proposed and approved a change are administrators still who may do that. */
  readonly mayStill: (trx: Trx, change: Pick<Change, 'kind' | 'proposedBy' | 'approvedBy'>) => Promise<boolean>;
};

export type ChangeDeps = {
  readonly livemode: boolean;
  readonly approvers: Approvers;
  /** Spends a fresh code of the administrator's second factor; returns metadata for the audit entry. */
  readonly confirm: (trx: Trx, principal: AdminPrincipal, otp: string | undefined, real: Date) => Promise<JsonObject>;
};

/** How a change that is wanted now has to wait. */
export type Waiting = { readonly delayMs: number; readonly needsApproval: boolean };

/**
 * How a change by this administrator has to wait. Null: not at all, as in a sandbox without a delay. A live platform
 * asks for a second person even where its delay is zero.
 */
export async function waitingOf(
  trx: Trx,
  { livemode, approvers }: ChangeDeps,
  { changeDelayHours }: Pick<Settings, 'changeDelayHours'>,
  adminId: string,
  now: Date,
): Promise<Waiting | null> {
  const isProtected = livemode || changeDelayHours > 0;
  const needsApproval = isProtected && (await approvers.hasOther(trx, adminId, now));
  return changeDelayHours > 0 || needsApproval ? { delayMs: changeDelayHours * HOUR_MS, needsApproval } : null;
}

/** Stores a change that has to wait, and tells the operators. Throws CONFLICT when another of the same field waits. */
export async function proposeChange(
  trx: Trx,
  draft: Omit<ChangeDraft, 'id' | 'needsApproval'>,
  { delayMs, needsApproval }: Waiting,
  now: Date,
): Promise<Change> {
  // Others may apply it.
  const at = await byDatabaseClock(trx, now);
  const change = propose({ ...draft, id: newId('change', now), needsApproval }, delayMs, at);
  await insertChange(trx, change).catch((error: unknown) => {
    if (sqlState(error) !== '23505') throw error;
    throw conflict('Another change of this waits already: approve or cancel it first, at /v1/admin/changes.');
  });
  const whose = change.kind === 'settings' ? 'the settings' : `${change.kind} ${change.subjectId}`;
  const approval = needsApproval ? 'Once another administrator has approved it, and not' : 'Not';
  const message = `Administrator ${change.proposedBy} wants to change ${whose}: ${describeFields(change.fields)}. ${approval} before ${change.dueAt.toISOString()}, it takes effect; whoever may change settings can cancel it.`;
  await openIncident(trx, { kind: 'settings.change_pending', subject: change.id, message }, now);
  return change;
}

type Decision = Extract<ChangeInput, { by: string | null }>;

/**
 * Approves or cancels a change, and returns it. Throws NOT_FOUND, CONFLICT for what its state does not allow, and
 * FORBIDDEN (`second_person`) when the approver may be the person who proposed it.
 */
export async function decideChange(
  trx: Trx,
  { approvers }: Pick<ChangeDeps, 'approvers'>,
  id: string,
  decision: Decision,
  now: Date,
): Promise<Change> {
  const before = await lockChange(trx, id);
  if (!before) throw notFound('change');
  const next = step(before, decision, now);
  if (decision.kind === 'approve') {
    await approvers.requireTwoPeople(trx, before.proposedBy, decision.by, before.proposedAt);
  }
  await save(trx, next, now);
  return next;
}

/** Cancels what an administrator has proposed or approved and is not in effect yet, as their account is reset. */
export async function cancelChangesOf(trx: Trx, adminId: string, reason: string, now: Date): Promise<string[]> {
  const open = await lockChangesOf(trx, adminId);
  for (const change of open) await save(trx, step(change, { kind: 'cancel', by: null, reason }, now), now);
  return open.map(({ id }) => id);
}

async function save(trx: Trx, change: Change, now: Date): Promise<void> {
  await saveChange(trx, change);
  if (change.endedAt) await resolveIncidents(trx, 'settings.change_pending', [change.id], now);
}

export type ChangeJobDeps = {
  readonly db: Db;
  readonly approvers: Pick<Approvers, 'hold' | 'mayStill'>;
  readonly appliers: Readonly<Record<ChangeKind, ApplyChange>>;
  /** Writes an entry of the service itself into the audit log. */
  readonly audit: (
    trx: Trx,
    entry: { readonly action: `change.${string}`; readonly resourceId: string; readonly metadata: JsonObject },
    now: Date,
  ) => Promise<void>;
  readonly log: (error: unknown, message: string) => void;
};

const BATCH_MAX = 100;

/** Puts changes into effect that are due, and lets those expire that nobody approved. */
export function changeJobs(deps: ChangeJobDeps): Job[] {
  return [
    {
      name: 'changes.apply',
      cron: '*/5 * * * * *',
      hasWork: ({ now }) => isAnyChangeDue(now),
      run: async ({ now, signal }) => {
        const at = await byDatabaseClock(deps.db, now);
        await runEach(await listDueChanges(deps.db, at, BATCH_MAX), {
          run: (id) => inTransaction(deps.db, (trx) => moveDue(trx, deps, id, at)),
          failure: (id) => `the change ${id} could not be put into effect`,
          log: deps.log,
          signal,
        });
      },
      nextDue: () => nextChangeDue(deps.db),
    },
  ];
}

/** Does nothing for a change that another run, or an administrator, has moved meanwhile. */
async function moveDue(trx: Trx, deps: ChangeJobDeps, id: string, now: Date): Promise<void> {
  // Else who is deactivated at this moment would count as active. See decision settings/changes-fall-with-their-rights.
  await deps.approvers.hold(trx);
  const before = await lockChange(trx, id);
  const due = before && inputDue(before, now);
  if (!before || !due) return;
  const obstacle = due === 'apply' ? await findObstacle(trx, deps, before, now) : null;
  const after = step(before, obstacle ? { kind: 'cancel', by: null, reason: obstacle } : { kind: due }, now);
  await save(trx, after, now);
  const action = { in_effect: 'change.apply', cancelled: 'change.cancel', expired: 'change.expire' } as const;
  const { status } = after;
  if (status === 'proposed' || status === 'approved') return;
  const metadata: JsonObject = {
    ...{ kind: before.kind, subjectId: before.subjectId, changed: fieldsAsJson(before.fields) },
    ...{ proposedBy: before.proposedBy, approvedBy: before.approvedBy, reason: after.reason },
  };
  await deps.audit(trx, { action: action[status], resourceId: id, metadata }, now);
}

/** Puts the change into effect and returns null; or why it can't be any more. */
async function findObstacle(trx: Trx, deps: ChangeJobDeps, change: Change, now: Date): Promise<string | null> {
  if (!(await deps.approvers.mayStill(trx, change))) {
    return 'Whoever proposed or approved it is no longer an active administrator who may do that.';
  }
  return deps.appliers[change.kind](trx, change, now);
}
