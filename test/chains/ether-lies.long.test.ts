import { sql } from 'kysely';
import type { Address } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stateOfNext, upTo } from '../../scripts/liars/lies.ts';
import { type Call, type Lie, startLiar } from '../../scripts/liars/proxy.ts';
import { ContradictionError } from '../../src/chains/agreed.ts';
import { readCoins } from '../../src/chains/beyond-blocks.ts';
import { endpointsOf } from '../../src/chains/endpoints.ts';
import { createCoinReader } from '../../src/chains/evm/coins.ts';
import { ETHER } from '../../src/chains/evm/network.ts';
import { operatorOfKey } from '../../src/chains/evm/operator-account.ts';
import { createEvmReader } from '../../src/chains/evm/rpc.ts';
import { createEvmWitness } from '../../src/chains/evm/witness.ts';
import { paymentMatcher } from '../../src/payments/observe.ts';
import { listCreditsNotFinal } from '../../src/payments/opinion-queries.ts';
import { listUnsweptDeposits } from '../../src/payments/swept.ts';
import type { BlockRef } from '../../src/ports/chain.ts';
import type { ChainReader } from '../../src/ports/chain-kind.ts';
import { sandboxSweepKey } from '../../src/sandbox/network.ts';
import { storeCoinSweeps } from '../../src/treasury/sweep.ts';
import { chainsOf } from '../support/chains.ts';
import { send as sendFrom, walletOf } from '../support/evm.ts';
import { listOpenIncidents } from '../support/incidents.ts';
import { NATIVE, sweepCall } from './deposit-fixture.ts';
import { type EtherStage, openEtherStage } from './ether-fixture.ts';

let stage: EtherStage;
beforeAll(async () => {
  stage = await openEtherStage();
});
afterAll(() => stage.close());

const incidents = () => listOpenIncidents(stage.world.db);

test('a state that has less than was credited changes nothing, opens an incident, and ends it once it agrees', async () => {
  const { node, world, addressOf, priceOf } = stage;
  const payment = await world.create();
  await stage.pay(payment, priceOf(payment));
  await stage.scan(payment);
  await node.rpc('anvil_setBalance', [addressOf(payment), '0x0']);
  await stage.mine(2);
  expect((await stage.scan(payment))[0]?.status).toBe('paid');
  expect(await incidents()).toEqual([
    {
      ...{ kind: 'payment.coin_short', subject: payment.id },
      message: `0.03333334 ETH are credited at ${addressOf(payment)} on devnet, and the chain shows that 0 ETH ever came there. Nothing was changed.`,
    },
  ]);
  expect(await stage.creditsOf(payment)).toMatchObject([{ canonical: true }]);
  await node.rpc('anvil_setBalance', [addressOf(payment), `0x${priceOf(payment).toString(16)}`]);
  await stage.mine(1);
  await stage.scan();
  expect(await incidents()).toEqual([]);
  expect(await stage.creditsOf(payment)).toHaveLength(1);
});

/** A reader behind a proxy, which `lie` makes of its newest block what it does, and how the coin is read through it. */
async function openLiar(lie: (call: Call) => Lie) {
  const { network, node, world, clock } = stage;
  const liar = await startLiar(node.url);
  liar.lie(lie);
  const reader = createEvmReader({ ...network, rpcUrl: liar.url });
  const deps = { db: world.db, network, matchers: [paymentMatcher], now: () => clock.now };
  return { liar, reader, read: (block: BlockRef) => readCoins(deps, reader, { block }) };
}

/** The first answer is of the state after the block that the node is just making. */
function newerOnce(): (call: Call) => Lie {
  const [once, lie] = [upTo(1), stateOfNext(1)];
  return (call) => (call.method === 'eth_call' && once() ? lie(call) : undefined);
}

test('what a node shows of the block that it is just making is credited in that block', async () => {
  const { network, world, addressOf, priceOf } = stage;
  const payment = await world.create();
  await stage.scan(payment);
  await stage.mine(1);
  const block = await createEvmReader(network).getHead();
  const hash = await stage.pay(payment, priceOf(payment));
  const { liar, read } = await openLiar(newerOnce());
  const reading = await read(block);
  expect(reading?.arrivals).toEqual([]);
  expect(reading?.balances).toContainEqual({ address: addressOf(payment), units: 0n });
  await liar.close();
  await stage.scan(payment);
  expect(await stage.creditsOf(payment)).toMatchObject([{ tx: hash, height: block.height + 1 }]);
});

test('what a node shows as swept in the block that it is just making is no missing money in the block before', async () => {
  const { network, node, world, priceOf, addressOf } = stage;
  const payment = await world.create();
  await stage.scan(payment);
  await stage.pay(payment, priceOf(payment));
  await stage.scan(payment);
  await stage.mine(1);
  const block = await createEvmReader(network).getHead();
  const data = sweepCall([payment.id], NATIVE);
  await sendFrom(walletOf(node), { to: network.factory as Address, data });
  const { liar, read } = await openLiar(newerOnce());
  const reading = await read(block);
  expect(reading?.balances).toContainEqual({ address: addressOf(payment), units: priceOf(payment) });
  await liar.close();
  await stage.scan(payment);
  expect(await incidents()).toEqual([]);
});

test('an endpoint that answers for one block now so and now so is not believed, and told as what it is', async () => {
  const { network, world, priceOf } = stage;
  const payment = await world.create();
  await stage.scan(payment);
  await stage.mine(1);
  const block = await createEvmReader(network).getHead();
  await stage.pay(payment, priceOf(payment));
  let asked = 0;
  const { liar, reader, read } = await openLiar((call) => {
    if (call.method !== 'eth_call') return undefined;
    asked += 1;
    return asked % 2 === 1 ? { ask: { ...call, params: [call.params[0], 'latest'] } } : undefined;
  });
  await expect(read(block)).rejects.toBeInstanceOf(ContradictionError);
  expect(await incidents()).toEqual([]);
  // As the watcher meets it: blocks go on after the third time, and the message says what is wrong.
  await stage.release();
  const watcher = stage.watch('liar', showing(reader, block));
  for (let look = 0; look < 3; look += 1) await watcher.look().catch(() => undefined);
  expect(await incidents()).toMatchObject([
    { kind: 'watcher.coins_unread', message: expect.stringContaining('differently each time') },
  ]);
  await watcher.release();
  await liar.close();
  await stage.scan(payment);
  expect(await incidents()).toEqual([]);
  expect(await stage.creditsOf(payment)).toMatchObject([{ height: block.height + 1 }]);
});

/** An endpoint that has yet to show what comes after this block. */
const showing = ({ several: _, ...reader }: ChainReader, head: BlockRef): ChainReader => ({
  ...reader,
  getHead: async () => head,
});

test('an endpoint is asked for the states around a coin: what came is there, and what did not is denied', async () => {
  const { network, world, addressOf, priceOf } = stage;
  const payment = await world.create();
  const hash = await stage.pay(payment, priceOf(payment), 'contract');
  await stage.scan(payment);
  const block = await createEvmReader(network).getHead();
  const { ask } = createEvmWitness(network);
  const coin = { txHash: hash, to: addressOf(payment), contract: ETHER.contract };
  const [units, more] = [priceOf(payment), priceOf(payment) + 1n];
  expect(await ask(block, [{ ...coin, units, total: units }])).toMatchObject({ agree: [expect.any(String)], deny: [] });
  // Together they are more than came.
  const invented = await ask(block, [
    { ...coin, units, total: more },
    { ...coin, units: 1n, total: more },
  ]);
  expect(invented).toMatchObject({ agree: [], deny: [{ certain: true, otherBlock: false }] });
  // What was swept before counts as far as the endpoint shows it: what is stored of it may be another one's lie.
  const swept = { ...coin, units, total: more, sweptIn: [block] };
  expect(await ask(block, [{ ...swept, units: more }])).toMatchObject({ agree: [], deny: [{ certain: true }] });
  expect(await ask(block, [{ ...swept, units: more, sweptMore: true }])).toMatchObject({ deny: [{ certain: false }] });
  const other = { ...block, hash: block.parentHash };
  expect((await ask(other, [{ ...coin, units }])).deny).toMatchObject([{ certain: true, otherBlock: true }]);
  // What the review asks has the total; the newest comes first.
  await stage.mine(2);
  await stage.scan(payment);
  const [asked] = await listCreditsNotFinal(world.db, network.name, {
    after: -1,
    to: block.height,
    except: [],
    max: 1,
  });
  expect(asked?.credits).toMatchObject([{ paymentId: payment.id, units, total: units }]);
  expect((await ask(asked!, asked!.credits)).agree).toHaveLength(1);
});

test('tokens stay at an address to which ETH may still be sent', async () => {
  const { network, world, addressOf, priceOf } = stage;
  const payment = await world.create();
  const usdt = network.tokens[0]!;
  await stage.faucet.transfer({ token: usdt, to: addressOf(payment), units: 50_000_000n });
  const settle = async () => {
    await stage.scan(payment);
    await stage.mine(2);
    return (await stage.scan(payment))[0]?.status;
  };
  const sweepable = async () => {
    const wanted = { minimum: 1n, before: stage.clock.now };
    const asset = { network: network.name, contract: usdt.contract };
    return (await listUnsweptDeposits(world.db, asset, wanted, sql`false`)).sweepable.length;
  };
  expect(await settle()).toBe('pending');
  expect(await sweepable()).toBe(0);
  await stage.pay(payment, priceOf(payment) / 2n);
  expect(await settle()).toBe('paid');
  expect(await sweepable()).toBe(1);
});

test('no command sweeps an address to which ETH may still be sent, before its late window has passed', async () => {
  const { network, world, clock } = stage;
  const [open, expired] = [await world.create(), await world.create()];
  await sql`update payments set status = 'expired' where id = ${expired.id}`.execute(world.db);
  const deps = { db: world.db, chains: chainsOf(network), sweeper: operatorOfKey(sandboxSweepKey()) };
  const deposits = [open, expired].map(({ id }) => ({ id, factory: network.factory }));
  const at = (ms: number) => storeCoinSweeps(deps, network, deposits, new Date(clock.now.getTime() + ms));
  const early = await at(0);
  expect(early.ids).toEqual([]);
  expect([...early.left].toSorted()).toEqual([open.id, expired.id].toSorted());
  // However late: an open payment is not over before its job has said so.
  expect(await at(365 * 86_400_000)).toMatchObject({ ids: [expect.any(String)], left: [open.id] });
});

test('dust in every block takes a bounded number of questions, and a state that ages out meanwhile ends nothing', async () => {
  const { network, node } = stage;
  const address = `0x${'d5'.repeat(20)}`;
  const real = createEvmReader(network);
  const since = (await real.getHead()).height;
  for (let wei = 1; wei <= 100; wei += 1) {
    await node.rpc('anvil_setBalance', [address, `0x${wei.toString(16)}`]);
    await node.rpc('anvil_mine', [1]);
  }
  const head = await real.getHead();
  const endpoint = endpointsOf(network).pick();
  const ask = endpoint.open();
  const locate = async (statesKept: number) => {
    let states = 0;
    const request: typeof ask = async (method, params) => {
      if (method === 'eth_call' && ++states > statesKept) throw new Error('missing trie node');
      return ask(method, params);
    };
    const { locateCoins } = createCoinReader(network, endpoint, request, real.findBlocks);
    const found = await locateCoins([{ address, credited: 0n, sweeps: [], balance: 100n }], since, head);
    const heights = found.map(({ block }) => block.height);
    expect(heights).toEqual([...new Set(heights)].toSorted((a, b) => a - b));
    expect(found.reduce((sum, { units }) => sum + units, 0n)).toBe(100n);
    return { states, arrivals: found.length };
  };
  // The floor and 64 states above it.
  const whole = await locate(Number.POSITIVE_INFINITY);
  expect(whole.states).toBe(65);
  expect(whole.arrivals).toBeGreaterThan(32);
  // What came up to the floor, and the four parts between it, three states above it, and the head.
  expect((await locate(4)).arrivals).toBe(5);
});

test('what explains a growth is within the budget too, and the newest blocks are explained first', async () => {
  const { network, node } = stage;
  const address = `0x${'d6'.repeat(20)}`;
  const real = createEvmReader(network);
  const since = (await real.getHead()).height;
  const [from] = (await node.rpc('eth_accounts')) as string[];
  await node.rpc('evm_setAutomine', [false]);
  for (let block = 0; block < 20; block += 1) {
    for (let each = 0; each < 10; each += 1)
      await node.rpc('eth_sendTransaction', [{ from, to: address, value: '0x1' }]);
    await node.rpc('anvil_mine', [1]);
  }
  await node.rpc('evm_setAutomine', [true]);
  const endpoint = endpointsOf(network).pick();
  const ask = endpoint.open();
  let questions = 0;
  const request: typeof ask = async (method, params) => {
    questions += 1;
    return ask(method, params);
  };
  const head = await real.getHead();
  const { locateCoins } = createCoinReader(network, endpoint, request, real.findBlocks);
  const found = await locateCoins([{ address, credited: 0n, sweeps: [], balance: 200n }], since, head);
  expect(found.reduce((sum, { units }) => sum + units, 0n)).toBe(200n);
  // The floor is one more.
  expect(questions).toBeLessThanOrEqual(129);
  const explained = new Set(found.filter(({ txHash }) => txHash !== null).map(({ block }) => block.height));
  expect(explained.size).toBeGreaterThan(1);
  expect(explained.size).toBeLessThan(20);
  expect([...explained]).toEqual([...explained].map((_, i) => head.height - explained.size + 1 + i));
});
