import { sql } from 'kysely';
import { createClient } from '../../clients/typescript/src/index.ts';
import type { EvmNetwork } from '../../src/chains/evm/network.ts';
import { openDatabase } from '../../src/db/database.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { createRpc } from '../../src/sandbox/anvil.ts';
import { prepareSandboxNetwork } from '../../src/sandbox/network.ts';
import { untilScanned } from '../../src/sandbox/sync.ts';
import { pauseSandboxMiner } from '../lib/pause-miner.ts';
import { until } from '../lib/wait.ts';
import { collectBare, waitUntilDeep } from './bare-renewals.ts';
import { type Crowd, openCrowd } from './crowd.ts';
import { type Figure, median } from './figure.ts';
import { type BenchService, type Endings, registerBenchMerchant } from './service.ts';

/** The pace of a chain, and the number of renewals that are due on it at once. */
type Pace = {
  readonly people: number;
  readonly rounds: number;
  /** Warm-up rounds, in which code is still being compiled. */
  readonly warmUp: number;
  readonly blockMs: number;
  /** Whether each transaction also triggers a block. */
  readonly minesAtOnce: boolean;
};

/** See decision scripts/renewals-are-measured-on-a-chain. The renewals fill more than two blocks. */
const CHAIN: Pace = { people: 6_000, rounds: 3, warmUp: 0, blockMs: 2_000, minesAtOnce: false };
/** A node that mines at once, which no chain does. Timed blocks bring the confirmations. */
const NODE: Pace = { people: 1_000, rounds: 3, warmUp: 1, blockMs: 100, minesAtOnce: true };
const WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 50;

type Stage = { readonly db: Db; readonly network: EvmNetwork; readonly merchantId: string };

/**
 * Measures renewals from due to paid, all due at once, against the same contract calls signed and sent without any
 * records, until they lie as deep as the service waits for.
 */
export async function benchRenewals(service: BenchService, endings: Endings): Promise<Figure[]> {
  const db = openDatabase({ url: service.databaseUrl, poolMax: 4, applicationName: 'bench', onError: () => {} });
  endings.push(() => db.destroy());
  const sandbox = await createClient({ baseUrl: service.url }).sandbox.get();
  const network = await prepareSandboxNetwork({ rpcUrl: sandbox.networks[0]?.rpcUrl ?? '' });
  const { id: merchantId } = await registerBenchMerchant(service);
  const stage = { db, network, merchantId };
  const onNode = await compare(stage, NODE); // First, because it warms the code up for the other.
  const onChain = await compare(stage, CHAIN);
  return [
    {
      name: 'Renewals, from due to paid, with a block every two seconds',
      value: onChain.ours,
      unit: 'a second',
      limit: null,
      detail: `${CHAIN.people} that are due at once`,
    },
    {
      name: "Renewals, against the node's own limit for the same calls",
      value: onChain.ours / onChain.bare,
      limit: { atLeast: 0.7 },
      goal: 0.75,
      detail: `${onChain.ours.toFixed(0)} to ${onChain.bare.toFixed(0)} a second`,
    },
    {
      name: 'Renewals, against a node in memory that mines at once',
      value: onNode.ours / onNode.bare,
      limit: null,
      detail: `${onNode.ours.toFixed(0)} to ${onNode.bare.toFixed(0)} a second`,
    },
  ];
}

/** The renewals per second of both sides. */
async function compare(stage: Stage, pace: Pace): Promise<{ readonly ours: number; readonly bare: number }> {
  const { db, network, merchantId } = stage;
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round < pace.warmUp + pace.rounds; round += 1) {
    const draft = { count: pace.people, now: new Date() };
    const known = await openCrowd(db, network, { ...draft, merchantId });
    const unknown = await openCrowd(db, network, { ...draft, merchantId: null });
    const sides = [
      { times: ours, begin: known.becomeDue, work: () => renew(db, known) },
      { times: bare, begin: async () => undefined, work: () => renewBare(network, unknown) },
    ];
    // Alternate the order, so that noise hits both sides.
    for (const { times, ...side } of round % 2 === 0 ? sides : sides.reverse()) {
      // The bare side leaves the watcher thousands of collections by unknown mandates; don't let the other side pay for
      // them.
      if (!(await untilScanned({ db, network }, WITHIN_MS))) throw new Error('the service does not watch the chain');
      const took = await timed(stage, pace, side);
      if (round >= pace.warmUp) times.push(took);
    }
  }
  const perSecond = (times: readonly number[]): number => pace.people / (median(times) / 1000);
  return { ours: perSecond(ours), bare: perSecond(bare) };
}

/** `begin` is not measured: what makes thousands due at once is a statement of the bench, and not of the service. */
type Side = { readonly begin: () => Promise<void>; readonly work: () => Promise<void> };

async function timed({ db, network }: Stage, { blockMs, minesAtOnce }: Pace, { begin, work }: Side): Promise<number> {
  const rpc = createRpc(network.rpcUrl);
  const mine = async (): Promise<void> => {
    await rpc('evm_mine');
    if (!minesAtOnce) await pauseSandboxMiner(db); // Only timed blocks count.
  };
  await rpc('evm_setAutomine', [minesAtOnce]);
  await mine();
  await begin();
  const blocks = setInterval(() => void mine().catch(() => undefined), blockMs);
  try {
    const start = performance.now();
    await work();
    return performance.now() - start;
  } finally {
    clearInterval(blocks);
    await rpc('evm_setAutomine', [true]);
  }
}

/** Resolves when the service has renewed all subscriptions. */
async function renew(db: Db, { ids }: Crowd): Promise<void> {
  let left = await findUnpaid(db, ids);
  const isOver = async (): Promise<boolean> => {
    // To ask for all thousands each time would take from the service some of the machine that it is measured on.
    if (left !== undefined) left = (await findUnpaid(db, [left])) ?? (await findUnpaid(db, ids));
    return left === undefined;
  };
  await until('all is renewed', WITHIN_MS, isOver, LOOK_EVERY_MS);
}

/** One of these subscriptions that is not renewed. */
async function findUnpaid(db: Db, ids: readonly string[]): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from subscriptions where id = any (${[...ids]}::text[]) and period_number = 1 limit 1`.execute(db);
  return rows[0]?.id;
}

/** Resolves when as many payments of the same amount count. */
async function renewBare(network: EvmNetwork, crowd: Crowd): Promise<void> {
  if (network.confirmations === 'finalized') throw new Error('the sandbox counts blocks');
  await waitUntilDeep(network, await collectBare(network, crowd), network.confirmations);
}
