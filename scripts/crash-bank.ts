/**
 * `npm run test:crash-bank [kills] [seconds] [clients]`: kills the service with SIGKILL at random moments while
 * merchants withdraw and give money back, and administrators decide and pay. Exits with 0 if the ledger added up
 * whenever it was checked, every withdrawal and refund took one path, every answer was true, and the chain has what
 * merchants were credited with.
 */

import { runBankCrash } from './crash/bank/run.ts';
import { readCounts, runCampaign } from './crash/campaign.ts';
import { makeDataFolder, removeDataFolder } from './lib/service-process.ts';

const MERCHANTS = 6;
/** The least numbers of withdrawals and refunds that make a campaign. */
const WITHDRAWALS_MIN = 100;
const REFUNDS_MIN = 100;
/** The part of a life's length that counts, because a life begins with a start. */
const ALIVE_SHARE = 0.5;

const USAGE = 'npm run test:crash-bank [kills] [seconds] [clients], whole numbers above 0';
const [kills, seconds, clients] = readCounts([10, 60, 30], USAGE);
const dataDir = makeDataFolder();
const aliveMaxMs = Math.ceil((seconds * 1000 * ALIVE_SHARE) / kills);
await runCampaign(
  (progress, endings) =>
    runBankCrash(
      {
        ...{ kills, seconds, clients, merchants: MERCHANTS, withdrawals: WITHDRAWALS_MIN },
        refunds: REFUNDS_MIN,
        ...{ aliveMaxMs, dataDir, progress },
      },
      endings,
    ),
  {
    figures: (figures) => `\
Kills       ${figures.kills} with SIGKILL, ${figures.early} of them while the service was starting
Payouts     ${figures.withdrawals} withdrawals and ${figures.refunds} refunds, which were moved ${figures.moves} times; ${figures.claims} refunds were claimed, ${figures.refusals} requests came too late or asked too much
Lost        ${figures.lost} answers, which came again
Reads       ${figures.reads} balances; the whole ledger was compared with everything ${figures.audits} times meanwhile`,
    wellDone: 'The ledger added up every time and agrees with the chain, and every withdrawal and refund went one way.',
  },
  [() => removeDataFolder(dataDir)],
);
