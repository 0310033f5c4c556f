import { sql } from 'kysely';
import type { Db } from '../lib/db-types.ts';
import type { Job } from '../ports/job.ts';
import { sweepDue } from './advance.ts';
import { nextChargeDue } from './charging/claims.ts';
import { type CollectDeps, collectDue } from './charging/collect.ts';
import { tellUnconfirmed } from './charging/unconfirmed.ts';
import { relaySigned } from './mandates/relay.ts';
import { nextAction } from './queries.ts';
import { retryParked, settleWaiting } from './settling/apply.ts';

/** The timed work of subscriptions. All of it may be killed anywhere and run in several processes at once. */
export const subscriptionJobs = (deps: CollectDeps): Job[] => [
  {
    name: 'subscriptions.settle',
    cron: '* * * * * *',
    wakeOn: 'kasi_subscriptions',
    run: (run) => settleWaiting(deps, run),
    nextDue: () => oldestUnsettled(deps.db),
  },
  {
    name: 'subscriptions.relay',
    cron: '* * * * * *',
    wakeOn: 'kasi_subscriptions',
    run: (run) => relaySigned(deps, run),
  },
  {
    name: 'subscriptions.sweep',
    cron: '* * * * * *',
    wakeOn: 'kasi_subscriptions',
    run: (run) => sweepDue(deps, run),
    nextDue: () => nextAction(deps.db),
  },
  {
    name: 'subscriptions.collect',
    cron: '* * * * * *',
    wakeOn: 'kasi_subscriptions',
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
    run: ({ now }) => tellUnconfirmed(deps.db, now),
  },
];

/**
 * Since when something is on its way: a charge that was sent or waits for its blocks, a mandate that was signed, or what was said of them. The
 * sandbox's clock does not run past it.
 */
async function oldestUnsettled(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ oldest: Date | null }>`
    select min(since) as oldest from (
      select min(updated_at) as since from charges where status = 'sending'
      union all select min(updated_at) from charges where status = 'confirming'
      union all select min(submitted_at) from mandates
        where signature is not null and authorized_at is null and revoked_at is null
      union all select min(seen_at) from collector_events where applied_at is null and parked_at is null
      union all select min(created_at) from subscription_signals
    ) waiting`.execute(db);
  return rows[0]?.oldest ?? null;
}
