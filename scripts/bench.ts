/** Measures every promise about speed and memory, each as a ratio within this run. Usage: npm run bench [part …] */
import { benchBookJournals } from './bench/book-journals.ts';
import { benchCreateSession } from './bench/create-session.ts';
import { benchDeliverScale } from './bench/deliver-scale.ts';
import { benchDeliverWebhooks } from './bench/deliver-webhooks.ts';
import { benchDueSubscriptions } from './bench/due-subscriptions.ts';
import { type Figure, holds, renderFigures } from './bench/figure.ts';
import { benchGetPayment } from './bench/get-payment.ts';
import { benchGrowth } from './bench/growth.ts';
import { benchHostileCrowd } from './bench/hostile-crowd.ts';
import { benchHostileEndpoints } from './bench/hostile-endpoints.ts';
import { benchIdempotency } from './bench/idempotency.ts';
import { benchIdle } from './bench/idle.ts';
import { benchIncomeAtOnce } from './bench/income-at-once.ts';
import { benchLimits } from './bench/limits.ts';
import { benchLists } from './bench/lists.ts';
import { benchMemory } from './bench/memory.ts';
import { benchMoneyIn } from './bench/money-in.ts';
import { benchRenewals } from './bench/renewals.ts';
import { benchSealing } from './bench/sealing.ts';
import { type BenchService, type Endings, startBenchService } from './bench/service.ts';
import { benchSignedRequests } from './bench/signed-requests.ts';
import { benchStart } from './bench/start.ts';
import { benchSweeps } from './bench/sweeps.ts';
import { benchTelling } from './bench/telling.ts';
import { benchWatchBitcoin } from './bench/watch-bitcoin.ts';
import { benchWatchEther } from './bench/watch-ether.ts';
import { benchWatchTransfers } from './bench/watch-transfers.ts';
import { benchWithdrawals } from './bench/withdrawals.ts';
import { untilInterrupted } from './lib/service-process.ts';

type Part = (service: BenchService, endings: Endings) => Promise<Figure | Figure[]>;

/** The order matters: memory is measured while the service is fresh, and the last part leaves a long table. */
const PARTS: Readonly<Record<string, Part>> = {
  memory: benchMemory,
  get: benchGetPayment,
  limits: benchLimits,
  signed: benchSignedRequests,
  session: benchCreateSession,
  crowd: benchHostileCrowd,
  idempotency: benchIdempotency,
  withdraw: benchWithdrawals,
  book: benchBookJournals,
  in: async (service, endings) => [
    ...(await benchMoneyIn(service, endings)),
    await benchIncomeAtOnce(service, endings),
  ],
  renew: benchRenewals,
  due: benchDueSubscriptions,
  lists: benchLists,
  deliver: benchDeliverWebhooks,
  sweeps: benchSweeps,
  start: benchStart,
  trace: benchTelling,
  idle: benchIdle,
  seal: benchSealing,
  hostile: benchHostileEndpoints,
  growth: benchGrowth,
  watch: async (service, endings) => [
    ...(await benchWatchTransfers(service, endings)),
    await benchWatchBitcoin(service, endings),
    ...(await benchWatchEther(service, endings)),
  ],
  bitcoin: benchWatchBitcoin,
  ether: benchWatchEther,
  scale: benchDeliverScale,
};

const endings: Endings = [];
try {
  const figures = await untilInterrupted(measure(process.argv.slice(2)));
  process.stdout.write(`${renderFigures(figures)}\n`);
  process.exitCode = figures.every(holds) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
}
for (const end of endings.reverse()) await end();
process.exit(); // Without this, a part would continue after an interruption.

async function measure(wanted: readonly string[]): Promise<Figure[]> {
  const unknown = wanted.filter((name) => !Object.hasOwn(PARTS, name));
  if (unknown.length > 0)
    throw new Error(`No part: ${unknown.join(', ')}. There are: ${Object.keys(PARTS).join(', ')}`);
  const parts = Object.entries(PARTS).filter(([name]) => wanted.length === 0 || wanted.includes(name));
  const service = await startBenchService(endings);
  const figures: Figure[] = [];
  for (const [name, run] of parts) {
    process.stderr.write(`measuring ${name} …\n`);
    const found = [await run(service, endings)].flat();
    process.stderr.write(`${renderFigures(found)}\n`); // A whole run takes most of an hour, and may be interrupted.
    figures.push(...found);
  }
  return figures;
}
