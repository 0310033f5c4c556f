import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startLiar } from '../../scripts/liars/proxy.ts';
import { operatorOfKey } from '../../src/chains/evm/operator-account.ts';
import { after, HOUR_MS } from '../../src/lib/clock.ts';
import type { Payment } from '../../src/payments/types.ts';
import type { Chains } from '../../src/ports/chain-kind.ts';
import type { TreasuryReader } from '../../src/ports/treasury.ts';
import { sandboxSweepKey } from '../../src/sandbox/network.ts';
import { compareWithChain } from '../../src/treasury/compare.ts';
import { followTreasury, rereadTreasury } from '../../src/treasury/follow.ts';
import { treasuryJobs } from '../../src/treasury/jobs.ts';
import { settleSweeps } from '../../src/treasury/settle.ts';
import { chainsOf } from '../support/chains.ts';
import { START } from '../support/payments.ts';
import { openTreasury, type Treasury } from './fixture.ts';

const USDT = 1_000_000n;

let treasury: Treasury;
let payment: Payment;
beforeEach(async () => {
  treasury = await openTreasury();
  payment = await treasury.world.create();
  await treasury.pay(treasury.addressOf(payment), 30n * USDT);
  await mine(3);
  await treasury.sweepAsStranger(payment);
  await mine(3);
});
afterEach(() => treasury.close());

async function mine(blocks: number): Promise<void> {
  await treasury.node.rpc('anvil_mine', [blocks]);
  await treasury.scan(payment);
}

/** Takes the blocks since before the sweep, which were confirmed. */
async function reorg(): Promise<void> {
  await treasury.node.rpc('anvil_reorg', [5, []]);
  await mine(5);
}

/** The real chains, but that something happens once, right after the `nth` answer of a node to this question. */
function chainsThat(question: 'listTransfers' | 'readBalances', nth: number, happens: () => Promise<unknown>): Chains {
  const chains = chainsOf(treasury.network);
  let asked = 0;
  const then = async <T>(answer: Promise<T>): Promise<T> => {
    const answered = await answer;
    asked += 1;
    if (asked === nth) await happens();
    return answered;
  };
  const wrap = (reader: TreasuryReader): TreasuryReader =>
    question === 'listTransfers'
      ? { ...reader, listTransfers: (...range) => then(reader.listTransfers(...range)) }
      : { ...reader, readBalances: (...asked) => then(reader.readBalances(...asked)) };
  return {
    ...chains,
    kindOf: (of) => {
      const kind = chains.kindOf(of);
      const reader = kind.openTreasury?.(treasury.network);
      return reader === undefined ? kind : { ...kind, openTreasury: () => wrap(reader) };
    },
  };
}

const compare = (chains: Chains) =>
  compareWithChain({ db: treasury.world.db, chains }, treasury.network, { now: START, all: true });

test('a sweep that a deep reorg takes while it is read does not count as swept', async () => {
  const { network, world } = treasury;
  const follow = (chains: Chains) => followTreasury({ db: world.db, chains }, network, START);
  await expect(follow(chainsThat('listTransfers', 1, reorg))).rejects.toThrow('is unknown now');
  await follow(chainsOf(network));
  const credits = world.db.selectFrom('credits').select(['canonical', 'swept_at']);
  expect(await credits.where('payment_id', '=', payment.id).execute()).toEqual([{ canonical: true, swept_at: null }]);
  expect(await world.db.selectFrom('treasury_transfers').selectAll().execute()).toEqual([]);
});

test.each([1, 2])('what a treasury held before a deep reorg is not believed after it (answer %i)', async (nth) => {
  expect(await compare(chainsThat('readBalances', nth, reorg))).toMatchObject({ differences: [] });
  expect(await compare(chainsOf(treasury.network))).toMatchObject({ differences: [] });
});

test('a comparison that takes longer than the hash of its block is kept comes to its end', async () => {
  const forget = () => sql`delete from chain_blocks`.execute(treasury.world.db);
  expect(await compare(chainsThat('readBalances', 1, forget))).toMatchObject({ differences: [] });
});

test('a sweep that a reorg meets while it is settled waits for the next run, and no fault is logged', async () => {
  const { network, world, addressOf } = treasury;
  const swept = await world.create();
  await treasury.pay(addressOf(swept), 30n * USDT);
  await treasury.node.rpc('anvil_mine', [3]);
  await treasury.scan(swept);
  await sql`update credits set confirmed_at = now() where confirmed_at is null`.execute(world.db);
  expect(await treasury.run('sweep.ts', '--no-wait', 'devnet')).toMatchObject({ code: 0, err: '' });
  await treasury.settle();
  // As if nothing had been settled or read yet.
  await sql`update sweeps set status = 'open', finished_at = null`.execute(world.db);
  await rereadTreasury(world.db, network.name);

  const chains = chainsThat('listTransfers', 1, () => treasury.node.rpc('anvil_reorg', [2, []]));
  await settleSweeps({ db: world.db, chains, log: (_, message) => expect.unreachable(message) }, [network], START);
  const statuses = () => world.db.selectFrom('sweeps').select('status').execute();
  expect(await statuses()).toEqual([{ status: 'open' }]);
  await treasury.settle();
  expect(await statuses()).toEqual([{ status: 'done' }]);
});

/** What the job that sweeps logs, which asks this node. */
async function faultsOfSweeping(rpcUrl: string): Promise<string[]> {
  const network = { ...treasury.network, rpcUrl };
  const faults: string[] = [];
  const [job] = treasuryJobs({
    ...{ db: treasury.world.db, networks: [network], chains: chainsOf(network), coinWorth: async () => null },
    sweeper: operatorOfKey(sandboxSweepKey()),
    log: (_, message) => void faults.push(message),
  });
  const now = after(new Date(), 2 * HOUR_MS);
  await job?.run({ now, real: now, signal: new AbortController().signal });
  return faults;
}

/** A payment whose deposit is confirmed, and may be swept. */
async function depositToSweep(): Promise<void> {
  const paid = await treasury.world.create();
  await treasury.pay(treasury.addressOf(paid), 30n * USDT);
  await treasury.node.rpc('anvil_mine', [3]);
  await treasury.scan(paid);
  await sql`update credits set confirmed_at = now() where confirmed_at is null`.execute(treasury.world.db);
}

test('a reorg that the job meets which sweeps is no fault, and a node that keeps no state of a block is', async () => {
  await depositToSweep();
  const liar = await startLiar(treasury.node.url);
  try {
    liar.lie(({ method }) =>
      method === 'eth_call' ? { error: { code: -32000, message: 'missing trie node' } } : undefined,
    );
    const [fault, ...others] = await faultsOfSweeping(liar.url);
    expect(fault).toMatch(/could not be swept: .*shows block \d+ and not the state after it: .*missing trie node/);
    expect(others).toEqual([]);
  } finally {
    await liar.close();
  }
  await treasury.node.rpc('anvil_reorg', [2, []]);
  expect(await faultsOfSweeping(treasury.node.url)).toEqual([]);
});

test('a node whose chain a reorg has made shorter for a moment is no fault while sweeps are settled', async () => {
  const { node, world } = treasury;
  await depositToSweep();
  expect(await treasury.run('sweep.ts', '--no-wait', 'devnet')).toMatchObject({ code: 0, err: '' });
  await treasury.settle();
  await sql`update sweeps set status = 'open', finished_at = null`.execute(world.db);
  await rereadTreasury(world.db, treasury.network.name);
  const liar = await startLiar(node.url);
  const message = 'block range extends beyond current head block';
  liar.lie(({ method }) => (method === 'eth_getLogs' ? { error: { code: -32000, message } } : undefined));
  const network = { ...treasury.network, rpcUrl: liar.url };
  const faults: string[] = [];
  const log = (_: unknown, fault: string) => void faults.push(fault);
  const settle = () => settleSweeps({ db: world.db, chains: chainsOf(network), log }, [network], START);
  try {
    await settle();
    expect(faults).toEqual([expect.stringContaining(message)]);
    await node.rpc('anvil_reorg', [2, []]);
    await settle();
    expect(faults).toHaveLength(1);
  } finally {
    await liar.close();
  }
});

test('a comparison waits until the watcher has seen the reorg that it met', async () => {
  const { world } = treasury;
  const network = { ...treasury.network, pollMs: 1000 };
  let looking: Promise<void> | undefined;
  const chains = chainsThat('readBalances', 1, async () => {
    await treasury.node.rpc('anvil_reorg', [5, []]);
    // As the watcher does, which looks while the comparison goes on.
    looking = mine(5);
  });
  const compared = await compareWithChain({ db: world.db, chains }, network, { now: START, all: true });
  expect(compared).toMatchObject({ differences: [] });
  await looking;
});
