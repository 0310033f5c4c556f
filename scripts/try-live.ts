/**
 * Walks the operators' way on an empty folder: packs and installs, makes a database, deploys, starts live on a node of
 * another chain id, sells, sweeps, withdraws, loses its database and restores it. Uses Debian's PostgreSQL where it is
 * installed, else that of npm.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeDataFolder } from './lib/service-process.ts';
import { installMachine } from './try-live/machine.ts';
import { startLiveNode } from './try-live/node.ts';
import { findDebianPostgres, findEmbedded, startOperatorPostgres } from './try-live/postgres.ts';
import { LIVE_CHAIN_ID, walkLive } from './try-live/walk.ts';

const startedAt = performance.now();
const seconds = (): string => ((performance.now() - startedAt) / 1000).toFixed(0).padStart(4);
const step = (words: string): void => console.log(`${seconds()} s  ${words}`);
const folder = makeDataFolder();
const endings: (() => Promise<void>)[] = [];
try {
  step('The package, installed in an empty folder');
  const machine = await installMachine(join(folder, 'machine'));
  const postgres = await startOperatorPostgres(findDebianPostgres() ?? findEmbedded(), folder);
  endings.push(postgres.stop);
  const node = await startLiveNode(LIVE_CHAIN_ID, folder);
  endings.push(node.stop);
  await walkLive({ machine, postgres, nodeUrl: node.url, step });
  step('Done: everything was as the book says.');
} finally {
  for (const end of endings.reverse()) await end();
  rmSync(folder, { recursive: true, force: true });
}
