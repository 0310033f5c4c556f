import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { operationOf } from './request-log.ts';

/** A condition of readiness; `detail` says what is wrong. */
export type Check = { readonly name: string; readonly ok: boolean; readonly detail?: string };

/** What a network does at present. It is no condition of readiness: a process serves without it. */
type NetworkDetail = {
  readonly network: string;
  readonly open: boolean;
  readonly watched: boolean;
  readonly detail: string;
};

export type Health = {
  readonly checks: () => Promise<readonly Check[]>;
  readonly networks: () => readonly NetworkDetail[];
  /** Adds gauges to /metrics, which are read on each scrape. */
  readonly gauges: (registry: Registry) => void;
};

/** /healthz (the process is alive), /readyz (it can serve) and /metrics (Prometheus). */
export function registerHealth(app: FastifyInstance, health: Health): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'kasi_http_request_duration_seconds',
    help: 'Time to answer, by operation and status.',
    labelNames: ['operation', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  const failures = new Counter({
    name: 'kasi_http_failures_total',
    help: 'Answers with a status of 500 or more.',
    registers: [registry],
  });
  health.gauges(registry);
  app.addHook('onResponse', async (request, reply) => {
    const operation = operationOf(request) ?? 'other';
    duration.observe({ operation, status: reply.statusCode }, reply.elapsedTime / 1000);
    if (reply.statusCode >= 500) failures.inc();
  });
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const checks = await health.checks();
    const ready = checks.every((check) => check.ok);
    const status = ready ? 'ready' : 'not_ready';
    return reply.code(ready ? 200 : 503).send({ status, checks, networks: health.networks() });
  });
  app.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()));
}
