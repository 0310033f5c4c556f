/**
 * `npm run test:liars [kills] [payments]`: puts two proxies before the sandbox's chain that leave logs out, invent
 * some, lag, fork, fail and fall silent in turn, and pays payments through them while the service is killed. Exits with
 * 0 if each lie was named by its incident in the API while it was told, all of them are over afterwards, every payment
 * is paid and credited once, and neither the books nor their comparison with the chain find anything.
 */
import { startDevChain } from '../src/sandbox/dev-chain.ts';
import { readCounts, runCampaign } from './crash/campaign.ts';
import { type LieFigures, runLiars } from './liars/run.ts';
import { makeDataFolder, removeDataFolder } from './lib/service-process.ts';

/** Long enough for what is named only after several seconds. */
const ALIVE_MAX_MS = 12_000;
/** So old that a final block from its beginning is stale. */
const CHAIN_AGE_MS = 60 * 60_000;

/** Lie, times, incident, and the longest waits until it was open and over. */
function tableOf(lies: readonly LieFigures[]): string {
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  const rows = lies.map(({ name, times, answers, kind, openedAfterMs, overAfterMs }) => [
    ...[name, String(times), String(answers), kind, seconds(openedAfterMs), seconds(overAfterMs)],
  ]);
  const all = [['Lie', 'Times', 'Answers', 'Incident', 'Opened after', 'Over after'], ...rows];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? [];
  return all.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n');
}

const [kills, payments] = readCounts([25, 500], 'npm run test:liars [kills] [payments], whole numbers above 0');
const [dataDir, chainDir] = [makeDataFolder(), makeDataFolder()];
await runCampaign(
  async (progress, endings) => {
    const chain = await startDevChain({
      dataDir: chainDir,
      now: new Date(Date.now() - CHAIN_AGE_MS),
      log: () => undefined,
    });
    endings.push(() => chain.stop());
    const { rpcUrl } = chain;
    return runLiars({ kills, payments, aliveMaxMs: ALIVE_MAX_MS, dataDir, rpcUrl, progress }, endings);
  },
  {
    figures: (figures) => `\
${tableOf(figures.lies)}

Kills       ${figures.kills} with SIGKILL, ${figures.early} of them while the service was starting
Payments    ${figures.payments} paid by ${figures.transfers} transfers
Webhooks    ${figures.events} events in ${figures.deliveries} deliveries`,
    wellDone: 'Every lie was named; every payment was paid once and credited once; books and chain agree.',
  },
  [() => removeDataFolder(dataDir), () => removeDataFolder(chainDir)],
);
