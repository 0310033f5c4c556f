import { createClient } from '../../clients/typescript/src/index.ts';
import type { ServiceProcess } from '../lib/service-process.ts';
import { type Cost, costInTurn, costOf, findPostmaster, inWords, totalUs } from './cpu.ts';
import { type Figure, median } from './figure.ts';
import { type LoadOptions, load, readAs } from './load.ts';
import { type BenchService, type Endings, HIGH_LIMITS, registerBenchMerchant, startBeside } from './service.ts';

/**
 * Two equal processes differ by more than limits cost, depending on how they happened to be compiled; so measure
 * several pairs.
 */
const PAIRS = 5;
/** Many short rounds, because the difference is smaller than the machine's noise between two seconds. */
const ROUNDS = 4;
const LOAD: LoadOptions = { connections: 32, seconds: 1.5 };
/** Until both sides are compiled. */
const WARM_UP: LoadOptions = { ...LOAD, seconds: 5 };

/**
 * Measures the CPU that reading one payment takes of a process that counts it against a limit, too high to be reached,
 * against one with limits off. Both only serve the API, on one database.
 */
export async function benchLimits(service: BenchService, endings: Endings): Promise<Figure> {
  const postmaster = await findPostmaster(service.databaseUrl);
  const pairs: Pair[] = [];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const [limited, free] = [
      await startBeside(service, endings, { RATE_LIMITS: HIGH_LIMITS }),
      await startBeside(service, endings, { RATE_LIMITS: 'off' }),
    ];
    pairs.push(await playPair(service, postmaster, { limited, free }));
    await Promise.all([limited.stop(), free.stop()]);
  }
  const middle = pairs.toSorted((a, b) => a.ratio - b.ratio)[Math.floor(PAIRS / 2)] as Pair;
  return {
    name: 'GET one payment with limits, CPU of one without to ours',
    value: median(pairs.map(({ ratio }) => ratio)),
    limit: { atLeast: 0.95 },
    detail: `${inWords(middle.us)} to ${inWords(middle.them)}`,
  };
}

type Pair = { readonly ratio: number; readonly us: Cost; readonly them: Cost };

async function playPair(
  service: BenchService,
  postmaster: number,
  { limited, free }: { readonly limited: ServiceProcess; readonly free: ServiceProcess },
): Promise<Pair> {
  const { token } = await registerBenchMerchant({ ...service, url: limited.url });
  const client = createClient({ baseUrl: limited.url, token });
  const payment = await client.payments.create({ amount: 25, currency: 'USD' });
  const costWith =
    ({ pid, url }: ServiceProcess) =>
    (isWarmUp: boolean) =>
      costOf(pid, postmaster, () => load(url, readAs(token, `/v1/payments/${payment.id}`), isWarmUp ? WARM_UP : LOAD));
  const { us, them, ratio } = await costInTurn(ROUNDS, costWith(limited), costWith(free));
  return { us, them, ratio: 1 / ratio(totalUs) };
}
