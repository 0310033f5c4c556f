/**
 * `npm run test:locks [rows]`: fills the biggest tables of an earlier schema with so many rows each (1,000,000), and
 * migrates it to this release while payments are made, lists are read and reports hold tables. Exits with 0 if no
 * statement failed or waited longer than a second for a migration.
 */
import { startEmbeddedPostgres } from '../src/db/embedded.ts';
import { readCounts, runCampaign } from './crash/campaign.ts';
import type { Endings } from './crash/stage.ts';
import { makeDataFolder, removeDataFolder } from './lib/service-process.ts';
import { measureLocks } from './upgrade/locks.ts';

/** As long as the application leaves a transaction open at most. */
const REPORT_MS = 10_000;

const [rows] = readCounts([1_000_000], 'npm run test:locks [rows], a whole number above 0');

await runCampaign(
  async (_progress, endings: Endings) => {
    const startedAt = performance.now();
    const dataDir = makeDataFolder();
    endings.push(() => removeDataFolder(dataDir));
    const postgres = await startEmbeddedPostgres({ dataDir, durable: false, log: () => undefined });
    endings.push(() => postgres.stop());
    const told = (text: string): void =>
      console.error(`${Math.round((performance.now() - startedAt) / 1000)} s  ${text}`);
    const figures = await measureLocks({ ownerUrl: postgres.ownerUrl, rows, reportMs: REPORT_MS, told });
    return { ...figures, seconds: (performance.now() - startedAt) / 1000 };
  },
  {
    figures: ({ waits, load }) => `\
Rows        ${rows.toLocaleString('en-US')} in each of the biggest tables
${waits.map(({ migration, ms, table, tookMs }) => `  ${migration.padEnd(36)} took ${String(tookMs).padStart(6)} ms, made others wait ${String(ms).padStart(5)} ms ${table}`).join('\n')}
Asked       ${load.statements} statements meanwhile, the slowest in ${Math.round(load.slowest.ms)} ms
            ${load.slowest.sql.trim().split('\n')[0]}`,
    wellDone: 'No statement waited longer than a second for a migration.',
  },
);
