import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '../../clients/typescript/src/index.ts';
import { findFreePort } from '../../src/db/daemon.ts';
import { telling, WORK } from '../../src/lib/work.ts';
import type { ServiceProcess } from '../lib/service-process.ts';
import { type Cost, costOf, findPostmaster, inWords, medianCost, readCpuMs } from './cpu.ts';
import { type Figure, median } from './figure.ts';
import { type LoadOptions, load, readAs } from './load.ts';
import { type BenchService, type Endings, registerBenchMerchant, startBeside } from './service.ts';

const ROUNDS = 3;
const LOAD: LoadOptions = { connections: 32, seconds: 5 };
const SCRAPES = 200;
/** How often Prometheus scrapes, unless told otherwise. */
const SCRAPE_EVERY_MS = 15_000;
const CALLS = 300_000;
const CALL_ROUNDS = 15;
/** Of a GET: its statement, its look-ups, and room for more. */
const TOLD_BY_A_GET = 5;

/**
 * Measures what an operator's look at the service costs it: places that tell of their work while nothing listens,
 * against the CPU of a GET; the same GET while everything is traced; and a scrape of the metrics.
 */
export async function benchTelling(service: BenchService, endings: Endings): Promise<Figure[]> {
  const collector = createServer((request, response) => {
    request.resume().on('end', () => response.end());
  });
  await new Promise<void>((resolve) => void collector.listen(0, '127.0.0.1', resolve));
  endings.push(async () => void collector.close());
  const { port } = collector.address() as AddressInfo;
  const metricsPort = await findFreePort();
  const silent = await startBeside(service, endings, { METRICS_PORT: String(metricsPort) });
  const traced = await startBeside(service, endings, { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` });
  const { off, on } = await compareGets(service, silent, traced);
  const tellNs = measureTelling();
  const scrapeMs = await measureScrape(silent, `http://127.0.0.1:${metricsPort}/metrics`);
  return [
    {
      ...{
        name: 'Telling with no subscriber, of the CPU of a GET',
        value: (tellNs * TOLD_BY_A_GET) / (off.nodeUs * 10),
        unit: '%',
      },
      ...{ limit: { atMost: 1 }, detail: `${TOLD_BY_A_GET} places of ${tellNs.toFixed(1)} ns; ${inWords(off)}` },
    },
    {
      ...{ name: 'Scraped every 15 s, of a core', value: (scrapeMs / SCRAPE_EVERY_MS) * 100, unit: '%' },
      ...{ limit: { atMost: 1 }, detail: `${scrapeMs.toFixed(1)} ms of CPU a scrape` },
    },
    {
      ...{ name: 'GET one payment, CPU with all of it traced to without', value: on.nodeUs / off.nodeUs },
      ...{ limit: { atMost: 3 }, goal: 2, detail: inWords(on) },
    },
  ];
}

/** In turn, so that noise hits both. */
async function compareGets(
  service: BenchService,
  silent: ServiceProcess,
  traced: ServiceProcess,
): Promise<{ readonly off: Cost; readonly on: Cost }> {
  const { token } = await registerBenchMerchant(service);
  const { id } = await createClient({ baseUrl: service.url, token }).payments.create({ amount: 25, currency: 'USD' });
  const postmaster = await findPostmaster(service.databaseUrl);
  const [off, on]: [Cost[], Cost[]] = [[], []];
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { process, costs } of [
      { process: silent, costs: off },
      { process: traced, costs: on },
    ]) {
      const get = () => load(process.url, readAs(token, `/v1/payments/${id}`), LOAD);
      const cost = await costOf(process.pid, postmaster, get);
      if (round > 0) costs.push(cost); // Before, code is still being compiled.
    }
  }
  return { off: medianCost(off), on: medianCost(on) };
}

/** Nanoseconds that a channel without subscribers costs, around work that does nothing: the median of many rounds. */
function measureTelling(): number {
  const done = Promise.resolve();
  let calls = 0;
  const work = () => {
    calls += 1;
    return done;
  };
  const rounds = Array.from({ length: CALL_ROUNDS }, () => {
    const began = performance.now();
    for (let call = 0; call < CALLS; call += 1) telling(WORK.statement, () => ({ text: `select ${call}` }), work);
    return performance.now() - began;
  });
  if (calls !== CALLS * CALL_ROUNDS) throw new Error('some of the work was not done');
  return (median(rounds) * 1e6) / CALLS;
}

/** Milliseconds of CPU of the process that is scraped. */
async function measureScrape({ pid }: ServiceProcess, url: string): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const before = await readCpuMs(pid);
    for (let scrape = 0; scrape < SCRAPES; scrape += 1) await (await fetch(url)).text();
    if (round > 0) rounds.push(((await readCpuMs(pid)) - before) / SCRAPES);
  }
  return median(rounds);
}
