import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Service } from './compose.ts';
import { type Config, ConfigError, parseConfig } from './config.ts';
import { DeploymentRefusal } from './deployment/refusal.ts';
import { type Infrastructure, prepareInfrastructure } from './infrastructure.ts';
import { monotonicMs } from './lib/clock.ts';
import { messageOf, StartError } from './lib/errors.ts';
import { inParallel } from './lib/in-parallel.ts';
import { inTime } from './lib/in-time.ts';
import { nameProcess } from './lib/process-name.ts';
import { createLogger } from './logger.ts';
import { createFailureLog } from './outage-log.ts';
import { collectOnceSettled } from './settled-heap.ts';
import { openTracing, type Traced, type Tracing } from './tracing/tracing.ts';

const STOP_WITHIN_MS = 30_000;
const FLUSH_WITHIN_MS = 5_000;
const CONTRACT = join(import.meta.dirname, '../generated/openapi.json');
const PACKAGE = join(import.meta.dirname, '../package.json');

/** What refuses a start with a complete message. */
const REFUSALS = [ConfigError, DeploymentRefusal, StartError];

type Running = {
  service?: Service;
  infrastructure?: Infrastructure;
  tracing?: Tracing | undefined;
  logger?: Pick<Logger, 'flush'>;
};

/**
 * Starts everything. A signal or a failure stops what already runs, in reverse order. A signal in the middle of a start
 * waits for the step that is under way: what it needs would be taken from it, and a password that is shown once would
 * never be.
 */
async function main(): Promise<void> {
  const running: Running = {};
  let isStarted = false;
  const stopping = new AbortController();
  // What is told there is told: a disk that is full, or a reader that is gone, ends no service.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  process.on('SIGTERM', () => stopping.abort());
  process.on('SIGINT', () => stopping.abort());
  // The launcher holds the other end of this channel. When the launcher is killed, the service stops, too.
  process.once('disconnect', () => stopping.abort());
  process.channel?.unref();
  stopping.signal.addEventListener('abort', () => {
    limitStop();
    if (isStarted) void finish(running, 0);
  });
  try {
    await start(running, stopping.signal);
    isStarted = true;
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    await finish(running, 1);
  }
  if (stopping.signal.aborted) await finish(running, 0);
}

async function start(running: Running, signal: AbortSignal): Promise<void> {
  const config = parseConfig(process.env);
  const worker = nameProcess();
  const format = config.logFormat ?? (process.stdout.isTTY ? 'pretty' : 'json');
  const tell = (why: Error): void => warn(why, 'traces could not be sent');
  // What listens has to be there before what is listened to.
  running.tracing = config.tracing ? await openTracing(config.tracing, describe(config, worker), tell) : undefined;
  const logger = createLogger(config.logLevel, format, running.tracing?.logFields);
  running.logger = logger;
  const warn = createFailureLog(logger, monotonicMs, 'warn');
  for (const each of config.misspelt) logger.warn(each);
  // What is started in processes of its own has begun by then.
  const reading = new Promise<void>((resolve) => setImmediate(resolve)).then(readService);
  const [infrastructure, { compose, welcome }] = await inParallel([
    prepareInfrastructure(config, logger, reading).then((prepared) => {
      running.infrastructure = prepared;
      return prepared;
    }),
    reading,
  ]);
  if (signal.aborted) return;
  const contract = JSON.parse(readFileSync(CONTRACT, 'utf8')) as object;
  const world = { config, logger, worker, ...infrastructure };
  running.service = await compose(world, contract, infrastructure.chain);
  if (signal.aborted) return;
  await running.service.start();
  if (signal.aborted) return;
  process.stdout.write(await welcome(running.service, config, infrastructure.missing));
  collectOnceSettled();
}

/** Most of our code: it is read while other processes make and start what it needs. */
async function readService() {
  const [{ compose }, { welcome }] = await Promise.all([import('./compose.ts'), import('./welcome.ts')]);
  return { compose, welcome };
}

const describe = ({ mode }: Config, instance: string): Traced => {
  const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string };
  return { version, mode, instance };
};

const limitStop = (): void => void setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();

let finishing = false;

async function finish(running: Running, code: number): Promise<void> {
  if (finishing) return;
  finishing = true;
  limitStop();
  await running.service?.stop();
  await running.infrastructure?.stop();
  await running.tracing?.close();
  await flush(running);
  process.exit(code);
}

/** Waits for the last lines of the log, and not for a reader that has stopped. */
async function flush({ logger }: Running): Promise<void> {
  const flushed = new Promise<void>((resolve) => (logger ? logger.flush(() => resolve()) : resolve()));
  await inTime(flushed, FLUSH_WITHIN_MS).catch(() => undefined);
}

/** No stack for refusals: their message is complete. */
function explain(error: unknown): string {
  if (REFUSALS.some((refusal) => error instanceof refusal)) return messageOf(error);
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});
