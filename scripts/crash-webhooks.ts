/**
 * `npm run test:crash-webhooks [events] [kills]`: three processes deliver the events of fifty merchants to an endpoint that fails now and
 * then, and are killed with SIGKILL at random moments. Exits with 0 when every event was received, none more than three times, and every
 * delivery ended as a success.
 */
import type { Endings } from './crash/run.ts';
import { runWebhookCrash } from './crash-webhooks/run.ts';
import { untilInterrupted } from './service-process.ts';

const [events = 1000, kills = 15] = process.argv.slice(2).map(Number);
if (![events, kills].every((count) => Number.isInteger(count) && count > 0)) {
  console.error('Usage: npm run test:crash-webhooks [events] [kills], whole numbers above 0');
  process.exit(1);
}
const progress = (text: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r${text} `);
};
const endings: Endings = [];
try {
  const options = { events, kills, merchants: 50, workers: 3, faultsOfHundred: 10, progress };
  const figures = await untilInterrupted(runWebhookCrash(options, endings));
  console.log(`
Kills       ${figures.kills} with SIGKILL, of three processes that deliver
Events      ${figures.events}, of which ${figures.twice} were taken twice, ${figures.thrice} three times, ${figures.oftener} oftener
Refused     ${figures.refused} requests, which came again
Time        ${figures.seconds.toFixed(0)} s
`);
  for (const fault of figures.faults) console.error(`WRONG: ${fault}`);
  if (figures.faults.length === 0) console.log('Nothing was lost, and every delivery ended as a success.');
  process.exitCode = figures.faults.length === 0 ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
for (const end of endings.reverse()) await end();
process.exit(); // After an interruption a part would go on.
