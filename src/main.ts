import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { compose } from './compose.ts';
import { ConfigError, parseConfig } from './config.ts';
import { prepareInfrastructure } from './infrastructure.ts';
import { LOG_REDACTION } from './http/redaction.ts';
import { welcome } from './welcome.ts';

const STOP_WITHIN_MS = 30_000;
const CONTRACT = join(import.meta.dirname, '../generated/openapi.json');

async function main(): Promise<void> {
  const config = parseConfig(process.env);
  const logger = pino({ level: config.logLevel, redact: LOG_REDACTION });
  const infrastructure = await prepareInfrastructure(config, logger);
  const contract = JSON.parse(readFileSync(CONTRACT, 'utf8')) as object;
  const service = await compose({ config, logger, ...infrastructure }, contract, infrastructure.chain);
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    await service.stop();
    await infrastructure.stop();
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop());
  process.on('SIGINT', () => void stop());
  try {
    await service.start();
    process.stdout.write(await welcome(service, config));
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
    await service.stop().finally(() => infrastructure.stop());
    process.exit(1);
  }
}

/** People read sentences, not stacks, where the sentence says it all. */
function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});
