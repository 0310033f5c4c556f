/**
 * `npm run test:crash-subscriptions [count] [years] [seconds]`: lets that many subscriptions live for years on a moved
 * clock. Meanwhile three processes of the service are killed with SIGKILL at random moments, wallets run empty and are
 * refilled, mandates are revoked, merchants are frozen, and the chain reorganises. Exits with 0 if every period was
 * charged exactly once, or there is a good reason why not.
 */
import { randomInt } from 'node:crypto';
import { startEmbeddedPostgres } from '../src/db/embedded.ts';
import { migrate } from '../src/db/migrate.ts';
import { startDevChain } from '../src/sandbox/dev-chain.ts';
import { roleOf } from '../src/start-database.ts';
import { readCounts, runCampaign } from './crash/campaign.ts';
import { runSubscriptionCrash } from './crash/subscriptions/run.ts';
import { makeDataFolder, removeDataFolder } from './lib/service-process.ts';

const USAGE =
  'npm run test:crash-subscriptions [count] [years] [seconds], whole numbers above 0; SEED=<number> repeats a run';
const [count, years, seconds] = readCounts([1000, 2, 480], USAGE);
const seed = Number(process.env['SEED'] ?? randomInt(1, 2 ** 31));
const dataDir = makeDataFolder();
console.log(`SEED=${seed}`);
const list = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, n]) => `${n} ${name}`)
    .join(', ');

await runCampaign(
  async (progress, endings) => {
    const log = (): void => undefined;
    const database = await startEmbeddedPostgres({ dataDir, log, durable: false });
    endings.push(() => database.stop());
    await migrate(database.ownerUrl, roleOf(database.url));
    const chain = await startDevChain({ dataDir, now: new Date(), log });
    endings.push(() => chain.stop());
    const roles = ['api,scheduler', 'scheduler,watcher', 'scheduler,watcher'];
    const options = { count, days: years * 365, seconds, sellers: 6, roles, killOf: 6, outages: 2, seed };
    return runSubscriptionCrash({ ...options, dataDir, database, chain, progress }, endings);
  },
  {
    figures: (figures) => `\
Kills          ${figures.kills} with SIGKILL, ${figures.early} of them while a process was starting, and ${figures.outages} outages of three days
Subscriptions  ${figures.subscriptions} in ${figures.days} days; cancelled: ${list(figures.cancelled)}
Charges        ${list(figures.charges)}
Failures       ${list(figures.failures)}; ${figures.recovered} charges recovered
Reorgs         ${figures.reorgs}; ${figures.lost} tries were lost and made again
Acts           ${list(figures.acts)}`,
    wellDone: 'Every period was charged exactly once, or has a good reason why it was not.',
  },
  [() => removeDataFolder(dataDir)],
);
