import { sql } from 'kysely';
import { kindOf } from '../incidents/present.ts';
import { type Asked, COUNTED_MAX, countOf, type Reading, type Source } from './gauges.ts';

/**
 * The nightly comparisons: the job that makes each, the incidents that are its verdict, and after how long one that has
 * not ended was killed. That of the ledger gives itself up after an hour; the chains may be asked for a night.
 */
const COMPARISONS = [
  { scope: 'ledger', job: 'settlements.reconcile', kinds: ['ledger.reconcile'], endsWithin: sql`interval '2 hours'` },
  {
    ...{ scope: 'chains', job: 'settlements.reconcile-chains', endsWithin: sql`interval '12 hours'` },
    kinds: ['chain.unexplained', 'chain.uncompared'],
  },
];

/** What the service itself says of its state: incidents, jobs, the nightly comparisons, rates. */
export const runSources = (asked: Asked): Source[] => [incidents(asked), jobs(asked), rates(asked)];

/**
 * Steps from kind to kind in incidents_open and counts each there, and reads a row for each comparison. Whatever failed
 * for one payment may fail for all of them, with an incident each.
 */
const incidents = ({ db, clock }: Asked): Source => ({
  name: 'incidents',
  metrics: [
    { name: 'kasi_incidents_open', help: `Incidents that nobody has resolved; at most ${COUNTED_MAX} of each kind.` },
    {
      name: 'kasi_incidents_open_by_kind',
      help: `Incidents that nobody has resolved, by kind and severity; at most ${COUNTED_MAX} of each kind.`,
      labels: ['kind', 'severity'],
    },
    {
      name: 'kasi_reconcile_ok',
      help: 'Whether the last comparison of the ledger with itself, and with the chains, ended and left no incident: 1 or 0.',
      labels: ['scope'],
    },
  ],
  read: async () => {
    const { rows } = await sql<{ kind: string; value: number }>`
      with recursive kinds (kind) as (
        select min(kind) from incidents where resolved_at is null
        union all
        select (select min(i.kind) from incidents i where i.resolved_at is null and i.kind > k.kind)
          from kinds k where k.kind is not null)
      select k.kind, ${countOf(sql`select from incidents i where i.kind = k.kind and i.resolved_at is null
                order by i.subject`)} as value
        from kinds k where k.kind is not null`.execute(db);
    const open = new Set(rows.map(({ kind }) => kind));
    const limits = sql.join(COMPARISONS.map(({ scope, endsWithin }) => sql`(${scope}, ${endsWithin})`));
    const { rows: cut } = await sql<{ scope: string }>`
      select scope from reconcile_runs join (values ${limits}) as limits (scope, ends_within) using (scope)
       where ended_at is null and began_at < ${clock.real()}::timestamptz - ends_within`.execute(db);
    return [
      { metric: 'kasi_incidents_open', value: rows.reduce((sum, { value }) => sum + value, 0) },
      ...rows.map(({ kind, value }) => ({
        metric: 'kasi_incidents_open_by_kind',
        labels: { kind, severity: kindOf(kind).severity },
        value,
      })),
      ...COMPARISONS.map(({ scope, kinds }) => ({
        metric: 'kasi_reconcile_ok',
        labels: { scope },
        value: cut.some((run) => run.scope === scope) || kinds.some((kind) => open.has(kind)) ? 0 : 1,
      })),
    ];
  },
});

/** Reads job_ticks whole: it has a row for each job. */
const jobs = ({ db, clock }: Asked): Source => ({
  name: 'jobs',
  metrics: [
    { name: 'kasi_jobs_failed', help: 'Jobs whose last run failed: 1 for each.', labels: ['job'] },
    { name: 'kasi_job_overdue_seconds', help: 'For how long the tick that is overdue longest has waited.' },
    {
      name: 'kasi_reconcile_last_run_timestamp_seconds',
      help: 'When the last comparison of the ledger with itself, and with the chains, began.',
      labels: ['scope'],
    },
  ],
  read: async () => {
    const { rows } = await sql<{ job: string; failed: boolean; started: number; overdue: number }>`
      select job, failure is not null as failed, extract(epoch from started_at)::float8 as started,
             greatest(0, coalesce(extract(epoch from ${clock.real()}::timestamptz - next_at), 0))::float8 as overdue
        from job_ticks`.execute(db);
    return [
      ...rows
        .filter(({ failed }) => failed)
        .map(({ job }) => ({ metric: 'kasi_jobs_failed', labels: { job }, value: 1 })),
      { metric: 'kasi_job_overdue_seconds', value: Math.max(0, ...rows.map(({ overdue }) => overdue)) },
      ...COMPARISONS.flatMap(({ scope, job }): Reading[] => {
        const run = rows.find((row) => row.job === job);
        return run
          ? [{ metric: 'kasi_reconcile_last_run_timestamp_seconds', labels: { scope }, value: run.started }]
          : [];
      }),
    ];
  },
});

/** Reads rates whole, and shows those that are asked for: the rate of a pair that was taken off the list only ages. */
const rates = ({ db, clock, pairs }: Asked): Source => ({
  name: 'rates',
  metrics: [{ name: 'kasi_rate_age_seconds', help: 'How old the last good rate of a pair is.', labels: ['pair'] }],
  read: async () => {
    const { rows } = await sql<{ pair: string; value: number }>`
      select base || '/' || quote as pair,
             greatest(0, extract(epoch from ${clock.now()}::timestamptz - quoted_at))::float8 as value
        from rates`.execute(db);
    return rows
      .filter(({ pair }) => pairs.has(pair))
      .map(({ pair, value }) => ({ metric: 'kasi_rate_age_seconds', labels: { pair }, value }));
  },
});
