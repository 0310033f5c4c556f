/**
 * `npm run test:crash [kills] [payments]`: kills the service with SIGKILL at random moments while payments are
 * requested and paid on its chains, in each of the four tokens in turn. Exits with 0 if afterwards every payment is
 * paid once, credited once and announced, and nothing else is wrong.
 */
import { readCounts, runCampaign } from './crash/campaign.ts';
import { runCrash } from './crash/payments/run.ts';
import { makeDataFolder, removeDataFolder } from './lib/service-process.ts';

const ALIVE_MAX_MS = 6_000;

const [kills, payments] = readCounts([50, 200], 'npm run test:crash [kills] [payments], whole numbers above 0');
const dataDir = makeDataFolder();
await runCampaign(
  (progress, endings) => runCrash({ kills, payments, aliveMaxMs: ALIVE_MAX_MS, dataDir, progress }, endings),
  {
    figures: (figures) => `\
Kills       ${figures.kills} with SIGKILL, ${figures.early} of them while the service was starting
Payments    ${figures.payments} paid by ${figures.transfers} transfers; ${figures.lost} more were made whose answer was lost
Replaced    ${figures.replaced} transfers in bitcoins, while they waited for a block
Webhooks    ${figures.events} events in ${figures.deliveries} deliveries, ${figures.repeats} of them repeats; all signatures good`,
    wellDone: 'Every payment was paid once and credited once; the books agree.',
  },
  [() => removeDataFolder(dataDir)],
);
