import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen } from '../../scripts/bench/explain.ts';
import { auditJobs } from '../../src/audit/jobs.ts';
import { operatorJobs } from '../../src/chains/operator/jobs.ts';
import { sessionJobs } from '../../src/checkout/jobs.ts';
import { eventJobs } from '../../src/events/jobs.ts';
import { incidentJobs } from '../../src/incidents/jobs.ts';
import { incidentMailJobs } from '../../src/incidents/mails.ts';
import { ledgerJobs } from '../../src/ledger/jobs.ts';
import { createClock } from '../../src/lib/clock.ts';
import { paymentLinkJobs } from '../../src/payment-links/jobs.ts';
import { paymentJobs } from '../../src/payments/jobs.ts';
import { opinionJobs } from '../../src/payments/opinions.ts';
import type { Job } from '../../src/ports/job.ts';
import { reconcileJobs } from '../../src/reconcile/jobs.ts';
import { relayJobs } from '../../src/relays/jobs.ts';
import { findIdle } from '../../src/scheduler/ticks.ts';
import { changeJobs } from '../../src/settings/changes.ts';
import { subscriptionJobs } from '../../src/subscriptions/jobs.ts';
import { tallyJobs } from '../../src/tallies/jobs.ts';
import { webhookJobs } from '../../src/webhooks/jobs.ts';
import { connectOwner, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { fillRows, loosenRows } from '../support/loose-rows.ts';

const NETWORK = { name: 'n1', tokens: [], collector: {}, secondOpinionFrom: 1n };
const clock = createClock();

let database: TestDatabase;
let owner: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = await connectOwner(database);
  await loosenRows(owner);
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

/** All jobs that have a probe, which ask nothing else of what a process has. */
function jobsWithProbes(): Job[] {
  const deps = {
    ...{ networks: [NETWORK], clock, subscribe: () => () => undefined },
    ...{ chains: { openWitness: () => ({}) }, log: () => undefined },
  } as never;
  const all = [
    ...[...auditJobs(deps), ...operatorJobs(deps), ...sessionJobs(deps), ...eventJobs(deps), ...incidentJobs(deps)],
    ...[...incidentMailJobs(deps), ...ledgerJobs(deps), ...paymentLinkJobs(deps), ...paymentJobs(deps)],
    ...[...opinionJobs(deps), ...reconcileJobs(deps), ...relayJobs(deps), ...changeJobs(deps)],
    ...[...subscriptionJobs(deps), ...tallyJobs(deps), ...webhookJobs(deps)],
  ];
  return all.filter(({ hasWork }) => hasWork);
}

/** What the statement of all probes reads when it was used often, its plan then, and whether that serves any values. */
async function askOften(): Promise<{ buffers: number; isPlannedOnce: boolean; plan: string }> {
  const { statementsOf, end } = listen(database.url);
  const jobs = jobsWithProbes();
  const tick = new Date(1000);
  const [statement] = await statementsOf((db) =>
    findIdle({ db, clock, worker: 'one', log: (error) => expect.unreachable(String(error)) }, jobs, tick),
  );
  await end();
  const client = new pg.Client({ connectionString: database.url, options: '-c random_page_cost=1.1' });
  await client.connect();
  const { sql: text = '', parameters = [] } = statement ?? {};
  await client.query(`prepare probes as ${text}`);
  const literalOf = (value: unknown): string => {
    if (Array.isArray(value)) return pg.escapeLiteral(`{${value.join(',')}}`);
    return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value));
  };
  const asked = `execute probes (${parameters.map(literalOf).join(', ')})`;
  for (let n = 0; n < 8; n += 1) await client.query(asked);
  const { rows: plan } = await client.query(`explain (analyze, buffers, timing off) ${asked}`);
  const { rows } = await client.query('select generic_plans::integer as generic from pg_prepared_statements');
  await client.end();
  const lines = plan.map((row) => row['QUERY PLAN'] as string);
  const buffers = /hit=(\d+)/.exec(lines.find((line) => line.includes('Buffers')) ?? '')?.[1];
  return { buffers: Number(buffers), isPlannedOnce: rows[0].generic > 0, plan: lines.join('\n') };
}

const over = `now() - interval '2 days'`;
const later = `now() + interval '2 days'`;

test('what an idle process asks each second is planned once, and few pages answer it, whatever waits for later', async () => {
  expect(jobsWithProbes().map(({ name }) => name)).toHaveLength(22);
  await fillRows(owner, 'payment_links', 5_000, { id: `'lnk_' || g`, slug: `'s' || g` });
  await fillRows(owner, 'payments', 3_000, { id: `'pay_' || g`, status: `'pending'`, expires_at: later });
  await fillRows(owner, 'subscriptions', 8_000, { id: `'sub_' || g`, status: `'cancelled'` });
  await owner.query('analyze');
  const quiet = await askOften();
  expect(quiet.isPlannedOnce, quiet.plan).toBe(true);
  expect(quiet.buffers, quiet.plan).toBeLessThan(80);

  const waits = { id: `'sub_w' || g`, status: `'active'`, wallet: `'0xw' || g`, next_action_at: later };
  await fillRows(owner, 'subscriptions', 3_000, waits);
  await fillRows(owner, 'charges', 8_000, { id: `'chg_' || g`, status: `'succeeded'`, due_at: over, number: 'g' });
  const charge = { id: `'chg_w' || g`, subscription_id: `'s' || md5(g::text)`, network: `'n1'` };
  await fillRows(owner, 'charges', 3_000, { ...charge, status: `'due'`, due_at: later });
  await owner.query('analyze');
  const waiting = await askOften();
  expect(waiting.buffers, waiting.plan).toBeLessThan(80);
});
