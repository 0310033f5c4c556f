/**
 * `npm run test:crash-keys [kills]`: kills the service with SIGKILL at random moments while customers repeat requests
 * under fixed idempotency keys until they are answered. Exits with 0 if every request has had its effect once, and all
 * its answers have the same bytes.
 */
import { readCounts, runCampaign } from './crash/campaign.ts';
import { runKeyCrash } from './crash/keys/run.ts';
import { makeDataFolder, removeDataFolder } from './lib/service-process.ts';

const CALLERS = 16;
const ALIVE_MAX_MS = 2_000;

const [kills] = readCounts([100], 'npm run test:crash-keys [kills], a whole number above 0');
const dataDir = makeDataFolder();
await runCampaign(
  (progress, endings) => runKeyCrash({ kills, callers: CALLERS, aliveMaxMs: ALIVE_MAX_MS, dataDir, progress }, endings),
  {
    figures: (figures) => `\
Kills       ${figures.kills} with SIGKILL, ${figures.early} of them while the service was starting
Orders      ${figures.orders}, each a payment that was made and cancelled under keys
Lost        ${figures.lost} answers, which came again`,
    wellDone: 'Every request had its effect once and got the same answer each time.',
  },
  [() => removeDataFolder(dataDir)],
);
