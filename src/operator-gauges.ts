import { sql } from 'kysely';
import { sumFees } from './chains/operator/queries.ts';
import { kindOf } from './incidents/present.ts';
import { after, DAY_MS } from './lib/clock.ts';
import { countFinished, oldestDueSeconds } from './mail/queries.ts';
import type { Platform } from './platform.ts';
import { GAS_AT_RISK_MAX, readGasAtRisk } from './relays/limits.ts';

/** A gauge with labels, and what it shows at present. */
export type OperatorGauge = {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  readonly read: () => Promise<readonly Reading[]>;
};

type Reading = { readonly labels: Readonly<Record<string, string>>; readonly value: number };

/** What an operator is woken by, beside incidents; read from the database on each scrape, so every process shows it. */
export function operatorGauges(platform: Platform): readonly OperatorGauge[] {
  const { db, clock } = platform;
  return [
    ...chainGauges(platform),
    ...mailGauges(platform),
    {
      name: 'kasi_incidents_open_by_kind',
      help: 'Incidents that nobody has resolved, by kind and severity.',
      labelNames: ['kind', 'severity'],
      read: async () => {
        const { rows } = await sql<{ kind: string; value: number }>`
        select kind, count(*)::float8 as value from incidents where resolved_at is null group by kind`.execute(db);
        return rows.map(({ kind, value }) => ({ labels: { kind, severity: kindOf(kind).severity }, value }));
      },
    },
    {
      name: 'kasi_credits_parked',
      help: 'Transfers that could not be counted and wait for their cause to be mended.',
      labelNames: [],
      read: () => count(db, sql`credits where parked_at is not null`),
    },
    {
      name: 'kasi_alerts_waiting',
      help: 'Alerts that have not arrived and are due.',
      labelNames: [],
      read: () => count(db, sql`incident_alerts where delivered_at is null and next_attempt_at <= ${clock.now()}`),
    },
    {
      name: 'kasi_jobs_failed',
      help: 'Jobs whose last run failed: 1 for each.',
      labelNames: ['job'],
      read: async () => {
        const { rows } = await sql<{ job: string }>`select job from job_ticks where failure is not null`.execute(db);
        return rows.map(({ job }) => ({ labels: { job }, value: 1 }));
      },
    },
  ];
}

/** What becomes of mails to payers. */
const mailGauges = ({ db, clock }: Pick<Platform, 'db' | 'clock'>): readonly OperatorGauge[] => [
  {
    name: 'kasi_mails_day',
    help: 'Mails of the last 24 hours that were sent, failed or dropped.',
    labelNames: ['status'],
    read: async () => {
      const finished = await countFinished(db, after(clock.now(), -DAY_MS));
      return finished.map(({ status, count: value }) => ({ labels: { status }, value }));
    },
  },
  {
    name: 'kasi_mail_oldest_due_seconds',
    help: 'For how long the oldest mail that is due has been due; 0 when none is.',
    labelNames: [],
    read: async () => [{ labels: {}, value: await oldestDueSeconds(db, clock.now()) }],
  },
];

/** What the chains and our accounts on them do. */
const chainGauges = ({ db, clock }: Pick<Platform, 'db' | 'clock'>): readonly OperatorGauge[] => [
  {
    name: 'kasi_watcher_silent_seconds',
    help: 'Since when no process has heard anything of the chain.',
    labelNames: ['network'],
    read: async () => {
      const { rows } = await sql<{ network: string; value: number }>`
        select network, greatest(0, extract(epoch from clock_timestamp() - checked_at))::float8 as value
          from chain_cursors`.execute(db);
      return rows.map(({ network, value }) => ({ labels: { network }, value }));
    },
  },
  {
    name: 'kasi_finality_lag_blocks',
    help: 'Scanned blocks that are not deep enough yet to be counted on.',
    labelNames: ['network'],
    read: async () => {
      const { rows } = await sql<{ network: string; value: number }>`
        select network, (height - confirmed_height)::float8 as value from chain_cursors`.execute(db);
      return rows.map(({ network, value }) => ({ labels: { network }, value }));
    },
  },
  {
    name: 'kasi_operator_fees_day',
    help: 'What transactions of our accounts in the last 24 hours cost, by what they were for, in the network’s coin.',
    labelNames: ['network', 'purpose'],
    read: async () => {
      const sums = await sumFees(db, after(clock.now(), -DAY_MS));
      return sums.map(({ network, purpose, fee }) => ({ labels: { network, purpose }, value: fee }));
    },
  },
  {
    name: 'kasi_relay_budget_used',
    help: 'The share of the gas that signed transfers may lose in 24 hours which they have lost or may lose; near 1 they wait.',
    labelNames: ['network'],
    read: async () => {
      const sums = await readGasAtRisk(db, clock.now());
      return sums.map(({ network, gas }) => ({ labels: { network }, value: Number(gas) / Number(GAS_AT_RISK_MAX) }));
    },
  },
];

async function count(db: Platform['db'], from: ReturnType<typeof sql>): Promise<Reading[]> {
  const { rows } = await sql<{ value: number }>`select count(*)::float8 as value from ${from}`.execute(db);
  return rows.map(({ value }) => ({ labels: {}, value }));
}
