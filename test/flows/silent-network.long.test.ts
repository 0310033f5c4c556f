import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServiceProcess } from '../../scripts/lib/service-process.ts';
import { findFreePort } from '../../src/db/daemon.ts';
import { type Anvil, startAnvil } from '../support/anvil.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { LIVE_CHAIN_ID, liveEnv, prepareLiveEntry } from '../support/live.ts';

let node: Anvil;
let database: TestDatabase;
/** A node that takes every call and never answers. */
let mute: Server;

beforeAll(async () => {
  [node, database] = await Promise.all([startAnvil({ chainId: LIVE_CHAIN_ID }), createTestDatabase()]);
  mute = createServer(() => undefined);
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  mute.closeAllConnections();
  mute.close();
  await node.stop();
  await database.drop();
});

test('a network that does not answer stops neither the start, nor readiness, nor the end of a process', async () => {
  const network = await prepareLiveEntry(node.url);
  const silentUrl = `http://127.0.0.1:${(mute.address() as AddressInfo).port}`;
  const silent = { ...network, name: 'silent', chainId: 5, rpcUrl: silentUrl };
  const { KASI_DATA_DIR: dataDir = '', PORT, ...env } = liveEnv(database, [network, silent]);
  const start = performance.now();
  const metricsPort = await findFreePort();
  const process = await startServiceProcess({
    ...{ dataDir, port: await findFreePort() },
    env: { ...env, METRICS_PORT: String(metricsPort) },
  });
  await process.ready();
  expect(performance.now() - start).toBeLessThan(30_000);
  const ready = await fetch(`${process.url}/readyz`);
  expect(ready.status).toBe(200);
  expect(await ready.json()).toMatchObject({
    status: 'ready',
    networks: [
      { network: 'base', open: true },
      { network: 'silent', open: false, detail: expect.stringContaining('did not answer') },
    ],
  });
  const scrape = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const metrics = await scrape();
  expect(metrics).toContain('kasi_network_open{network="base"} 1');
  expect(metrics).toContain('kasi_network_open{network="silent"} 0');
  // Endpoints are named by their host alone.
  const counted = async (what: string, name: string, url: string): Promise<number> => {
    const series = `kasi_rpc_${what}_total{network="${name}",endpoint="${new URL(url).host}"} `;
    const line = (await scrape()).split('\n').find((each) => each.startsWith(series));
    return Number(line?.slice(series.length));
  };
  expect(await counted('calls', 'base', node.url)).toBeGreaterThan(0);
  expect(await counted('errors', 'base', node.url)).toBe(0);
  await expect.poll(() => counted('errors', 'silent', silentUrl)).toBeGreaterThan(0);
  const stopping = performance.now();
  await process.stop();
  expect(performance.now() - stopping).toBeLessThan(10_000);
});
