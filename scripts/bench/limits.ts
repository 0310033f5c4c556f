import { createClient } from '../../clients/typescript/src/index.ts';
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

/**
 * Measures reading one payment from a process that counts it against a limit, too high to be reached, against one with
 * limits off. Both only serve the API, on one database. Sides alternate, and so does which begins, so that noise hits
 * both.
 */
export async function benchLimits(service: BenchService, endings: Endings): Promise<Figure> {
  const startOne = (limits: string) => startBeside(service, endings, { RATE_LIMITS: limits });
  const rounds: Round[] = [];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const [limited, free] = [await startOne(HIGH_LIMITS), await startOne('off')];
    rounds.push(...(await playPair(service, limited.url, free.url)));
    await Promise.all([limited.stop(), free.stop()]);
  }
  return {
    name: 'GET one payment with limits, against without',
    // One ratio per round, because noise differs more between rounds than limits cost.
    value: median(rounds.map(({ on, off }) => on / off)),
    limit: { atLeast: 0.95 },
    detail: `${Math.round(median(rounds.map(({ on }) => on)))} to ${Math.round(median(rounds.map(({ off }) => off)))} requests a second`,
  };
}

type Round = { readonly on: number; readonly off: number };

async function playPair(service: BenchService, limited: string, free: string): Promise<Round[]> {
  const { token } = await registerBenchMerchant({ ...service, url: limited });
  const payment = await createClient({ baseUrl: limited, token }).payments.create({ amount: 25, currency: 'USD' });
  const read = async (url: string): Promise<number> =>
    (await load(url, readAs(token, `/v1/payments/${payment.id}`), LOAD)).perSecond;
  const rounds: Round[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const rates = new Map<string, number>();
    for (const url of round % 2 === 0 ? [limited, free] : [free, limited]) rates.set(url, await read(url));
    // Warm-up: in the first round both are still being compiled.
    if (round > 0) rounds.push({ on: rates.get(limited) ?? 0, off: rates.get(free) ?? 0 });
  }
  return rounds;
}
