/**
 * `npm run test:liars [kills] [payments]`: puts two proxies before the sandbox's chain that leave logs out, invent
 * some, lag, fork, fail and fall silent in turn, and pays payments through them while the service is killed. Exits with
 * 0 if afterwards every payment is paid and credited once, nothing is credited that the chain does not have, and
 * incidents named endpoints that lied.
 */
import { startDevChain } from '../src/sandbox/dev-chain.ts';
import { readCounts, runCampaign } from './crash/campaign.ts';
import { runLiars } from './liars/run.ts';
import { makeDataFolder, removeDataFolder } from './lib/service-process.ts';

const ALIVE_MAX_MS = 6_000;
const MOOD_MS = 3_000;

const [kills, payments] = readCounts([25, 500], 'npm run test:liars [kills] [payments], whole numbers above 0');
const [dataDir, chainDir] = [makeDataFolder(), makeDataFolder()];
await runCampaign(
  async (progress, endings) => {
    const chain = await startDevChain({ dataDir: chainDir, now: new Date(), log: () => undefined });
    endings.push(() => chain.stop());
    const lies = { rpcUrl: chain.rpcUrl, moodMs: MOOD_MS };
    return runLiars({ kills, payments, aliveMaxMs: ALIVE_MAX_MS, dataDir, ...lies, progress }, endings);
  },
  {
    figures: (figures) => `\
Lies        ${figures.moods} in turn, ${figures.incidents} incidents
Kills       ${figures.kills} with SIGKILL, ${figures.early} of them while the service was starting
Payments    ${figures.payments} paid by ${figures.transfers} transfers
Webhooks    ${figures.events} events in ${figures.deliveries} deliveries`,
    wellDone: 'Every payment was paid once and credited once; nothing invented was credited; the books agree.',
  },
  [() => removeDataFolder(dataDir), () => removeDataFolder(chainDir)],
);
