import { type Selectable, sql } from 'kysely';
import type { Charges } from '../../generated/db.ts';
import { recordAudit } from '../audit/record.ts';
import type { Trx } from '../lib/db-types.ts';
import { type Collected, createCollectedPayments } from '../payments/collected.ts';
import type { PaymentDeps } from '../payments/service.ts';
import { saveAttempts } from './attempts.ts';
import { type Batch, createBatch } from './batch.ts';
import { insertCharges, saveCharges, toCharge } from './charge-queries.ts';
import { planNames } from './plans/queries.ts';
import { presentSubscription, type SubscriptionPresentDeps } from './present.ts';
import { type Subscription, saveSubscriptions } from './queries.ts';
import type { Charge } from './schedule/charge.ts';
import { nameIn } from './views.ts';

/** What `saveBatch` needs to create payments and announce subscriptions. */
export type BatchDeps = PaymentDeps & SubscriptionPresentDeps;

/** Charges that a batch needs besides those that are open or may become so. */
export type Wanted = {
  readonly ids?: readonly string[];
  /** By period number. */
  readonly numbers?: readonly { readonly subscriptionId: string; readonly number: number }[];
};

/** Opens a batch of locked subscriptions: locks and reads their charges. */
export async function openBatch(
  trx: Trx,
  subscriptions: readonly Subscription[],
  wanted: Wanted,
  now: Date,
): Promise<Batch> {
  return createBatch(subscriptions, await lockChargesOf(trx, subscriptions, wanted), now);
}

/**
 * Locks the charges under way, those of numbers that may still be charged and the one before, the one that is charged
 * again after a reorg, the newest, and the wanted ones. Each branch uses an index, because an old subscription has
 * thousands of charges.
 */
async function lockChargesOf(trx: Trx, subscriptions: readonly Subscription[], wanted: Wanted): Promise<Charge[]> {
  if (subscriptions.length === 0) return [];
  const ids = subscriptions.map(({ id }) => id);
  const again = subscriptions.flatMap(({ id: subscriptionId, recharge: number }) =>
    number === null ? [] : [{ subscriptionId, number }],
  );
  const numbers = [...again, ...(wanted.numbers ?? [])];
  const { rows } = await sql<Selectable<Charges>>`
    select * from charges where id in (
      select id from charges where subscription_id = any (${ids}::text[]) and status in ('due', 'sending')
      union all
      select c.id
        from unnest(${ids}::text[], ${subscriptions.map(({ nextNumber }) => nextNumber)}::integer[]) s (id, next)
        join charges c on c.subscription_id = s.id and c.number >= s.next - 1
      union all
      select newest.id from unnest(${ids}::text[]) s (id) cross join lateral (
        select c.id from charges c where c.subscription_id = s.id order by c.number desc limit 1) newest
      union all
      select c.id from unnest(${numbers.map(({ subscriptionId }) => subscriptionId)}::text[],
                              ${numbers.map(({ number }) => number)}::bigint[]) w (id, number)
        join charges c on c.subscription_id = w.id and c.number = w.number
      union all
      select id from charges
       where id = any (${[...(wanted.ids ?? [])]}::text[]) and subscription_id = any (${ids}::text[])
    ) order by id for no key update`.execute(trx);
  return rows.map(toCharge);
}

/**
 * Writes a batch: subscriptions, charges and their attempts, payments of collected charges, events, and audit entries
 * of subscriptions that the system ended. The number of statements does not depend on the size of the batch, except
 * that each ended subscription has its audit entry.
 */
export async function saveBatch(
  trx: Trx,
  deps: BatchDeps,
  batch: Batch,
  collected: readonly Collected[] = [],
): Promise<void> {
  const { now } = batch;
  const changes = batch.changes();
  const paid = new Set(collected.map(({ chargeId }) => chargeId));
  await saveSubscriptions(trx, changes.subscriptions);
  // Updates before inserts, so that a charge that is no longer open does not conflict with the one that replaces it.
  await saveCharges(
    trx,
    changes.charges.filter(({ id }) => !paid.has(id)),
  );
  await insertCharges(
    trx,
    changes.inserted.map((charge) => (paid.has(charge.id) ? unpaid(charge) : charge)),
  );
  // Payment and charge reference each other, so both rows must exist first.
  const postJournals = collected.length > 0 ? await createCollectedPayments(trx, deps, collected, now) : null;
  await saveCharges(
    trx,
    [...changes.charges, ...changes.inserted].filter(({ id }) => paid.has(id)),
  );
  if (changes.attempts.length > 0) await saveAttempts(trx, changes.attempts, now);
  await announce(trx, deps, batch);
  for (const subscription of changes.ended) await recordEnd(trx, subscription, now);
  // Last: it locks the merchant's accounts. See decision subscriptions/merchant-accounts-last.
  await postJournals?.();
  if (isAnyDue(changes.subscriptions, [...changes.inserted, ...changes.charges], now)) trx.wake('kasi_subscriptions');
}

const unpaid = (charge: Charge): Charge => ({
  ...charge,
  status: 'due',
  dueAt: charge.createdAt,
  paymentId: null,
});

const isAnyDue = (subscriptions: readonly Subscription[], charges: readonly Charge[], now: Date): boolean =>
  subscriptions.some(({ nextActionAt }) => nextActionAt !== null && nextActionAt <= now) ||
  charges.some(({ dueAt }) => dueAt !== null && dueAt <= now);

async function announce(trx: Trx, deps: BatchDeps, batch: Batch): Promise<void> {
  const { announcements } = batch.changes();
  if (announcements.length === 0) return;
  const names = await planNames(trx, [...new Set(announcements.map(({ subscription }) => subscription.planId))]);
  const drafts = announcements.map(({ type, sequence, subscription, latestCharge }) => ({
    type,
    sequence,
    merchantId: subscription.merchantId,
    resourceId: subscription.id,
    data: presentSubscription({ subscription, planName: nameIn(names, subscription), latestCharge }, deps),
  }));
  await deps.events.recordMany(trx, drafts, batch.now);
}

/** The end was not requested, so the audit log names the system as the actor. */
function recordEnd(trx: Trx, { id, merchantId, cancelReason }: Subscription, now: Date): Promise<void> {
  return recordAudit(
    trx,
    {
      ...{ actorType: 'system', actorId: 'subscriptions', origin: null },
      ...{ action: 'subscription.cancel', resourceId: id, merchantId, metadata: { reason: cancelReason } },
    },
    now,
  );
}
