import { decodeFunctionData, encodeFunctionResult, type Hex, zeroAddress } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { depositFactory } from '../../generated/contracts.ts';
import type { EvmNetwork } from '../../src/chains/evm/network.ts';
import { createEvmReader } from '../../src/chains/evm/rpc.ts';
import { createEvmWitness } from '../../src/chains/evm/witness.ts';
import { rescan } from '../../src/chains/rescan.ts';
import { after, MINUTE_MS } from '../../src/lib/clock.ts';
import { paymentMatcher } from '../../src/payments/observe.ts';
import { opinionJobs } from '../../src/payments/opinions.ts';
import type { Payment } from '../../src/payments/types.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { chainsOf } from '../support/chains.ts';
import { type EtherBehindLiar, type EtherStage, openEtherBehindLiar } from './ether-fixture.ts';

type Watcher = ReturnType<EtherStage['watch']>;

/** An endpoint that is asked first, and lies about ETH in small steps; the other one tells the truth. */
let stage: EtherBehindLiar;
beforeAll(async () => {
  stage = await openEtherBehindLiar();
});
afterAll(() => stage.close());

const BALANCES = { abi: depositFactory.abi, functionName: 'balancesOf' } as const;

/** The view's answer, by which an address holds so much. */
function holds(data: Hex, address: string, balance: bigint): Hex {
  const { args } = decodeFunctionData({ abi: depositFactory.abi, data });
  const accounts = (args as unknown as readonly [readonly string[]])[0].map((each) => each.toLowerCase());
  const index = BigInt(accounts.indexOf(address));
  return encodeFunctionResult({ ...BALANCES, result: index < 0n ? [] : [{ index, balance }] });
}

/** Watches to the head, applies what came for a payment, asks for opinions, and applies it again. */
async function lookAndAsk(watcher: Watcher, network: EvmNetwork, payment: Payment): Promise<Payment> {
  const { db } = stage.world;
  for (let result = ''; result !== 'level'; result = await watcher.look());
  await stage.world.apply(payment, null, stage.clock.now);
  for (const job of opinionJobs({ db, networks: [network], chains: chainsOf(network), log: () => undefined }))
    await job.run({ now: stage.clock.now, real: new Date(), signal: new AbortController().signal });
  return stage.world.apply(payment, null, stage.clock.now);
}

test('what came once in a block is no proof of a second arrival there, once the first one is believed', async () => {
  const payment = await stage.world.create({}, stage.clock.now);
  const [address, half] = [stage.addressOf(payment), stage.priceOf(payment) / 2n + 1n];
  const network = stage.behindLiar({ onDemand: false, otherRpcUrls: [stage.node.url], secondOpinionFrom: 0 });
  await stage.release();
  const watcher = stage.watch('two', createEvmReader(network), { network });
  const { db } = stage.world;
  const look = () => lookAndAsk(watcher, network, payment);
  await stage.mine(1, after(stage.clock.now, 1_000));
  await look();
  const paidIn = Number(await stage.node.rpc('eth_blockNumber')) + 1;
  await stage.pay(payment, half);
  await stage.mine(3, after(stage.clock.now, 1_000));
  await look();
  expect((await look()).status).toBe('pending');
  const confirmed = () =>
    db.selectFrom('credits').select('block_number').where('confirmed_at', 'is not', null).execute();
  expect(await confirmed()).toEqual([{ block_number: BigInt(paidIn) }]);
  // Addresses of payments that are over are read now, and what is new is looked for from their last reading on.
  await stage.mine(1, after(stage.clock.now, 11 * MINUTE_MS));
  const head = Number(await stage.node.rpc('eth_blockNumber'));
  const heights = new Map<string, number>();
  for (let height = 0; height <= head; height += 1) {
    const block = await stage.node.rpc('eth_getBlockByNumber', [`0x${height.toString(16)}`, false]);
    heights.set((block as { hash: string }).hash, height);
  }
  stage.liar.lie(({ method, params }) => {
    const [{ data }, { blockHash }] = [Object(params[0]), Object(params[1])] as [
      { data?: Hex },
      { blockHash?: string },
    ];
    const height = heights.get(blockHash ?? '');
    if (method !== 'eth_call' || data === undefined || height === undefined) return undefined;
    return { result: holds(data, address, height < paidIn ? half : 2n * half) };
  });
  await look();
  stage.liar.honest();
  expect((await stage.creditsOf(payment)).map(({ height, units }) => [height, units])).toEqual([
    [paidIn, half],
    [paidIn, half],
  ]);
  await stage.mine(3);
  const last = await look();
  expect(last).toMatchObject({ status: 'confirming' });
  const told = await db.selectFrom('incidents').select(['kind', 'subject']).execute();
  expect(told).toContainEqual({ kind: 'chain.disagreement', subject: 'devnet before confirmation' });
  expect((await reconcile(db)).findings).toEqual([]);
  await watcher.release();
});

test('without states a transaction shows what it pays, and not that it pays it twice', async () => {
  const payment = await stage.world.create({}, stage.clock.now);
  const txHash = await stage.pay(payment, 7n);
  const reader = createEvmReader(stage.network);
  const { ask } = createEvmWitness(stage.behindLiar());
  const block = await reader.getHead();
  const coin = { txHash, to: stage.addressOf(payment), units: 7n, contract: zeroAddress };
  const second = { ...coin, total: 14n, through: 14n, throughTx: 14n };
  expect((await ask(block, [{ ...coin, total: 7n, through: 7n, throughTx: 7n }])).agree).toHaveLength(1);
  expect((await ask(block, [second])).deny).toHaveLength(1);
  stage.liar.lie(({ method }) =>
    method === 'eth_call' ? { error: { code: -32_000, message: 'missing trie node 0xabc' } } : undefined,
  );
  expect((await ask(block, [coin])).agree).toHaveLength(1);
  expect(await ask(block, [second])).toMatchObject({ agree: [], deny: [] });
  stage.liar.honest();
});

test('a token that came once is no proof of a second transfer that an endpoint invents in a rescan', async () => {
  const payment = await stage.world.create({}, stage.clock.now);
  const half = payment.amountMicro / 2n + 1n;
  const network = stage.behindLiar({ otherRpcUrls: [stage.node.url], secondOpinionFrom: 0 });
  await stage.release();
  const reader = createEvmReader(network);
  const watcher = stage.watch('three', reader, { network });
  const { db } = stage.world;
  const look = () => lookAndAsk(watcher, network, payment);
  await look();
  const [token] = network.tokens;
  await stage.faucet.transfer({ token: token!, to: stage.addressOf(payment), units: half });
  const paidIn = Number(await stage.node.rpc('eth_blockNumber'));
  await stage.mine(3);
  await look();
  expect((await look()).status).toBe('pending');
  stage.liar.lie(({ method }) =>
    method === 'eth_getLogs'
      ? {
          change: (logs) =>
            (logs as { blockNumber: string }[]).flatMap((each) =>
              Number(each.blockNumber) === paidIn ? [each, each] : [each],
            ),
        }
      : undefined,
  );
  const again = { db, network, reader, matchers: [paymentMatcher], now: () => stage.clock.now, tell: () => undefined };
  await rescan(again, { from: paidIn, to: paidIn });
  stage.liar.honest();
  expect(await db.selectFrom('credits').select('id').where('payment_id', '=', payment.id).execute()).toHaveLength(2);
  expect((await look()).status).toBe('confirming');
  await watcher.release();
});
