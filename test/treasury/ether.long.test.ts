import { parseEther } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operatorOfKey } from '../../src/chains/evm/operator-account.ts';
import { operatorJobs } from '../../src/chains/operator/jobs.ts';
import { after, HOUR_MS, MINUTE_MS } from '../../src/lib/clock.ts';
import type { Payment } from '../../src/payments/types.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { sandboxSweepKey } from '../../src/sandbox/network.ts';
import { type Comparison, compareWithChain } from '../../src/treasury/compare.ts';
import { followTreasury } from '../../src/treasury/follow.ts';
import { treasuryJobs } from '../../src/treasury/jobs.ts';
import { settleSweeps } from '../../src/treasury/settle.ts';
import { planSweep, storeCoinSweeps } from '../../src/treasury/sweep.ts';
import { type EtherStage, ONE_ETH, openEtherStage } from '../chains/ether-fixture.ts';
import { chainsOf } from '../support/chains.ts';
import { START } from '../support/payments.ts';
import { settlerOf, type Treasury } from './fixture.ts';

const DOLLARS_E8 = 3000n * 10n ** 8n;
const DAY = 24 * HOUR_MS;

let stage: EtherStage;
let settle: Treasury['settle'];
let worth: bigint | null = DOLLARS_E8;
beforeAll(async () => {
  stage = await openEtherStage();
  settle = settlerOf({ ...stage, db: stage.world.db, scan: () => stage.scan() });
});
afterAll(() => stage.close());

const sweeper = operatorOfKey(sandboxSweepKey());
const deps = () => ({ db: stage.world.db, chains: chainsOf(stage.network), coinWorth: async () => worth });

/** The job that sweeps, as it runs each hour. Returns how many transactions it has stored so far. */
async function runSweep(): Promise<number> {
  const faults: unknown[] = [];
  const log = (error: unknown): void => void faults.push(error);
  const [job] = treasuryJobs({ ...deps(), networks: [stage.network], sweeper, log });
  await job?.run({ now: stage.clock.now, real: stage.clock.now, signal: new AbortController().signal });
  expect(faults).toEqual([]);
  return (await stage.world.db.selectFrom('sweeps').selectAll().execute()).length;
}

const compare = async (): Promise<Comparison> =>
  (await compareWithChain(deps(), stage.network, { now: stage.clock.now, all: true }))!;
const etherOf = ({ figures }: Comparison) => figures.find(({ token }) => token === 'ETH');
const treasuryHolds = async () =>
  BigInt((await stage.node.rpc('eth_getBalance', [stage.network.treasury, 'latest'])) as string);

/** A payment that was paid in ETH, so long ago that nobody looks at its address any more. */
async function paidLongAgo(units?: bigint): Promise<Payment> {
  const payment = await stage.world.create({}, stage.clock.now);
  await stage.pay(payment, units ?? stage.priceOf(payment));
  await stage.scan(payment);
  await stage.mine(2);
  expect((await stage.scan(payment))[0]?.status).toBe('paid');
  await pass(27 * HOUR_MS);
  return payment;
}

/** Lets time pass, and reads the addresses of payments that are over once more. */
async function pass(ms: number): Promise<void> {
  await stage.mine(1, after(stage.clock.now, ms));
  await stage.scan();
  await stage.mine(1, after(stage.clock.now, 11 * MINUTE_MS));
  await stage.scan();
}

test('ETH is swept by the job once nobody may pay it any more, and the chain agrees before and after', async () => {
  const payment = await stage.world.create();
  await stage.pay(payment, stage.priceOf(payment));
  await stage.scan(payment);
  await stage.mine(2);
  expect((await stage.scan(payment))[0]?.status).toBe('paid');
  await stage.mine(2, after(START, 3 * HOUR_MS));
  await stage.scan();
  // A swept address refuses the plain transfers of exchanges, and the payer may send more until the late window ends.
  expect(await runSweep()).toBe(0);
  expect(await compare()).toMatchObject({ differences: [] });
  await pass(DAY);
  const before = await treasuryHolds();
  expect(await runSweep()).toBe(1);
  expect(await runSweep()).toBe(1);
  await settle();
  expect((await treasuryHolds()) - before).toBe(stage.priceOf(payment));
  expect(await stage.world.db.selectFrom('sweep_items').select(['payment_id', 'outcome']).execute()).toEqual([
    { payment_id: payment.id, outcome: 'moved' },
  ]);
  const [credit] = await stage.world.db.selectFrom('credits').select('swept_at').execute();
  expect(credit?.swept_at).not.toBeNull();
  const compared = await compare();
  expect(compared.differences).toEqual([]);
  expect(etherOf(compared)).toEqual({
    ...{ token: 'ETH', treasury: await treasuryHolds(), swept: stage.priceOf(payment) },
    ...{ unswept: 0n, stuck: 0n, astray: 0n },
  });
  expect(await runSweep()).toBe(1);
  expect((await reconcile(stage.world.db)).findings).toEqual([]);
});

test('what comes when nobody looks any more is found by the comparison, and swept by hand', async () => {
  const payment = await paidLongAgo();
  const late = parseEther('0.5');
  await stage.pay(payment, late);
  await stage.scan();
  const { differences } = await compare();
  expect(differences).toEqual([
    {
      rule: 'chain.deposit',
      subject: stage.addressOf(payment),
      message: expect.stringContaining('0.5 ETH more than was credited'),
    },
  ]);
  await storeCoinSweeps(
    { ...deps(), sweeper },
    stage.network,
    [{ id: payment.id, factory: stage.network.factory }],
    stage.clock.now,
  );
  await settle();
  const compared = await compare();
  expect(compared.differences).toEqual([]);
  expect(etherOf(compared)?.unswept).toBe(0n);
  const rows = await stage.world.db.selectFrom('unexplained_holdings').selectAll().execute();
  expect(rows).toEqual([]);
});

test('an address that holds less than was credited is named at once', async () => {
  const payment = await stage.world.create({}, stage.clock.now);
  await stage.pay(payment, ONE_ETH);
  await stage.scan(payment);
  await stage.node.rpc('anvil_setBalance', [stage.addressOf(payment), '0x0']);
  await stage.mine(1);
  await stage.scan();
  expect((await compare()).differences).toEqual([
    {
      rule: 'chain.deposit',
      subject: stage.addressOf(payment),
      message: expect.stringContaining('1 ETH less than was credited and not swept'),
    },
  ]);
  await stage.node.rpc('anvil_setBalance', [stage.addressOf(payment), `0x${ONE_ETH.toString(16)}`]);
  await stage.mine(1);
  await stage.scan();
  expect((await compare()).differences).toEqual([]);
});

test('ETH at an address whose payment never asked for it is a figure, and nobody is alarmed', async () => {
  const payment = await stage.world.create({ acceptedTokens: ['USDT'] }, stage.clock.now);
  await stage.pay(payment, 7n);
  await stage.scan();
  const compared = await compare();
  expect(compared.differences).toEqual([]);
  expect(etherOf(compared)?.astray).toBe(7n);
});

test('a coin waits while nobody knows its price, and where it is not worth the gas', async () => {
  const payment = await paidLongAgo();
  const asset = stage.network.native!;
  const plan = () => planSweep(deps(), stage.network, asset, { from: sweeper.address, now: stage.clock.now });
  worth = null;
  expect(await plan()).toMatchObject({ minimum: null, batches: [] });
  const stored = (await stage.world.db.selectFrom('sweeps').selectAll().execute()).length;
  expect(await runSweep()).toBe(stored);
  // A millionth of the price: the deposit is worth far less than a dollar.
  worth = DOLLARS_E8 / 1_000_000n;
  expect(await plan()).toMatchObject({ batches: [], small: { addresses: 2, units: stage.priceOf(payment) + ONE_ETH } });
  worth = DOLLARS_E8;
  expect(await plan()).toMatchObject({
    minimum: 333_333_333_333_334n,
    batches: [{ deposits: [{ paymentId: payment.id }], waits: null }],
  });
});

/** Sends what is stored and mines it deep, and is killed before anything is marked. */
async function sendOnly(): Promise<void> {
  const faults: unknown[] = [];
  const [send] = operatorJobs({
    ...{ db: stage.world.db, networks: [stage.network], chains: chainsOf(stage.network), accounts: [sweeper] },
    ...{ worker: 'killed', listeners: [], log: (error: unknown) => void faults.push(error) },
  });
  for (let i = 0; i < 3; i += 1) {
    await send?.run({ now: stage.clock.now, real: stage.clock.now, signal: new AbortController().signal });
    await stage.mine(2);
    await stage.scan();
  }
  expect(faults).toEqual([]);
}

/** What became of the sweep of a payment's ETH. */
async function sweepOf(payment: Payment) {
  const rows = await stage.world.db
    .selectFrom('sweep_items')
    .innerJoin('sweeps', 'sweeps.id', 'sweep_items.sweep_id')
    .where('payment_id', '=', payment.id)
    .select(['status', 'outcome'])
    .execute();
  const credits = await stage.world.db
    .selectFrom('credits')
    .where('payment_id', '=', payment.id)
    .select('swept_at')
    .execute();
  return { sweeps: rows, marked: credits.map(({ swept_at }) => swept_at !== null) };
}

test('a process that is killed after sending leaves a sweep that the next one finds, and nothing is swept twice', async () => {
  const payment = await paidLongAgo();
  const before = await treasuryHolds();
  const stored = await runSweep();
  await sendOnly();
  const brought = (await treasuryHolds()) - before;
  expect(brought).toBeGreaterThanOrEqual(stage.priceOf(payment));
  expect(await sweepOf(payment)).toEqual({ sweeps: [{ status: 'open', outcome: null }], marked: [false] });
  // The next process plans nothing for the empty address, compares, and then ends what the killed one began.
  expect(await runSweep()).toBe(stored);
  expect((await compare()).differences).toEqual([]);
  await settle();
  const ended = { sweeps: [{ status: 'done', outcome: 'moved' }], marked: [true] };
  expect(await sweepOf(payment)).toEqual(ended);
  expect(await runSweep()).toBe(stored);
  await settle();
  expect(await sweepOf(payment)).toEqual(ended);
  expect((await treasuryHolds()) - before).toBe(brought);
  expect((await reconcile(stage.world.db)).findings).toEqual([]);
});

test('a process that does not take ETH, and reads the treasury meanwhile, makes no sweep of it look refused', async () => {
  const payment = await paidLongAgo();
  await runSweep();
  await sendOnly();
  const { native: _, ...older } = stage.network;
  const chains = chainsOf(stage.network);
  const meanwhile: Pick<typeof chains, 'kindOf'> = {
    kindOf: (network) => {
      const kind = chains.kindOf(network);
      const openReader: typeof kind.openReader = (of) => {
        const reader = kind.openReader(of);
        const findBlocks: typeof reader.findBlocks = async (heights) => {
          await followTreasury({ db: stage.world.db, chains }, older, stage.clock.now);
          return reader.findBlocks(heights);
        };
        return { ...reader, findBlocks };
      };
      return { ...kind, openReader };
    },
  };
  const faults: unknown[] = [];
  const log = (error: unknown): void => void faults.push(error);
  await settleSweeps({ db: stage.world.db, chains: meanwhile, log }, [stage.network], stage.clock.now);
  expect(faults).toEqual([]);
  expect((await sweepOf(payment)).sweeps).toEqual([{ status: 'open', outcome: null }]);
  await settle();
  expect(await sweepOf(payment)).toEqual({ sweeps: [{ status: 'done', outcome: 'moved' }], marked: [true] });
  expect((await compare()).differences).toEqual([]);
});

test('a process that does not take ETH ends no sweep of it', async () => {
  const payment = await paidLongAgo();
  await runSweep();
  await sendOnly();
  const { native: _, ...older } = stage.network;
  const [{ db }, chains] = [stage.world, chainsOf(stage.network)];
  const faults: unknown[] = [];
  const log = (error: unknown): void => void faults.push(error);
  await settleSweeps({ db, chains, log }, [older], stage.clock.now);
  expect(await sweepOf(payment)).toMatchObject({ sweeps: [{ status: 'open', outcome: null }] });
  const told = db.selectFrom('incidents').select('message').where('kind', '=', 'sweep.refused').execute();
  expect([await told, faults]).toEqual([[], []]);
  await settle();
  expect(await sweepOf(payment)).toEqual({ sweeps: [{ status: 'done', outcome: 'moved' }], marked: [true] });
});
