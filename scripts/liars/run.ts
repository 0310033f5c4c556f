import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Payment } from '../../clients/typescript/src/index.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { createRpc, readHead } from '../../src/sandbox/anvil.ts';
import { type CrashFigures, type CrashOptions, runCrash } from '../crash/payments/run.ts';
import type { Endings } from '../crash/stage.ts';
import { emptyList, inventTransfer, laggingHead, missingBlock, otherFork, shortList, staleFinality } from './lies.ts';
import { type Call, type LiarProxy, type Lie, type Outage, startLiar } from './proxy.ts';

export type LiarsOptions = Omit<CrashOptions, 'env' | 'meanwhile' | 'tolerates'> & {
  /** The real node behind both liars. */
  readonly rpcUrl: string;
  /** How long each lie lasts. */
  readonly moodMs: number;
};

/** A lie, and which of the two endpoints tells it. */
type Mood = {
  readonly name: string;
  readonly by: 'first' | 'second';
  readonly lie?: (call: Call, scene: Scene) => Lie;
  readonly fail?: (calls: readonly Call[]) => Outage;
};
type Scene = { readonly head: number; readonly token: string; readonly decoy: Payment };

/** Only the watcher asks for logs: the customers, who use the same endpoint, are not meant. */
const whenWatching =
  (outage: Outage) =>
  (calls: readonly Call[]): Outage =>
    calls.some(({ method }) => method === 'eth_getLogs') ? outage : undefined;

const DECOY_UNITS = 5_000_000_000n;
const HANG_MS = 1_500;
/** Calldata: a transfer of nothing to an address that is not ours. */
const TRANSFER_OF_NOTHING = `0xa9059cbb${'dead'.padStart(64, '0')}${'0'.repeat(64)}`;

const MOODS: readonly Mood[] = [
  { name: 'empty lists', by: 'first', lie: emptyList },
  { name: 'another fork', by: 'second', lie: otherFork },
  { name: 'short lists', by: 'first', lie: shortList },
  {
    name: 'invented transfers',
    by: 'first',
    lie: (call, { token, decoy }) => inventTransfer(call, token, decoy.cryptoAddress, DECOY_UNITS),
  },
  {
    name: 'HTTP 429',
    by: 'first',
    fail: whenWatching({ status: 429, retryAfter: '1' }),
  },
  { name: 'missing blocks', by: 'second', lie: missingBlock },
  { name: 'HTTP 503', by: 'first', fail: whenWatching({ status: 503 }) },
  { name: 'a head that lags', by: 'second', lie: (call, { head }) => laggingHead(call, head) },
  { name: 'silence', by: 'first', fail: whenWatching({ hangMs: HANG_MS }) },
  { name: 'stale finality', by: 'second', lie: staleFinality },
];

/** What a campaign of lies leaves open: its endpoints are forgiven later, and an invention stays named. */
const LEFT_OPEN = new Set(['chain.endpoint', 'chain.disagreement', 'payment.vanished', 'payment.reversed']);

/** Pays through two endpoints that lie in turn, and kills the service meanwhile. */
export async function runLiars(
  options: LiarsOptions,
  endings: Endings,
): Promise<CrashFigures & { readonly moods: number; readonly incidents: number }> {
  const [first, second] = [await startLiar(options.rpcUrl), await startLiar(options.rpcUrl)];
  endings.push(first.close, second.close);
  let [moods, incidents] = [0, 0];
  const faults: string[] = [];
  const figures = await runCrash(
    {
      ...options,
      env: { EVM_RPC_URL: `${first.url},${second.url}` },
      tolerates: (kind) => LEFT_OPEN.has(kind),
      meanwhile: async (merchant, db) => {
        const play = await playMoods(options, { first, second }, merchant);
        return async () => {
          const told = await play.end();
          moods = told.length;
          faults.push(...(await judgeDecoy(merchant, play.decoy)));
          incidents = await countIncidents(db);
          if (incidents === 0) faults.push('no incident names an endpoint that lied');
        };
      },
    },
    endings,
  );
  return { ...figures, moods, incidents, faults: [...faults, ...figures.faults] };
}

type Liars = { readonly first: LiarProxy; readonly second: LiarProxy };

async function playMoods({ rpcUrl, moodMs, payments }: LiarsOptions, liars: Liars, merchant: Client) {
  const decoy = await merchant.payments.create({
    amount: 5_000,
    currency: 'USD',
    metadata: { for: `${payments} others` },
  });
  const [listed] = (await merchant.sandbox.get()).networks;
  const token = listed?.tokens[0]?.contract?.toLowerCase() ?? '';
  const rpc = createRpc(rpcUrl);
  const stranger = (await rpc<string[]>('eth_accounts', [])).at(-1);
  const told: Mood[] = [];
  let over = false;
  const play = async (): Promise<void> => {
    while (!over || told.length < MOODS.length) {
      const mood = MOODS[told.length % MOODS.length] as Mood;
      const scene: Scene = { head: (await readHead(rpc)).height, token, decoy };
      liars[mood.by].lie((call) => mood.lie?.(call, scene));
      liars[mood.by].fail((calls) => mood.fail?.(calls));
      // Something has to be there to lie about: a block whose bloom names the token.
      await rpc('eth_sendTransaction', [{ from: stranger, to: token, data: TRANSFER_OF_NOTHING }]);
      await rpc('anvil_mine', [1]);
      await sleep(moodMs);
      liars[mood.by].honest();
      told.push(mood);
    }
  };
  const playing = play();
  playing.catch(() => undefined); // Thrown at the end.
  return {
    decoy,
    end: async () => {
      over = true;
      await playing;
      await rpc('anvil_mine', [4]);
      return told;
    },
  };
}

const SETTLES_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 250;

/** What was invented never becomes paid, and nothing of it is left in the end. */
async function judgeDecoy(merchant: Client, { id }: Payment): Promise<string[]> {
  for (const until = performance.now() + SETTLES_WITHIN_MS; ; await sleep(LOOK_EVERY_MS)) {
    const { status, amountReceived } = await merchant.payments.get(id);
    if (status === 'paid') return [`${id} was paid by a transfer that never happened`];
    if (amountReceived === 0) return [];
    if (performance.now() > until) return [`${id} has received ${amountReceived} that never happened`];
  }
}

async function countIncidents(db: Db): Promise<number> {
  return (await db.selectFrom('incidents').select('id').where('kind', 'like', 'chain.%').execute()).length;
}
