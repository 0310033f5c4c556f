import { sql } from 'kysely';
import { isAny } from '../db/is-any.ts';
import type { Db } from '../lib/db-types.ts';
import type { Job } from '../ports/job.ts';
import { advanceDue } from './advance.ts';
import { isAnyChargeDue, nextChargeDue } from './charging/claims.ts';
import { type CollectDeps, collectDue } from './charging/collect.ts';
import { alignDearGasIncidents, alignUncollectedIncidents, alignUnconfirmedIncidents } from './charging/incidents.ts';
import { isAnyToRelay } from './mandates/queries.ts';
import { relaySigned } from './mandates/relay.ts';
import { nextAction } from './queries.ts';
import { applyWaitingEvents, applyWaitingSignals, retryParked } from './settling/apply.ts';

/** The timed work of subscriptions. Each job may be killed anywhere and run in several processes at once. */
export const subscriptionJobs = (deps: CollectDeps): Job[] => [
  {
    name: 'subscriptions.settle',
    cron: '* * * * * *',
    wakeOn: 'kasi_subscriptions',
    hasWork: () => isAny(sql`collector_events where applied_at is null and parked_at is null order by id`),
    run: (run) => applyWaitingEvents(deps, run),
    nextDue: () => oldestUnfinished(deps.db),
  },
  {
    name: 'subscriptions.signals',
    cron: '* * * * * *',
    wakeOn: 'kasi_subscriptions',
    hasWork: ({ now }) => isAny(sql`subscription_signals where created_at <= ${now} order by created_at`),
    run: (run) => applyWaitingSignals(deps, run),
  },
  {
    name: 'subscriptions.relay',
    cron: '* * * * * *',
    wakeOn: 'kasi_subscriptions',
    hasWork: ({ now }) => isAnyToRelay(namesOf(deps), now),
    run: (run) => relaySigned(deps, run),
  },
  {
    name: 'subscriptions.sweep',
    cron: '* * * * * *',
    wakeOn: 'kasi_subscriptions',
    hasWork: ({ now }) => isAny(sql`subscriptions where next_action_at <= ${now} order by next_action_at, id`),
    run: (run) => advanceDue(deps, run),
    nextDue: () => nextAction(deps.db),
  },
  {
    name: 'subscriptions.collect',
    cron: '* * * * * *',
    wakeOn: 'kasi_subscriptions',
    hasWork: ({ now }) => isAnyChargeDue(namesOf(deps), now),
    run: (run) => collectDue(deps, run),
    nextDue: () =>
      nextChargeDue(
        deps.db,
        deps.networks.flatMap(({ name, collector }) => (collector ? [name] : [])),
      ),
  },
  {
    name: 'subscriptions.parked',
    cron: '30 * * * * *',
    run: (run) => retryParked(deps, run),
  },
  {
    name: 'subscriptions.unconfirmed',
    cron: '0 * * * * *',
    run: ({ now }) => alignWaiting(deps, now),
  },
];

const namesOf = ({ networks }: CollectDeps): string[] => networks.map(({ name }) => name);

/** Says of what waits for long why it does. */
async function alignWaiting({ db, networks, chains }: CollectDeps, now: Date): Promise<void> {
  await alignUnconfirmedIncidents(db, now);
  await alignDearGasIncidents(db, now);
  const uncollected = networks.filter((network) => !chains.openCollector(network)).map(({ name }) => name);
  await alignUncollectedIncidents(db, uncollected, now);
}

/**
 * Since when work has been unfinished: a charge that was sent or waits for its confirmations, a signed mandate that
 * is not on the chain, or an event or signal that is not applied. The sandbox's clock stays behind it.
 */
async function oldestUnfinished(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ oldest: Date | null }>`
    select min(since) as oldest from (
      select min(updated_at) as since from charges where status = 'sending'
      union all select min(updated_at) from charges where status = 'confirming'
      union all select min(submitted_at) from mandates
        where signature is not null and authorized_at is null and revoked_at is null and relay_look_at is null
      union all select min(seen_at) from collector_events where applied_at is null and parked_at is null
      union all select min(created_at) from subscription_signals
    ) waiting`.execute(db);
  return rows[0]?.oldest ?? null;
}
