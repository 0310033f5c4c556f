import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  makeDataFolder,
  removeDataFolder,
  type ServiceProcess,
  startServiceProcess,
} from '../../scripts/lib/service-process.ts';
import { findFreePort } from '../../src/db/daemon.ts';

/** Whether a first start has come to a moment in its middle. */
const MOMENTS: Readonly<Record<string, (service: ServiceProcess, dataDir: string) => Promise<boolean>>> = {
  'makes its database': async (_, dataDir) => existsSync(join(dataDir, 'postgres')),
  'answers already': async ({ url }) =>
    fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    ),
};

test.each(Object.keys(MOMENTS))(
  'a process that is asked to stop while it %s ends well and without a failure',
  async (name) => {
    const dataDir = makeDataFolder();
    try {
      const service = await startServiceProcess({ dataDir, port: await findFreePort(), env: { METRICS_PORT: '0' } });
      const isThere = () => MOMENTS[name]?.(service, dataDir);
      await expect.poll(isThere, { timeout: 60_000, interval: 1 }).toBe(true);
      await service.stop();
      expect(service.printed()).not.toMatch(/error/i);
    } finally {
      await removeDataFolder(dataDir);
    }
  },
);
