import { after, DAY_MS } from '../lib/clock.ts';
import { conflict, unreachable } from '../lib/errors.ts';
import type { Id } from '../lib/ids.ts';
import type { Json, JsonObject } from '../lib/json.ts';

/** What a change is about: the platform's settings, a role, or an administrator. */
export type ChangeKind = 'settings' | 'role' | 'admin';

export type ChangeStatus = 'proposed' | 'approved' | 'in_effect' | 'cancelled' | 'expired';

/** By name: the value when the change was proposed, and the one that it asks for. */
export type ChangeFields = Readonly<Record<string, { readonly from: Json; readonly to: Json }>>;

/** What touches where money goes: it waits, and a second person approves it where there is one. */
export type Change = {
  readonly id: Id<'change'>;
  readonly kind: ChangeKind;
  /** The role or the administrator; `platform` for settings. */
  readonly subjectId: string;
  readonly fields: ChangeFields;
  readonly status: ChangeStatus;
  readonly needsApproval: boolean;
  readonly proposedBy: string;
  readonly proposedAt: Date;
  /** It takes effect then or, if that comes later, with its approval. */
  readonly dueAt: Date;
  /** Until then it can be approved. */
  readonly expiresAt: Date;
  readonly approvedBy: string | null;
  readonly approvedAt: Date | null;
  /** When it took effect, was cancelled or expired. */
  readonly endedAt: Date | null;
  /** The administrator who cancelled it; null when the service did. */
  readonly endedBy: string | null;
  /** Why it was cancelled. */
  readonly reason: string | null;
};

export type ChangeDraft = Pick<Change, 'id' | 'kind' | 'subjectId' | 'fields' | 'proposedBy' | 'needsApproval'>;

export type ChangeInput =
  | { readonly kind: 'approve'; readonly by: string }
  /** `by` is null when the service finds that it can't take effect any more. */
  | { readonly kind: 'cancel'; readonly by: string | null; readonly reason: string }
  | { readonly kind: 'apply' }
  | { readonly kind: 'expire' };

/** How long after its delay a change can still be approved. */
const APPROVAL_MS = 7 * DAY_MS;

/** A new change, which waits for `delayMs` and, if it needs that, for its approval. */
export const propose = (draft: ChangeDraft, delayMs: number, now: Date): Change => ({
  ...draft,
  status: draft.needsApproval ? 'proposed' : 'approved',
  proposedAt: now,
  dueAt: after(now, delayMs),
  expiresAt: after(now, delayMs + APPROVAL_MS),
  approvedBy: null,
  approvedAt: null,
  endedAt: null,
  endedBy: null,
  reason: null,
});

/** The states from which each input can move a change. */
const FROM: Readonly<Record<ChangeInput['kind'], readonly ChangeStatus[]>> = {
  approve: ['proposed'],
  cancel: ['proposed', 'approved'],
  apply: ['approved'],
  expire: ['proposed'],
};

/**
 * What `input` does to a change at `now`. Pure. Throws CONFLICT for what state and time do not allow.
 *
 *     proposed ── approve ──▶ approved ── apply, when due ──▶ in_effect
 *        │ expire, cancel        │ cancel
 *        ▼                       ▼
 *     expired, cancelled      cancelled
 */
export function step(change: Change, input: ChangeInput, now: Date): Change {
  if (!FROM[input.kind].includes(change.status)) {
    throw conflict(
      `This change is ${change.status}; to ${input.kind} it, it must be ${FROM[input.kind].join(' or ')}.`,
    );
  }
  switch (input.kind) {
    case 'approve':
      if (input.by === change.proposedBy) throw conflict('Whoever proposed a change does not approve it.');
      if (now >= change.expiresAt) throw conflict('This change waited too long for its approval. Propose it again.');
      return { ...change, status: 'approved', approvedBy: input.by, approvedAt: now };
    case 'cancel':
      return { ...change, status: 'cancelled', endedAt: now, endedBy: input.by, reason: input.reason };
    case 'apply':
      if (now < change.dueAt) throw conflict(`This change is not due before ${change.dueAt.toISOString()}.`);
      return { ...change, status: 'in_effect', endedAt: now };
    case 'expire':
      if (now < change.expiresAt)
        throw conflict(`This change does not expire before ${change.expiresAt.toISOString()}.`);
      return { ...change, status: 'expired', endedAt: now };
    default:
      return unreachable(input);
  }
}

/** What time does to a change at `now`; null while it only waits. */
export function inputDue({ status, dueAt, expiresAt }: Change, now: Date): 'apply' | 'expire' | null {
  if (status === 'approved' && dueAt <= now) return 'apply';
  return status === 'proposed' && expiresAt <= now ? 'expire' : null;
}

/** The change in words, for lists and incidents: each field with its old and its new value. */
export const describeFields = (fields: ChangeFields): string =>
  Object.entries(fields)
    .map(([name, { from, to }]) => `${name} from ${JSON.stringify(from)} to ${JSON.stringify(to)}`)
    .join(', ');

/** The fields as JSON, for the audit log and the API. */
export const fieldsAsJson = (fields: ChangeFields): JsonObject =>
  Object.fromEntries(Object.entries(fields).map(([name, { from, to }]) => [name, { from, to }]));
