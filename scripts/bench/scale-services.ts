import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compose, type Service } from '../../src/compose.ts';
import { parseConfig } from '../../src/config.ts';
import { findFreePort } from '../../src/db/daemon.ts';
import { prepareInfrastructure } from '../../src/infrastructure.ts';
import { WORK } from '../../src/lib/work.ts';
import { createLogger } from '../../src/logger.ts';
import type { World } from '../../src/platform.ts';
import { makeDataFolder, removeDataFolder } from '../lib/service-process.ts';

const CONTRACT = join(import.meta.dirname, '../../generated/openapi.json');

/** Of a database with few rows, and of one with many. */
export type Sides<T> = { readonly few: T; readonly many: T };
export type ScaleUrls = Sides<string>;

type How = {
  readonly env?: Readonly<Record<string, string>>;
  readonly world?: Pick<World, 'passwordCost'>;
};

/**
 * Composes a service on each database in this process, which stop when the work is done. They are not started here, so
 * nothing but the work asks the databases.
 */
export async function withScaleServices<T>(
  urls: ScaleUrls,
  work: (services: Sides<Service>) => Promise<T>,
  { env = {}, world = {} }: How = {},
): Promise<T> {
  const dataDir = makeDataFolder();
  const port = String(await findFreePort());
  const config = parseConfig({ PORT: port, KASI_DATA_DIR: dataDir, KASI_ROLES: 'api', ...env });
  const logger = createLogger('silent');
  const infrastructure = await prepareInfrastructure(config, logger);
  const contract = JSON.parse(readFileSync(CONTRACT, 'utf8')) as object;
  const open = (databaseUrl: string): Promise<Service> =>
    compose({ config, logger, ...infrastructure, ...world, databaseUrl }, contract, infrastructure.chain);
  const services = { few: await open(urls.few), many: await open(urls.many) };
  try {
    return await work(services);
  } finally {
    for (const service of Object.values(services)) await service.stop();
    await infrastructure.stop();
    await removeDataFolder(dataDir);
  }
}

/** How long some work took, and the statements that it sent. */
export type Run = {
  readonly ms: number;
  readonly statements: readonly { readonly text: string; readonly ms: number }[];
};

/** Hears which statements this process sends while something runs, and how long each takes. */
export function listenToStatements() {
  let heard: Run['statements'][number][] = [];
  const began = new WeakMap<object, number>();
  const since = (work: object): number => performance.now() - (began.get(work) ?? Number.NaN);
  WORK.statement.subscribe({
    start: (work) => void began.set(work, performance.now()),
    asyncStart: (work) => void heard.push({ text: work.text, ms: since(work) }),
    end: () => undefined,
    asyncEnd: () => undefined,
    error: () => undefined,
  });
  return {
    during: async (work: () => Promise<unknown>): Promise<Run> => {
      heard = [];
      const begun = performance.now();
      await work();
      const run = { ms: performance.now() - begun, statements: heard };
      heard = []; // What comes later is no part of it.
      return run;
    },
  };
}
