import { sql } from 'kysely';
import { after, MINUTE_MS } from '../../lib/clock.ts';
import type { Trx } from '../../lib/db-types.ts';
import type { Batch } from '../batch.ts';
import { openNumber } from '../schedule/subscription-state.ts';

/**
 * How long a charge waits for the transaction that a reorg removed to be included again.
 * See decision subscriptions/wait-after-a-reorg.
 */
const RESEND_MS = MINUTE_MS;

/** A charge whose payment was paid and has lost its money, for the first time or again. */
export type Reversed = {
  readonly subscriptionId: string;
  readonly chargeId: string;
  readonly paymentId: string;
  /** No block we know of collected it or a greater number, after which the chain would not take it. */
  readonly collectable: boolean;
  /** Transfers of its payment, or of a later one's, wait to be booked: more may be lost, or nothing. */
  readonly unclear: boolean;
};

/**
 * The reversed charges of locked subscriptions, by number: those that have succeeded, those that gave way to another,
 * and those collected again whose money was taken back once more. Only money that is in no block is lost: while a
 * payment has seen enough, its charge stays as it is, and so does one collected again whose transfer is parked.
 */
export async function listReversed(trx: Trx, subscriptionIds: readonly string[]): Promise<Reversed[]> {
  const { rows } = await sql<Reversed>`
    select c.subscription_id as "subscriptionId", c.id as "chargeId", p.id as "paymentId",
           not exists (select from collector_events e
                        where e.subscription_id = c.subscription_id and e.number >= c.number
                          and e.kind = 'collected' and e.canonical) as collectable,
           exists (select from charges o join credits x on x.payment_id = o.payment_id
                    where o.subscription_id = c.subscription_id and o.number >= c.number
                      and x.applied_at is null and x.parked_at is null) as unclear
      from charges c join payments p on p.id = c.payment_id
     where c.subscription_id = any (${[...subscriptionIds]}::text[])
       and (c.status = 'succeeded' or c.reversed_at is not null and (c.status = 'void' or c.status = 'confirming'
            and not exists (select from credits x
                             where x.payment_id = p.id and x.applied_at is null and x.parked_at is not null)))
       and p.status = 'paid' and p.seen_e18 < (p.amount_micro - p.tolerance_micro) * 1e12
     order by c.subscription_id, c.number`.execute(trx);
  return rows;
}

/**
 * Makes reversed charges due again, the lowest number of a subscription first. Returns signals for those that have to
 * wait: another charge is on its way, or what became of their money is not clear yet.
 * See decision subscriptions/reversed-charges-are-due-again.
 */
export function reverseCharges(
  batch: Batch,
  reversed: readonly Reversed[],
): { readonly subscriptionId: string; readonly ref: string }[] {
  return [...Map.groupBy(reversed, ({ subscriptionId }) => subscriptionId)].flatMap(([subscriptionId, charges]) => {
    if (charges.some(({ unclear }) => unclear) || isBusy(batch, subscriptionId, charges)) {
      return charges.map(({ paymentId: ref }) => ({ subscriptionId, ref }));
    }
    for (const each of charges) reverse(batch, each);
    return [];
  });
}

/**
 * Whether the charge that the subscription asks for may be on its way to the chain, or stands in a block; not if it is
 * itself one of those that lost their money.
 */
function isBusy(batch: Batch, subscriptionId: string, reversed: readonly Reversed[]): boolean {
  const subscription = batch.subscription(subscriptionId);
  if (!subscription || subscription.charge === 'none') return false;
  const asked = batch.chargeOf(subscriptionId, openNumber(subscription));
  if (reversed.some(({ chargeId }) => chargeId === asked?.id)) return false;
  return asked?.status === 'sending' || asked?.status === 'confirming';
}

function reverse(batch: Batch, { chargeId, collectable }: Reversed): void {
  const before = batch.charge(chargeId);
  if (!before) throw new Error(`charge ${chargeId} is not part of the batch`);
  const next = batch.stepCharge(chargeId, { kind: 'reversed', collectable });
  if (before.status !== 'void' && next !== before) {
    batch.note({ chargeId, outcome: 'lost', failureCode: null, txHash: before.txHash });
  }
  if (next.status === 'due') batch.stepCharge(chargeId, { kind: 'ordered' }, { dueAt: after(batch.now, RESEND_MS) });
}
