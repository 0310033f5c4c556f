import { sql } from 'kysely';
import { resolveIncidentsIf } from '../../incidents/incidents.ts';
import { after, MINUTE_MS } from '../../lib/clock.ts';
import type { Db, Trx } from '../../lib/db-types.ts';

/** How long due work that fails alone is parked. What is due later than that has a date of its own. */
export const PARKED_MS = 15 * MINUTE_MS;
/** Two minutes more, because an incident is counted at most once a minute. */
const RETRIED_WITHIN = sql`interval '${sql.raw(String(PARKED_MS / MINUTE_MS + 2))} minutes'`;

/**
 * Resolves `subscription.parked` of subscriptions of which nothing is parked any more: no event, no signal, and
 * neither it nor its charge is due by the time of the next try. A try that fails counts the incident again, which moves
 * that time on. See decision subscriptions/parked-until-it-went-through.
 */
export const resolveGoneThrough = (db: Db, now: Date): Promise<void> =>
  resolveIncidentsIf(
    db,
    'subscription.parked',
    (subject, lastSeenAt) => sql<boolean>`
      not exists (select from collector_events e
                   where e.subscription_id = ${subject} and e.applied_at is null)
      and not exists (select from subscription_signals g where g.subscription_id = ${subject})
      and not exists (select from subscriptions s
                       where s.id = ${subject} and s.next_action_at <= ${lastSeenAt} + ${RETRIED_WITHIN})
      and not exists (select from charges c where c.subscription_id = ${subject} and c.status = 'due'
                         and c.due_at <= ${lastSeenAt} + ${RETRIED_WITHIN})`,
    now,
  );

/** Takes up at once what is parked of a subscription: its events and signals, its charge, and itself. */
export async function unparkSubscription(trx: Trx, subscriptionId: string, now: Date): Promise<void> {
  const soon = after(now, PARKED_MS);
  await sql`
    update subscriptions set next_action_at = ${now}
     where id = ${subscriptionId} and next_action_at > ${now} and next_action_at <= ${soon}`.execute(trx);
  await sql`
    update charges set due_at = ${now}
     where subscription_id = ${subscriptionId} and status = 'due' and due_at > ${now} and due_at <= ${soon}
       and (locked_until is null or locked_until < clock_timestamp())`.execute(trx);
  await sql`
    update collector_events set parked_at = null, failure = null
     where subscription_id = ${subscriptionId} and applied_at is null and parked_at is not null`.execute(trx);
  await sql`
    update subscription_signals set created_at = ${now}
     where subscription_id = ${subscriptionId} and created_at > ${now}`.execute(trx);
  trx.wake('kasi_subscriptions');
}

/** Takes up at once a charge that waits for its outcome, with all else of its subscription. */
export async function retryCharge(trx: Trx, chargeId: string, now: Date): Promise<void> {
  const query = trx.selectFrom('charges').select('subscription_id').where('id', '=', chargeId);
  const charge = await query.executeTakeFirst();
  if (charge) await unparkSubscription(trx, charge.subscription_id, now);
}
