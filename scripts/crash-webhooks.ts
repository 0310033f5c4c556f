/**
 * `npm run test:crash-webhooks [events] [kills]`: three processes deliver the events of fifty merchants to an endpoint
 * that sometimes fails, and are killed with SIGKILL at random moments. Exits with 0 if every event was received, none
 * more than three times, and every delivery ended as a success.
 */
import { readCounts, runCampaign } from './crash/campaign.ts';
import { runWebhookCrash } from './crash/webhooks/run.ts';

const [events, kills] = readCounts([1000, 15], 'npm run test:crash-webhooks [events] [kills], whole numbers above 0');
await runCampaign(
  (progress, endings) =>
    runWebhookCrash({ events, kills, merchants: 50, workers: 3, faultsOfHundred: 10, progress }, endings),
  {
    figures: (figures) => `\
Kills       ${figures.kills} with SIGKILL, of three processes that deliver
Events      ${figures.events}, of which ${figures.twice} were taken twice, ${figures.thrice} three times, ${figures.oftener} oftener
Refused     ${figures.refused} requests, which came again`,
    wellDone: 'Nothing was lost, and every delivery ended as a success.',
  },
);
