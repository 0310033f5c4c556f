import { Counter, Histogram, Registry } from 'prom-client';

/**
 * What this process counts while it works. The parts that do the work are given these functions as values, and know
 * nothing of Prometheus.
 */
export type Meters = {
  readonly registry: Registry;
  readonly request: (operation: string, status: number, seconds: number) => void;
  readonly job: (job: string, seconds: number, failed: boolean) => void;
  readonly delivery: (outcome: DeliveryOutcome, seconds: number) => void;
  /** A payment became paid, so long after it was first seen. */
  readonly paid: (seconds: number) => void;
};

/** `retry`: the attempt failed, and another follows. */
type DeliveryOutcome = 'success' | 'retry' | 'failed';

const REQUEST_BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const JOB_BUCKETS = [0.01, 0.05, 0.25, 1, 5, 30, 300];
const DELIVERY_BUCKETS = [0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];
/** From a chain that confirms in seconds to Bitcoin's six blocks. */
const PAID_BUCKETS = [2, 5, 10, 20, 40, 60, 120, 300, 900, 1800, 3600, 7200];

/** The counters and histograms of one process, in a registry of their own. */
export function createMeters(): Meters {
  const registry = new Registry();
  const own = { registers: [registry] };
  const requests = new Histogram({
    ...{ name: 'kasi_http_request_duration_seconds', help: 'Time to answer, by operation and status.', ...own },
    ...{ labelNames: ['operation', 'status'] as const, buckets: REQUEST_BUCKETS },
  });
  const failures = new Counter({
    ...{ name: 'kasi_http_failures_total', help: 'Answers with a status of 500 or more.', ...own },
  });
  return {
    registry,
    ...workMeters(registry),
    request: (operation, status, seconds) => {
      requests.observe({ operation, status }, seconds);
      if (status >= 500) failures.inc();
    },
  };
}

function workMeters(registry: Registry): Pick<Meters, 'job' | 'delivery' | 'paid'> {
  const own = { registers: [registry] };
  const jobs = new Histogram({
    ...{ name: 'kasi_job_duration_seconds', help: 'How long runs of a job took in this process.', ...own },
    ...{ labelNames: ['job'] as const, buckets: JOB_BUCKETS },
  });
  const jobFailures = new Counter({
    ...{ name: 'kasi_job_failures_total', help: 'Runs of a job that failed in this process.', ...own },
    ...{ labelNames: ['job'] as const },
  });
  const outcomes = new Counter({
    ...{ name: 'kasi_webhook_attempts_total', help: 'Attempts at deliveries, by what came of them.', ...own },
    ...{ labelNames: ['outcome'] as const },
  });
  for (const outcome of ['success', 'retry', 'failed'] as const) outcomes.inc({ outcome }, 0);
  const latency = new Histogram({
    ...{ name: 'kasi_webhook_attempt_duration_seconds', help: 'How long endpoints took to answer.', ...own },
    ...{ buckets: DELIVERY_BUCKETS },
  });
  const paid = new Histogram({
    ...{ name: 'kasi_payment_seen_to_paid_seconds', help: 'From the first sight of the money to paid.', ...own },
    ...{ buckets: PAID_BUCKETS },
  });
  return {
    job: (job, seconds, failed) => {
      jobs.observe({ job }, seconds);
      if (failed) jobFailures.inc({ job });
    },
    delivery: (outcome, seconds) => {
      outcomes.inc({ outcome });
      latency.observe(seconds);
    },
    paid: (seconds) => paid.observe(seconds),
  };
}
