import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findFreePort } from '../../src/db/daemon.ts';
import { startEmbeddedPostgres } from '../../src/db/embedded.ts';
import { makeDataFolder, removeDataFolder, startServiceProcess } from '../lib/service-process.ts';
import { type Figure, median } from './figure.ts';

const ROUNDS = 3;

/**
 * Measures the first start in an empty folder, from the command to `/readyz`: with a database that is made, migrated
 * and seeded, a chain and a Bitcoin node. The limit is what none of that can do without: making and starting
 * PostgreSQL, and starting Node.js.
 */
export async function benchStart(): Promise<Figure> {
  const [us, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(await inFolder(startBare));
    us.push(await inFolder(startService));
  }
  return {
    ...{ name: 'First start until ready', value: median(us) / 1000, unit: 's', limit: { atMost: 4 } },
    detail: `${(median(us) / median(bare)).toFixed(1)} times the ${Math.round(median(bare))} ms of PostgreSQL and Node.js alone`,
  };
}

async function inFolder(work: (dataDir: string) => Promise<() => Promise<void>>): Promise<number> {
  const dataDir = makeDataFolder();
  const began = performance.now();
  const stop = await work(dataDir);
  const took = performance.now() - began;
  await stop();
  await removeDataFolder(dataDir);
  return took;
}

async function startBare(dataDir: string): Promise<() => Promise<void>> {
  await promisify(execFile)(process.execPath, ['-e', '0']);
  return (await startEmbeddedPostgres({ dataDir, log: () => undefined })).stop;
}

async function startService(dataDir: string): Promise<() => Promise<void>> {
  const service = await startServiceProcess({ dataDir, port: await findFreePort(), env: { LOG_LEVEL: 'error' } });
  await service.ready();
  return service.stop;
}
