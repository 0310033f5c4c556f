/**
 * `npm run test:crash-keys [kills]`: kills the service with SIGKILL at random moments while customers repeat requests under fixed
 * idempotency keys until they are answered. Exits with 0 when afterwards every request has had its effect once, and was answered with the
 * same bytes whenever it was answered.
 */
import type { Endings } from './crash/run.ts';
import { runKeyCrash } from './crash-idempotency/run.ts';
import { makeDataFolder, removeDataFolder, untilInterrupted } from './service-process.ts';

const CALLERS = 16;
const ALIVE_MAX_MS = 2_000;

const kills = Number(process.argv[2] ?? 100);
if (!(Number.isInteger(kills) && kills > 0)) {
  console.error('Usage: npm run test:crash-keys [kills], a whole number above 0');
  process.exit(1);
}
const progress = (text: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r${text} `);
};
const dataDir = makeDataFolder();
const endings: Endings = [() => removeDataFolder(dataDir)];
try {
  const options = { kills, callers: CALLERS, aliveMaxMs: ALIVE_MAX_MS, dataDir, progress };
  const figures = await untilInterrupted(runKeyCrash(options, endings));
  console.log(`
Kills       ${figures.kills} with SIGKILL, ${figures.early} of them while the service was starting
Orders      ${figures.orders}, each a payment that was made and cancelled under keys
Lost        ${figures.lost} answers, which came again
Time        ${figures.seconds.toFixed(0)} s
`);
  for (const fault of figures.faults) console.error(`WRONG: ${fault}`);
  if (figures.faults.length === 0) console.log('Every request had its effect once, and was told the same each time.');
  process.exitCode = figures.faults.length === 0 ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
for (const end of endings.reverse()) await end();
process.exit(); // After an interruption some customers would still wait.
