import { sql } from 'kysely';
import { after, DAY_MS } from '../lib/clock.ts';
import { countFinished } from '../mail/queries.ts';
import { type Asked, COUNTED_MAX, countOf, type Source } from './gauges.ts';

const AT_MOST = `at most ${COUNTED_MAX}`;

/** What waits: for how long, and how much. Every part walks an index from its oldest end. */
export const queueSources = (asked: Asked): Source[] => [oldest(asked), counts(asked), mails(asked)];

/** One statement; each line is the first row of the index that stands beside it. */
const oldest = ({ db, clock, networks, sendsAlerts }: Asked): Source => ({
  name: 'queues',
  metrics: [
    {
      name: 'kasi_queue_oldest_due_seconds',
      help: 'For how long the oldest entry of a queue has been due; 0 when none is.',
      labels: ['queue'],
    },
  ],
  read: async () => {
    const now = clock.now();
    const names = networks.map(({ name }) => name);
    const { rows } = await sql<{ queue: string; seconds: number }>`
      select queue, greatest(0, coalesce(extract(epoch from ${now}::timestamptz - since), 0))::float8 as seconds
        from (
          -- credits_due
          select 'credits' as queue, (select min(seen_at) from credits
            where applied_at is null and parked_at is null) as since
          -- webhook_deliveries_due_first
          union all select 'deliveries', (select min(next_attempt_at) from webhook_deliveries
            where status = 'pending' and not is_test)
          -- The primary keys of the outboxes, and those of what they point to.
          union all select 'events', (select e.created_at from unsealed_events u join events e on e.id = u.event_id
            order by u.id limit 1)
          union all select 'audit', (select a.created_at from unsealed_audit_entries u
            join audit_log a on a.id = u.entry_id
            order by u.id limit 1)
          -- charges_due, once for each network.
          union all select 'charges', (select min(first.due_at) from unnest(${names}::text[]) as n (name)
            cross join lateral (select due_at from charges where network = n.name and status = 'due'
              order by due_at limit 1) first)
          -- collector_events_due
          union all select 'collector_events', (select seen_at from collector_events
            where applied_at is null and parked_at is null order by id limit 1)
          -- withdrawals_waiting
          union all select 'withdrawals', (select created_at from withdrawals
            where status in ('pending', 'approved', 'processing') order by created_at limit 1)
          -- refunds_to_pay; what still waits for its payer's address is not ours to do.
          union all select 'refunds', (select created_at from refunds where status in ('pending', 'processing')
            order by created_at limit 1)
          -- relays_waiting, once for each network.
          union all select 'relays', (select min(first.created_at) from unnest(${names}::text[]) as n (name)
            cross join lateral (select created_at from relays where network = n.name and status = 'signed'
              order by created_at limit 1) first)
          -- mails_due
          union all select 'mails', (select min(next_attempt_at) from mails where next_attempt_at is not null)
          -- incident_alerts_due; without a receiver they wait until there is one again, and are not due.
          union all select 'alerts', (select min(next_attempt_at) from incident_alerts
            where delivered_at is null and ${sendsAlerts})
        ) as queues`.execute(db);
    return rows.map(({ queue, seconds }) => ({
      metric: 'kasi_queue_oldest_due_seconds',
      labels: { queue },
      value: seconds,
    }));
  },
});

const counts = ({ db, clock, sendsAlerts }: Asked): Source => ({
  name: 'counts',
  metrics: [
    { name: 'kasi_credits_waiting', help: `Transfers that were seen and not counted yet; ${AT_MOST}.` },
    {
      name: 'kasi_credits_parked',
      help: `Transfers that could not be counted and wait for their cause to be mended; ${AT_MOST}.`,
    },
    { name: 'kasi_webhook_deliveries_due', help: `Deliveries whose next attempt is due; ${AT_MOST}.` },
    { name: 'kasi_alerts_waiting', help: `Alerts that have not arrived and are due; ${AT_MOST}.` },
  ],
  read: async () => {
    const now = clock.now();
    // credits_due, credits_parked, webhook_deliveries_due_first, incident_alerts_due: each in the order of its index.
    const { rows } = await sql<Record<'waiting' | 'parked' | 'deliveries' | 'alerts', number>>`
      select ${countOf(sql`select from credits where applied_at is null and parked_at is null
                order by seen_at`)} as waiting,
             ${countOf(sql`select from credits where parked_at is not null order by parked_at`)} as parked,
             ${countOf(sql`select from webhook_deliveries where status = 'pending' and not is_test
                and next_attempt_at <= ${now} order by next_attempt_at`)} as deliveries,
             ${countOf(sql`select from incident_alerts where delivered_at is null and next_attempt_at <= ${now}
                and ${sendsAlerts} order by next_attempt_at`)} as alerts`.execute(db);
    return rows.flatMap(({ waiting, parked, deliveries, alerts }) => [
      { metric: 'kasi_credits_waiting', value: waiting },
      { metric: 'kasi_credits_parked', value: parked },
      { metric: 'kasi_webhook_deliveries_due', value: deliveries },
      { metric: 'kasi_alerts_waiting', value: alerts },
    ]);
  },
});

const mails = ({ db, clock }: Asked): Source => ({
  name: 'mails',
  metrics: [
    {
      name: 'kasi_mails_day',
      help: `Mails of the last 24 hours that were sent, failed or dropped; ${AT_MOST} of each.`,
      labels: ['status'],
    },
  ],
  read: async () => {
    const finished = await countFinished(db, after(clock.now(), -DAY_MS), COUNTED_MAX);
    return finished.map(({ status, count: value }) => ({ metric: 'kasi_mails_day', labels: { status }, value }));
  },
});
