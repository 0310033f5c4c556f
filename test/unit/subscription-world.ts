import { expect } from 'vitest';
import type { Interval } from '../../src/lib/calendar.ts';
import { after, MINUTE_MS } from '../../src/lib/clock.ts';
import { type Batch, createBatch } from '../../src/subscriptions/batch.ts';
import type { Subscription } from '../../src/subscriptions/queries.ts';
import type { Charge, WaitCode } from '../../src/subscriptions/schedule/charge.ts';
import { subscribe } from '../../src/subscriptions/schedule/new-subscription.ts';
import type { Paused } from '../../src/subscriptions/schedule/subscription-events.ts';
import {
  isChargeOpen,
  openNumber,
  type SubscriptionInput,
} from '../../src/subscriptions/schedule/subscription-state.ts';

/** Signed bytes of a charge: they may be mined as long as no other transaction took their nonce. */
type Bytes = { readonly number: number; readonly at: Date };

/** A subscription with its rows, and what the chain has of it. */
export type World = {
  now: Date;
  of: Subscription;
  charges: Map<string, Charge>;
  /** Sent, and in no block. */
  pending: Bytes[];
  /** In a block, oldest first; the contract takes numbers only upwards. */
  mined: number[];
  /** When a reorg last took a collection before the end, and when one was last mined. */
  takenAt: Date | null;
  minedAt: Date | null;
};

export type Plan = { readonly interval: Interval; readonly trialDays: number };

export function openWorld(plan: Plan, now: Date): World {
  const begun = subscribe({ ...plan, mandateDeadlineHours: 72, subscribedBy: 'customer' }, now).next;
  const of = { ...begun, ...{ id: 'sub_1', merchantId: 'mer_1', eventSequence: 1, updatedAt: now } };
  return {
    now,
    of: of as unknown as Subscription,
    charges: new Map(),
    pending: [],
    mined: [],
    takenAt: null,
    minedAt: null,
  };
}

export const rowOf = ({ charges }: World, number: number): Charge | undefined =>
  [...charges.values()].find((charge) => charge.number === number);

/** The rows that `openBatch` reads. */
function readRows({ of, charges }: World, wanted: readonly number[]): Charge[] {
  const rows = [...charges.values()];
  const newest = Math.max(0, ...rows.map(({ number }) => number));
  const numbers = new Set([newest, of.recharge, ...wanted]);
  return rows.filter(
    ({ status, number }) =>
      status === 'due' || status === 'sending' || number >= of.nextNumber - 1 || numbers.has(number),
  );
}

/** Does something in a batch of its own, and stores what it changed as the database would take it. */
function inBatch(world: World, wanted: readonly number[], run: (batch: Batch) => void): void {
  const batch = createBatch([world.of], readRows(world, wanted), world.now);
  run(batch);
  const { inserted, charges, subscriptions } = batch.changes();
  for (const row of inserted) expect(rowOf(world, row.number), `a second charge ${row.number}`).toBeUndefined();
  for (const row of [...charges, ...inserted]) world.charges.set(row.id, row);
  world.of = subscriptions[0] ?? world.of;
}

export function tell(world: World, input: SubscriptionInput): void {
  const { id } = world.of;
  inBatch(world, [], (batch) => {
    const { confirming } = batch.lookAt(id);
    batch.step(id, input.kind === 'mandate_authorized' ? { ...input, confirming } : input);
  });
}

/** As `advance.ts` looks at it. */
export function look(world: World, paused: Paused): void {
  const { id, nextActionAt } = world.of;
  if (nextActionAt === null || nextActionAt > world.now) return;
  inBatch(world, [], (batch) => batch.step(id, { kind: 'clock', paused, ...batch.lookAt(id) }));
}

export type Attempted = 'send' | 'fail' | WaitCode | 'wait';

/** As `charging/collect.ts` decides about what is due. */
export function collect(world: World, attempted: Attempted): void {
  const due = [...world.charges.values()].find(({ status, dueAt }) => status === 'due' && dueAt && dueAt <= world.now);
  if (!due || due.periodStart > world.now) return;
  const { number, id } = due;
  const until = after(world.now, 5 * MINUTE_MS);
  inBatch(world, [number], (batch) => {
    if (!isChargeOpen(world.of, number)) batch.stepCharge(id, { kind: 'withdrawn', reason: 'cancelled' });
    else if (world.of.cancelRequestedAt) batch.stepCharge(id, { kind: 'deferred', until: world.now, code: null });
    else if (attempted === 'fail') {
      batch.sentFirst(id);
      batch.stepCharge(id, { kind: 'failed', code: 'insufficient_balance' });
    } else if (attempted === 'send' && !world.mined.some((taken) => taken >= number)) {
      batch.sentFirst(id);
      batch.stepCharge(id, { kind: 'claimed' }, { transactionId: `otx_${number}` });
      world.pending.push({ number, at: world.now });
    } else {
      const code = attempted === 'send' || attempted === 'wait' ? null : attempted;
      batch.stepCharge(id, { kind: 'deferred', until, code });
    }
  });
}

/** Mines the oldest bytes, and applies what the contract says of them as `settling/outcomes.ts` does. */
export function mine(world: World): void {
  const bytes = world.pending.shift();
  if (!bytes) return;
  const { number } = bytes;
  const isTaken = world.mined.some((taken) => taken >= number);
  if (!isTaken) {
    world.mined.push(number);
    world.minedAt = world.now;
  }
  inBatch(world, [number], (batch) => {
    const known = batch.chargeOf(world.of.id, number) ?? batch.addLost(world.of.id, number);
    if (isTaken) {
      const until = after(world.now, MINUTE_MS);
      if (known.status === 'sending') batch.stepCharge(known.id, { kind: 'deferred', until, code: null });
      return;
    }
    if (known.status === 'void') batch.collectedApart(known.id, world.now);
    batch.stepCharge(known.id, { kind: 'collected' }, { paymentId: `pay_${number}` });
  });
}

/** Confirms the oldest collection that waits for that; the newest may still be taken by a reorg, which is deep then. */
export function confirm(world: World): Charge | undefined {
  const waiting = world.mined.map((number) => rowOf(world, number)).find((row) => row?.status === 'confirming');
  if (waiting) inBatch(world, [waiting.number], (batch) => batch.stepCharge(waiting.id, { kind: 'confirmed' }));
  return waiting;
}

/** Whether another charge may be on its way, so that nothing is charged again at present. */
function isBusy(world: World, { id }: Charge): boolean {
  const asked = rowOf(world, openNumber(world.of));
  return (
    world.of.charge !== 'none' && asked?.id !== id && (asked?.status === 'sending' || asked?.status === 'confirming')
  );
}

/** A reorg takes the newest collection. Its bytes go back to the pool or are lost. */
export function reorg(world: World, lost: boolean): void {
  const number = world.mined.at(-1);
  const row = number === undefined ? undefined : rowOf(world, number);
  if (number === undefined || !row || (row.status === 'succeeded' && isBusy(world, row))) return;
  world.mined.pop();
  if (world.of.status !== 'expired') world.takenAt = world.now;
  if (!lost) world.pending.push({ number, at: world.now });
  if (row.status === 'confirming') {
    inBatch(world, [number], (batch) => sendAgain(batch, batch.stepCharge(row.id, { kind: 'reverted' })));
  } else reverse(world, row);
  for (const each of [...world.charges.values()].sort((a, b) => a.number - b.number)) {
    if (each.status === 'void' && each.reversedAt !== null && !isBusy(world, each)) reverse(world, each);
  }
}

/** What had succeeded is charged again, as `settling/reversals.ts` decides. */
function reverse(world: World, { id, number }: Charge): void {
  const collectable = !world.mined.some((taken) => taken >= number);
  inBatch(world, [number], (batch) => sendAgain(batch, batch.stepCharge(id, { kind: 'reversed', collectable })));
}

function sendAgain(batch: Batch, { id, status }: Charge): void {
  if (status === 'due') batch.stepCharge(id, { kind: 'ordered' }, { dueAt: after(batch.now, MINUTE_MS) });
}
