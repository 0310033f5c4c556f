import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Payment } from '../../src/payments/types.ts';
import type { Chains } from '../../src/ports/chain-kind.ts';
import type { TreasuryReader } from '../../src/ports/treasury.ts';
import { compareWithChain } from '../../src/treasury/compare.ts';
import { followTreasury, rereadTreasury } from '../../src/treasury/follow.ts';
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
