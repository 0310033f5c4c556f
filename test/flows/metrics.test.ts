import pg from 'pg';
import { expect } from 'vitest';
import { serviceTest } from '../fixture.ts';
import { startService } from '../harness.ts';
import { shownOf } from '../support/metrics.ts';

const test = serviceTest();

test('the metrics are on a port of their own, which has nothing else', async ({ service }) => {
  const url = service.service.metricsUrl();
  const answer = await fetch(`${url}/metrics`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringContaining('version=0.0.4')]);
  for (const path of ['/', '/healthz', '/v1/payments', '/metrics/x']) {
    const other = await fetch(`${url}${path}`);
    expect([other.status, other.headers.get('content-type')]).toEqual([404, 'text/plain; charset=utf-8']);
  }
  expect((await fetch(`${url}/metrics`, { method: 'POST', body: 'x' })).status).toBe(405);
  expect((await service.send('GET', '/metrics')).status).toBe(404);
});

test('without METRICS_PORT there is no listener', async () => {
  const service = await startService({ env: { METRICS_PORT: '' } });
  expect(service.service.metricsUrl()).toBeNull();
  await service.close();
});

test('what was taken off the list of networks and rates wakes nobody by its age', async ({ service }) => {
  const { db } = service;
  const [listed] = await db.selectFrom('chain_cursors').selectAll().execute();
  await db
    .insertInto('chain_cursors')
    .values({ ...listed!, network: 'taken-away', checked_at: new Date(0), locked_until: null, locked_by: null })
    .execute();
  const rate = { value_e8: 30_000_000_000n, source: 'a', quoted_at: new Date(0) };
  await db
    .insertInto('rates')
    .values({ base: 'USD', quote: 'LKR', ...rate })
    .execute();
  const text = await service.metrics();
  expect(shownOf(text, 'kasi_watcher_silent_seconds{network="devnet"}')).toBeGreaterThanOrEqual(0);
  expect(text).not.toMatch(/taken-away|USD\/LKR/);
});

test('a comparison that was killed is not called well', async ({ service }) => {
  const shown = async () => {
    const text = await service.metrics();
    return ['ledger', 'chains'].map((scope) => shownOf(text, `kasi_reconcile_ok{scope="${scope}"}`));
  };
  const began = async (hoursAgo: number) => {
    const began_at = new Date(service.clock.real().getTime() - hoursAgo * 3_600_000);
    const runs = ['ledger', 'chains'].map((scope) => ({ scope, began_at }));
    await service.db
      .insertInto('reconcile_runs')
      .values(runs)
      .onConflict((conflict) => conflict.column('scope').doUpdateSet({ began_at }))
      .execute();
  };
  await began(1);
  expect(await shown()).toEqual([1, 1]);
  await began(3);
  expect(await shown()).toEqual([0, 1]);
  await began(13);
  expect(await shown()).toEqual([0, 0]);
  await service.db.updateTable('reconcile_runs').set({ ended_at: new Date() }).execute();
  expect(await shown()).toEqual([1, 1]);
});

test('alerts wait, and their age raises no alarm, while no receiver is configured', async ({ service }) => {
  const due = { created_at: new Date(0), next_attempt_at: new Date(0) };
  const alert = { id: 'alt_1', kind: 'network.closed', body: '{}', ...due };
  await service.db.insertInto('incident_alerts').values(alert).execute();
  const shown = (text: string) => [
    shownOf(text, 'kasi_queue_oldest_due_seconds{queue="alerts"}'),
    shownOf(text, 'kasi_alerts_waiting'),
  ];
  expect(shown(await service.metrics())).toEqual([0, 0]);
  await service.db.deleteFrom('incident_alerts').execute();
  const sending = await startService({ env: { ALERT_WEBHOOK_URL: 'http://127.0.0.1:9/alerts' } });
  await sending.db.insertInto('incident_alerts').values(alert).execute();
  expect(shown(await sending.metrics())).toEqual([expect.toSatisfy((seconds: number) => seconds > 0), 1]);
  await sending.close();
});

test('a payment counts from the sight of its money until it is paid, and its webhook by its outcome', async ({
  service,
  merchant,
  receiver,
}) => {
  const before = await service.metrics();
  await merchant.client.merchants.update(merchant.id, { webhookUrl: receiver.url });
  const { id } = await merchant.client.payments.create({ amount: 25, currency: 'USD', acceptedTokens: ['USDT'] });
  await service.client().public.payments.select(id, { token: 'USDT', network: 'devnet' });
  const { cryptoAddress } = await merchant.client.payments.get(id);
  const payable = { cryptoAddress: cryptoAddress ?? '', tokenAmountDue: '25' };
  await service.chain.transfer(payable, { confirmed: false });
  service.clock.advance(7000);
  expect(shownOf(await service.metrics(), 'kasi_queue_oldest_due_seconds{queue="credits"}')).toBe(7);
  expect(shownOf(await service.metrics(), 'kasi_credits_waiting')).toBe(1);
  await service.runPaymentJobs();
  service.clock.advance(13_000);
  await service.chain.mine(2);
  await service.runPaymentJobs();
  await service.runJob('webhooks.deliver');
  const after = await service.metrics();
  const grown = (series: string) => shownOf(after, series) - shownOf(before, series);
  expect(grown('kasi_payment_seen_to_paid_seconds_count')).toBe(1);
  expect(grown('kasi_payment_seen_to_paid_seconds_sum')).toBe(13);
  expect(grown('kasi_webhook_attempts_total{outcome="success"}')).toBeGreaterThan(0);
  expect(grown('kasi_webhook_attempt_duration_seconds_count')).toBeGreaterThan(0);
  expect(shownOf(after, 'kasi_queue_oldest_due_seconds{queue="credits"}')).toBe(0);
});

test('a scrape while the database is away answers what the process knows, and says what it does not', async () => {
  const service = await startService();
  const { platform } = service.service;
  expect(shownOf(await service.metrics(), 'kasi_metrics_source_up{source="queues"}')).toBe(1);
  const owner = new pg.Client({ connectionString: platform.config.databaseUrl ?? '' });
  await owner.connect();
  // Whoever asks waits, as for a database that hangs.
  await owner.query('begin; lock table incidents, credits, job_ticks, chain_cursors in access exclusive mode');
  const startMs = performance.now();
  const text = await service.metrics();
  expect(performance.now() - startMs).toBeLessThan(4000);
  expect(shownOf(text, 'kasi_metrics_source_up{source="queues"}')).toBe(0);
  expect(text).not.toMatch(/^kasi_queue_oldest_due_seconds\{/m);
  expect(shownOf(text, 'kasi_db_pool_connections_max{pool="main"}')).toBe(20);
  expect(shownOf(text, 'kasi_payer_streams_open')).toBe(0);
  await owner.query('rollback');
  await owner.end();
  await expect.poll(async () => shownOf(await service.metrics(), 'kasi_metrics_source_up{source="queues"}')).toBe(1);
  await service.close();
});
