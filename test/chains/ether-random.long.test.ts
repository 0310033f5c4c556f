import { type Address, encodeFunctionData, getAddress, type Hex, pad, zeroAddress } from 'viem';
import { getBalance, sendTransaction } from 'viem/actions';
import { afterEach, expect, test } from 'vitest';
import { testUsdt } from '../../generated/contracts.ts';
import { type Call, type LiarProxy, startLiar } from '../../scripts/liars/proxy.ts';
import { findCursor } from '../../src/chains/cursors.ts';
import type { EvmNetwork } from '../../src/chains/evm/network.ts';
import { createEvmReader } from '../../src/chains/evm/rpc.ts';
import { rescan } from '../../src/chains/rescan.ts';
import type { Watcher } from '../../src/chains/watcher.ts';
import { after, MINUTE_MS } from '../../src/lib/clock.ts';
import { paymentMatcher } from '../../src/payments/observe.ts';
import { opinionJobs } from '../../src/payments/opinions.ts';
import type { Payment } from '../../src/payments/types.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { compareWithChain } from '../../src/treasury/compare.ts';
import { chainsOf } from '../support/chains.ts';
import { deploy, send, type Wallet, walletOf } from '../support/evm.ts';
import { compileTestContracts } from '../support/solidity.ts';
import { sweepCall } from './deposit-fixture.ts';
import { type EtherStage, openEtherStage } from './ether-fixture.ts';

/**
 * Honest money in awkward ways: equal parts, many in a transaction and a block, sent on by strangers in between, and
 * reorganised, while two processes watch and blocks are read again. SEEDS=1,2,3 plays others.
 */
const { Sequence } = compileTestContracts('Sequence.sol');
const STEPS = 60;
const SEEDS = (process.env['SEEDS'] ?? '2,5').split(',').map(Number);
const CASES = SEEDS.flatMap((seed) => [false, true].map((forgets) => ({ seed, forgets })));
const SEND_ON: Hex = `0x${'00'.repeat(64)}`;
const asksForAll = ({ method, params }: Call): boolean =>
  method === 'eth_getLogs' && (params[0] as { address?: unknown }).address === undefined;

type Random = (below: number) => number;
type Play = {
  readonly stage: EtherStage;
  readonly network: EvmNetwork;
  readonly wallet: Wallet;
  readonly sequence: Address;
  readonly usdt: Address;
  readonly payments: readonly Payment[];
  readonly watchers: readonly Watcher[];
};

let stage: EtherStage;
let proxy: LiarProxy;
afterEach(async () => {
  await proxy.close();
  await stage.close();
});

/** Numbers that are the same in each run. */
function randomOf(seed: number): Random {
  let state = seed * 2_654_435_761;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) | 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

/** Two payments on a network with two endpoints, of which transfers are believed only together. */
async function open(isFirst: boolean): Promise<Play> {
  stage = await openEtherStage();
  await stage.release();
  const { node, world, clock, watch } = stage;
  proxy = await startLiar(node.url);
  const [rpcUrl, second] = isFirst ? [proxy.url, node.url] : [node.url, proxy.url];
  const network = { ...stage.network, onDemand: false, secondOpinionFrom: 0, rpcUrl, otherRpcUrls: [second] };
  const wallet = walletOf(node);
  return {
    ...{ stage, network, wallet, sequence: await deploy(wallet, Sequence!) },
    usdt: getAddress(network.tokens.find(({ symbol }) => symbol === 'USDT')!.contract),
    payments: [await world.create({}, clock.now), await world.create({}, clock.now)],
    watchers: ['two', 'three'].map((name) => watch(name, createEvmReader(network), { network })),
  };
}

/** One to four things that happen to the payments' addresses in one transaction. */
function transactionOf({ network, payments, sequence, usdt }: Play, random: Random) {
  const stepOf = () => {
    const payment = payments[random(payments.length)]!;
    const to = getAddress(stage.addressOf(payment));
    const mint = encodeFunctionData({ abi: testUsdt.abi, functionName: 'mint', args: [to, 5n] });
    const pays = { to, value: 1_000n * BigInt(1 + random(2)), data: '0x' as Hex };
    const sweeps = { to: network.factory as Address, value: 0n, data: sweepCall([payment.id], zeroAddress) };
    return [pays, pays, pays, sweeps, { ...pays, value: 0n, data: SEND_ON }, { to: usdt, value: 0n, data: mint }][
      random(6)
    ]!;
  };
  if (random(3) === 0) return { ...stepOf(), gas: 1_000_000n };
  const steps = Array.from({ length: 1 + random(4) }, stepOf);
  const run = { abi: Sequence!.abi as never, functionName: 'run', args: [steps] } as never;
  const value = steps.reduce((sum, step) => sum + step.value, 0n);
  return { to: sequence, value, data: encodeFunctionData(run), gas: 3_000_000n };
}

const apply = async ({ payments }: Play): Promise<void> => {
  for (const payment of payments) await stage.world.apply(payment, null, stage.clock.now);
};

async function look(play: Play, watcher = play.watchers[0]!): Promise<void> {
  for (let result = ''; result !== 'level'; result = await watcher.look());
  await watcher.release();
  await apply(play);
}

async function believe(play: Play): Promise<void> {
  const { network } = play;
  const faults: unknown[] = [];
  const log = (error: unknown): void => void faults.push(error);
  for (const job of opinionJobs({ db: stage.world.db, networks: [network], chains: chainsOf(network), log }))
    await job.run({ now: stage.clock.now, real: new Date(), signal: new AbortController().signal });
  expect(faults).toEqual([]);
  await apply(play);
}

async function readAgain({ network }: Play, blocks: number): Promise<void> {
  const { db } = stage.world;
  const to = (await findCursor(db, network.name))?.confirmedHeight ?? 0;
  if (to < 1) return;
  const deps = { db, network, reader: createEvmReader(network), matchers: [paymentMatcher] };
  const again = rescan(
    { ...deps, now: () => stage.clock.now, tell: () => undefined },
    { from: Math.max(1, to - blocks), to },
  );
  // A reorg of confirmed blocks, which the watcher has not seen yet.
  await again.catch(({ message }: Error) => expect(message).toMatch(/a reorg took|has another block/));
}

/** What may happen next. */
function actsOf(play: Play, random: Random): (() => Promise<unknown>)[] {
  const { wallet, watchers } = play;
  const { node } = stage;
  const sent: Hex[] = [];
  const pay = async () => void sent.push((await send(wallet, transactionOf(play, random))).transactionHash);
  const watch = () => look(play, watchers[random(2)]);
  const fillBlock = async (): Promise<void> => {
    await node.rpc('evm_setAutomine', [false]);
    for (let i = 0; i < 2 + random(2); i += 1)
      sent.push(
        await sendTransaction(wallet, { ...transactionOf(play, random), account: wallet.account, chain: null }),
      );
    await node.rpc('anvil_mine', [1]);
    await node.rpc('evm_setAutomine', [true]);
  };
  const reorg = async (): Promise<void> => {
    const hashes = random(2) === 0 ? [] : sent.slice(-3);
    const raws = await Promise.all(hashes.map((each) => node.rpc<Hex | null>('eth_getRawTransactionByHash', [each])));
    const depth = 1 + random(3);
    const kept = raws.flatMap((raw) => (raw === null ? [] : [[raw, random(depth)]]));
    // Those that lie deeper stay mined, and the node refuses them with all others.
    await node.rpc('anvil_reorg', [depth, kept]).catch(() => node.rpc('anvil_reorg', [depth, []]));
  };
  const mine = () => node.rpc('anvil_mine', [1 + random(3)]);
  return [pay, pay, fillBlock, mine, watch, watch, () => believe(play), reorg, () => readAgain(play, 10)];
}

/** All that ever came to an address, as its chain tells it, and all that is credited. */
async function expectEachUnitOnce({ network, wallet, usdt }: Play, payment: Payment): Promise<void> {
  const address = getAddress(stage.addressOf(payment));
  const sumLogs = async (filter: object): Promise<bigint> => {
    const asked = { fromBlock: '0x0', toBlock: 'latest', ...filter };
    const logs = await stage.node.rpc<{ data: Hex }[]>('eth_getLogs', [asked]);
    return logs.reduce((sum, { data }) => sum + BigInt(data), 0n);
  };
  const rows = await stage.world.db
    .selectFrom('credits')
    .select(['token', 'amount_units', 'confirmed_at', 'tx_hash'])
    .where('payment_id', '=', payment.id)
    .where('canonical', '=', true)
    .execute();
  const credited = (symbol: string) =>
    rows.reduce((sum, { token, amount_units }) => (token === symbol ? sum + amount_units : sum), 0n);
  const sentOn = await sumLogs({ address, topics: [pad(network.treasury as Hex)] });
  expect({ ether: credited('ETH'), usdt: credited('USDT') }).toEqual({
    ether: sentOn + (await getBalance(wallet, { address })),
    usdt: await sumLogs({ address: usdt, topics: [null, null, pad(address)] }),
  });
  expect(rows.filter(({ confirmed_at }) => confirmed_at === null)).toEqual([]);
}

test.each(CASES)(
  'each unit is credited once and believed: $seed, an endpoint lists less now and then: $forgets',
  async ({ seed, forgets }) => {
    const random = randomOf(seed);
    const play = await open(forgets);
    const { network } = play;
    const { db } = stage.world;
    const acts = actsOf(play, random);
    const refused = { error: { code: -32_602, message: 'specify an address' } };
    if (forgets) {
      acts.push(async () => proxy.lie((call) => (asksForAll(call) ? refused : undefined)));
      acts.push(async () => proxy.honest());
    }
    for (let i = 0; i < STEPS; i += 1) await acts[random(acts.length)]!();
    proxy.honest();
    await stage.mine(5);
    await look(play);
    // What it kept to itself is found by reading all blocks again.
    if (forgets) await readAgain(play, Number.POSITIVE_INFINITY);
    for (let i = 0; i < 4; i += 1) {
      await stage.mine(5, after(stage.clock.now, 11 * MINUTE_MS));
      await look(play);
      await believe(play);
    }
    for (const payment of play.payments) await expectEachUnitOnce(play, payment);
    expect((await reconcile(db)).findings).toEqual([]);
    const options = { now: stage.clock.now, all: true };
    expect((await compareWithChain({ db, chains: chainsOf(network) }, network, options))?.differences).toEqual([]);
    const incidents = db.selectFrom('incidents').select(['kind', 'message']).where('resolved_at', 'is', null);
    expect(await incidents.execute()).toEqual([]);
  },
);
