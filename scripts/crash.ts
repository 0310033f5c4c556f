/**
 * `npm run test:crash [kills] [payments]`: kills the service with SIGKILL at random moments while it is asked for payments and they are
 * paid on its chain. Exits with 0 when afterwards every payment is paid once, credited once and announced, and nothing else is wrong.
 */
import { type Endings, runCrash } from './crash/run.ts';
import { makeDataFolder, removeDataFolder, untilInterrupted } from './service-process.ts';

const ALIVE_MAX_MS = 6_000;

const [kills = 50, payments = 200] = process.argv.slice(2).map(Number);
if (!(Number.isInteger(kills) && kills > 0 && Number.isInteger(payments) && payments > 0)) {
  console.error('Usage: npm run test:crash [kills] [payments], whole numbers above 0');
  process.exit(1);
}
const progress = (text: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r${text} `);
};
const dataDir = makeDataFolder();
const endings: Endings = [() => removeDataFolder(dataDir)];
try {
  const figures = await untilInterrupted(
    runCrash({ kills, payments, aliveMaxMs: ALIVE_MAX_MS, dataDir, progress }, endings),
  );
  console.log(`
Kills       ${figures.kills} with SIGKILL, ${figures.early} of them while the service was starting
Payments    ${figures.payments} paid by ${figures.transfers} transfers; ${figures.lost} more were made whose answer was lost
Webhooks    ${figures.events} events in ${figures.deliveries} deliveries, ${figures.repeats} of them repeats; all signatures good
Time        ${figures.seconds.toFixed(0)} s
`);
  for (const fault of figures.faults) console.error(`WRONG: ${fault}`);
  if (figures.faults.length === 0) console.log('Every payment was paid once and credited once; the books agree.');
  process.exitCode = figures.faults.length === 0 ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
for (const end of endings.reverse()) await end();
process.exit(); // After an interruption some customers would still wait.
