import { Gauge, type Registry } from 'prom-client';
import { inTime } from '../lib/in-time.ts';
import { registerSource, type Source } from './gauges.ts';

/** Prometheus gives up after ten seconds unless told otherwise; a database that is away must not take them. */
const READ_WITHIN_MS = 2500;

/**
 * Returns the text of a scrape. Sources of the process are read at once; those of the database one after another, so
 * that a scrape takes one connection. The first that fails, or the end of the time, ends the reading of the database:
 * what is left shows nothing, `kasi_metrics_source_up` says so, and the scrape answers with the rest. Scrapes at the
 * same time share one reading.
 */
export function createScrape(
  registry: Registry,
  {
    own,
    asked,
    withinMs = READ_WITHIN_MS,
  }: {
    readonly own: readonly Source[];
    readonly asked: readonly Source[];
    readonly withinMs?: number;
  },
): () => Promise<string> {
  const up = new Gauge({
    name: 'kasi_metrics_source_up',
    help: 'Whether the last scrape could read what a group of metrics is made of: 1 or 0.',
    labelNames: ['source'],
    registers: [registry],
  });
  const show = new Map([...own, ...asked].map((source) => [source, registerSource(registry, source)]));
  const look = async (source: Source, late: AbortSignal): Promise<boolean> => {
    const readings = await Promise.resolve()
      .then(() => source.read())
      .catch(() => null);
    if (late.aborted) return false;
    show.get(source)?.(readings);
    up.set({ source: source.name }, readings ? 1 : 0);
    return readings !== null;
  };
  const readAll = async (late: AbortSignal): Promise<void> => {
    for (const source of own) await look(source, late);
    for (const source of asked) if (!(await look(source, late))) return;
  };
  const scrape = async (): Promise<string> => {
    const late = new AbortController();
    for (const source of asked) {
      show.get(source)?.(null);
      up.set({ source: source.name }, 0);
    }
    await inTime(readAll(late.signal), withinMs).catch(() => undefined);
    late.abort(); // What comes now belongs to no scrape.
    return registry.metrics();
  };
  let running: Promise<string> | null = null;
  return () => {
    running ??= scrape().finally(() => {
      running = null;
    });
    return running;
  };
}
