import { type RawBuilder, sql } from 'kysely';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { WatchJob } from '../chains/watch-job.ts';
import type { Clock } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import type { Network } from '../ports/chain.ts';

/** Counts stop here: beyond, the number says only that it is far too many. See decision metrics/counted-so-far. */
export const COUNTED_MAX = 10_000;

/** A count of the rows of a query, which orders them by its index and so reads no others. */
export const countOf = (rows: RawBuilder<unknown>): RawBuilder<number> =>
  sql`(select count(*) from (${rows} limit ${sql.lit(COUNTED_MAX)}) counted)::float8`;

export type Reading = {
  readonly metric: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
};

/** What a gauge is called and says; `total`: it only grows while the process lives. */
export type Described = {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  readonly total?: boolean;
};

/** Gauges that one read fills. What a read does not name shows nothing. */
export type Source = {
  readonly name: string;
  readonly metrics: readonly Described[];
  readonly read: () => readonly Reading[] | Promise<readonly Reading[]>;
};

/** What sources that ask the database are given. */
export type Asked = {
  readonly db: Db;
  readonly clock: Clock;
  readonly networks: readonly Network[];
  /** Of rates that sources are asked for. */
  readonly pairs: ReadonlySet<string>;
  /** Whether this process sends alerts anywhere. */
  readonly sendsAlerts: boolean;
  readonly lags: () => ReturnType<WatchJob['lag']>;
};

/** Adds the gauges of a source; the returned function shows a reading, or with null that there is none. */
export function registerSource(registry: Registry, { metrics }: Source): (readings: readonly Reading[] | null) => void {
  const gauges = new Map(
    metrics.map(({ name, help, labels = [], total }) => {
      const options = { name, help, labelNames: [...labels], registers: [registry] };
      return [name, total ? new Counter(options) : new Gauge(options)];
    }),
  );
  const bare = metrics.filter(({ labels = [] }) => labels.length === 0).map(({ name }) => name);
  const clear = (): void => {
    for (const gauge of gauges.values()) gauge.reset();
    // A gauge without labels would show 0, as if it had been read.
    for (const name of bare) gauges.get(name)?.remove();
  };
  clear();
  return (readings) => {
    clear();
    // Two endpoints at one host are one line.
    for (const { metric, labels = {}, value } of readings ?? []) gauges.get(metric)?.inc(labels, value);
  };
}
