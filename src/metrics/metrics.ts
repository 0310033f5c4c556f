import { collectDefaultMetrics } from 'prom-client';
import type { Reach } from '../chains/reach.ts';
import type { WatchJob } from '../chains/watch-job.ts';
import { measureClockAhead } from '../db/clock-offset.ts';
import { type Clock, SECOND_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import type { Network } from '../ports/chain.ts';
import type { OperatorAccount } from '../ports/operator.ts';
import { chainSources } from './chain-gauges.ts';
import type { Source } from './gauges.ts';
import { createMetricsListener, type MetricsAddress } from './listener.ts';
import type { Meters } from './meters.ts';
import { processSources } from './process-gauges.ts';
import { queueSources } from './queue-gauges.ts';
import { runSources } from './run-gauges.ts';
import { createScrape } from './scrape.ts';

/** What of the platform the metrics read. */
type Measured = {
  readonly config: {
    readonly metrics: MetricsAddress | null;
    readonly rateSources: readonly { readonly pair: string }[];
    readonly alertWebhookUrl: string | null;
  };
  readonly meters: Meters;
  readonly networks: readonly Network[];
  readonly reach: Reach;
  readonly db: Db;
  readonly sideDb: Db;
  readonly probeDb: Db;
  readonly listener: { readonly countGaps: () => number };
  readonly echo: () => Promise<boolean>;
  readonly clock: Clock;
  readonly operator: OperatorAccount | null;
  readonly sweeper: OperatorAccount | null;
};

export type RunningMetrics = {
  readonly start: () => Promise<void>;
  readonly url: () => string | null;
  readonly close: () => Promise<void>;
};

/** The metrics of a process, and where they are read if its configuration says so. */
export function openMetrics(
  { config, meters, networks, reach, db, sideDb, probeDb, listener, echo, clock, operator, sweeper }: Measured,
  { lag, countStreams }: Pick<WatchJob, 'lag'> & { readonly countStreams: () => number },
): RunningMetrics {
  if (config.metrics === null) return { start: async () => undefined, url: () => null, close: async () => undefined };
  // Only where they are read: the monitor of the event loop wakes the process a hundred times a second.
  collectDefaultMetrics({ register: meters.registry });
  // Not of the main pool: what is measured may be that all of it is in use.
  const pairs = new Set(config.rateSources.map(({ pair }) => pair));
  const asked = {
    db: probeDb,
    clock,
    networks,
    pairs,
    sendsAlerts: config.alertWebhookUrl !== null,
    lags: () => lag(probeDb),
  };
  const scrape = createScrape(meters.registry, {
    own: processSources({
      ...{ networks, reach, countStreams, countGaps: listener.countGaps },
      ...{ pools: { main: db, side: sideDb, probe: probeDb }, accounts: { operator, sweeper } },
    }),
    // The echo comes last: without one the scrape waits for it.
    asked: [
      ...[...runSources(asked), ...queueSources(asked), ...chainSources(asked)],
      ...[clockAhead(probeDb), notifications(echo)],
    ],
  });
  const served = createMetricsListener(config.metrics, scrape, meters.registry.contentType);
  let url: string | null = null;
  return {
    start: async () => {
      url = await served.start();
    },
    url: () => url,
    close: served.close,
  };
}

const clockAhead = (db: Db): Source => ({
  name: 'clock',
  metrics: [
    {
      name: 'kasi_clock_ahead_seconds',
      help: 'By how much the clock of this machine is ahead of that of the database; negative when it is behind.',
    },
  ],
  read: async () => [{ metric: 'kasi_clock_ahead_seconds', value: (await measureClockAhead(db)) / SECOND_MS }],
});

/** Asks what `/readyz` asks; both share an answer for a second. */
const notifications = (echo: () => Promise<boolean>): Source => ({
  name: 'notifications',
  metrics: [
    {
      name: 'kasi_db_notifications_heard',
      help: 'Whether a notification that this process sends comes back to it: 1 or 0.',
    },
  ],
  read: async () => [{ metric: 'kasi_db_notifications_heard', value: (await echo()) ? 1 : 0 }],
});
