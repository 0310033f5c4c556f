import { type Address, type Hex, zeroAddress } from 'viem';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Call } from '../../scripts/liars/proxy.ts';
import { findCursor } from '../../src/chains/cursors.ts';
import { createEvmReader } from '../../src/chains/evm/rpc.ts';
import { openEvmTreasury } from '../../src/chains/evm/treasury.ts';
import { rescan } from '../../src/chains/rescan.ts';
import type { Rescan } from '../../src/chains/rescan-queries.ts';
import { after, HOUR_MS, MINUTE_MS } from '../../src/lib/clock.ts';
import { paymentMatcher } from '../../src/payments/observe.ts';
import type { Payment } from '../../src/payments/types.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { compareWithChain } from '../../src/treasury/compare.ts';
import { followTreasury } from '../../src/treasury/follow.ts';
import { chainsOf } from '../support/chains.ts';
import { send, walletOf } from '../support/evm.ts';
import { sweepCall } from './deposit-fixture.ts';
import { type EtherBehindLiar, openEtherBehindLiar } from './ether-fixture.ts';

/** Blocks in which ETH left deposit addresses, when they are read again, by nodes that tell different parts of it. */
let stage: EtherBehindLiar;
beforeAll(async () => {
  stage = await openEtherBehindLiar();
});
afterEach(async () => {
  stage.liar.honest();
  expect((await reconcile(stage.world.db)).findings).toEqual([]);
});
afterAll(() => stage.close());

const asksForAll = ({ method, params }: Call): boolean =>
  method === 'eth_getLogs' && (params[0] as { address?: unknown }).address === undefined;
const SEND_ON: Hex = `0x${'00'.repeat(64)}`;

/** Code that logs like a forwarder at its birth, and makes a call in the same transaction. */
function atBirth(treasury: string, to: string, data: Hex): Hex {
  const hex = (value: number) => `61${value.toString(16).padStart(4, '0')}`;
  const log = `7f${'ff'.repeat(32)}5f527f${treasury.slice(2).padStart(64, '0')}60205fa1`;
  const size = hex((data.length - 2) / 2);
  const call = `5f5f${size}5f5f73${to.slice(2)}5af100`;
  const copied = (length: number) => `${size}${hex(length)}5f39`;
  return `0x${log}${copied((log + copied(0) + call).length / 2)}${call}${data.slice(2)}`;
}

const again = async (urls: readonly string[]): Promise<Rescan> => {
  const [rpcUrl, ...otherRpcUrls] = urls;
  const network = { ...stage.network, rpcUrl: rpcUrl!, otherRpcUrls };
  const to = (await findCursor(stage.world.db, network.name))!.confirmedHeight;
  const { db } = stage.world;
  return rescan(
    {
      ...{ db, network, reader: createEvmReader(network), matchers: [paymentMatcher] },
      ...{ now: () => stage.clock.now, tell: () => undefined },
    },
    { from: 1, to },
  );
};

const sweepsOf = (payment: Payment) =>
  stage.world.db
    .selectFrom('coin_sweeps')
    .select(['units', 'canonical'])
    .where('address', '=', stage.addressOf(payment))
    .execute();
const applied = (payment: Payment): Promise<Payment> => stage.world.apply(payment, null, stage.clock.now);
const expectCompared = async (payment: Payment): Promise<void> => {
  const deps = { db: stage.world.db, chains: chainsOf(stage.network) };
  const compared = await compareWithChain(deps, stage.network, { now: stage.clock.now, all: true });
  expect(compared?.differences.map(({ subject }) => subject)).not.toContain(stage.addressOf(payment));
};

test('what was swept once is swept once, although nodes that tell less give it another place', async () => {
  const payment = await stage.world.create({}, stage.clock.now);
  const half = stage.priceOf(payment) / 2n;
  await stage.pay(payment, half);
  await stage.scan(payment);
  const { factory, treasury } = stage.network;
  const data = atBirth(treasury, factory, sweepCall([payment.id], zeroAddress));
  expect((await send(walletOf(stage.node), { data })).status).toBe('success');
  await stage.mine(3);
  await stage.scan(payment);
  expect(await sweepsOf(payment)).toEqual([{ units: half, canonical: true }]);
  // This one tells only what factories say.
  stage.liar.lie((call) => (asksForAll(call) ? { error: { code: -32602, message: 'specify an address' } } : undefined));
  await again([stage.liar.url, stage.node.url]);
  expect(await sweepsOf(payment)).toEqual([{ units: half, canonical: true }]);
  await stage.mine(3);
  await stage.scan(payment);
  expect(await stage.creditsOf(payment)).toMatchObject([{ units: half }]);
  expect((await applied(payment)).status).toBe('pending');
  await expectCompared(payment);
});

test('what a release before did not hear of is credited after a rescan, also where its payment is over', async () => {
  const payment = await stage.world.create({}, stage.clock.now);
  await stage.pay(payment, 1n);
  await stage.mine(1);
  await stage.scan(payment);
  await send(walletOf(stage.node), {
    to: stage.network.factory as Address,
    data: sweepCall([payment.id], zeroAddress),
  });
  await stage.pay(payment, stage.priceOf(payment), 'contract');
  await send(walletOf(stage.node), { to: stage.addressOf(payment) as Address, data: SEND_ON });
  await stage.mine(3);
  // As that release would have passed it: it listed what factories say.
  await stage.release();
  const before = createEvmReader(stage.behindLiar());
  stage.liar.lie((call) => (asksForAll(call) ? { error: { code: -32602, message: 'specify an address' } } : undefined));
  const watcher = stage.watch('before', before);
  while ((await watcher.look()) !== 'level');
  await watcher.release();
  stage.liar.honest();
  expect(await sweepsOf(payment)).toEqual([{ units: 1n, canonical: true }]);
  await stage.mine(1, after(stage.clock.now, 50 * HOUR_MS));
  await stage.scan();
  expect((await stage.world.apply(payment, { kind: 'clock' }, stage.clock.now)).status).toBe('expired');
  await stage.mine(1, after(stage.clock.now, 11 * MINUTE_MS));
  await stage.scan();
  await stage.mine(3);
  await stage.scan();
  await again([stage.node.url]);
  expect(await sweepsOf(payment)).toHaveLength(2);
  await stage.mine(1, after(stage.clock.now, 11 * MINUTE_MS));
  await stage.scan();
  await stage.mine(3);
  await stage.scan();
  await applied(payment);
  const credits = await stage.creditsOf(payment);
  expect(credits.map(({ units }) => units)).toEqual([1n, stage.priceOf(payment)]);
  await again([stage.node.url]);
  expect(await sweepsOf(payment)).toHaveLength(2);
  await expectCompared(payment);
});

/** Has an address send on what it got, without its factory, and returns the block. */
async function sendOnByStranger(payment: Payment): Promise<number> {
  await stage.pay(payment, 1n);
  const data = sweepCall([payment.id], zeroAddress);
  await send(walletOf(stage.node), { to: stage.network.factory as Address, data });
  await stage.pay(payment, 2n, 'contract');
  const { blockNumber } = await send(walletOf(stage.node), { to: stage.addressOf(payment) as Address, data: SEND_ON });
  return Number(blockNumber);
}

test('one block of which a node lists not so many logs hides nothing in the blocks before it', async () => {
  const payment = await stage.world.create({}, stage.clock.now);
  const from = await sendOnByStranger(payment);
  await stage.mine(5);
  const to = from + 5;
  stage.liar.lie((call) => {
    const { toBlock, topics } = (call.params[0] ?? {}) as { toBlock?: string; topics?: string[][] };
    const isFlooded =
      asksForAll(call) && Number(toBlock) === to && topics?.[0]?.some((each) => each.startsWith('0x0000'));
    return isFlooded ? { error: { code: -32005, message: 'query returned more than 10000 results' } } : undefined;
  });
  const network = stage.behindLiar();
  const reader = createEvmReader(network);
  const [last] = await reader.findBlocks([to]);
  expect(await reader.glimpse?.(from, last!)).toBe('too_many');
  const treasury = openEvmTreasury(network);
  await expect(treasury.listTransfers(from, to)).rejects.toThrow('more than 10000 results');
  expect(await treasury.listTransfers(from, to - 1)).toMatchObject([{ party: stage.addressOf(payment), units: 2n }]);
  expect(await treasury.listTransfers(to, to)).toEqual([]);
});

test('what a stranger had sent on is heard of after an outage, and beside a block that can not be listed', async () => {
  const payment = await stage.world.create({}, stage.clock.now);
  const height = await sendOnByStranger(payment);
  await stage.mine(1);
  const reader = createEvmReader(stage.behindLiar());
  const blocks = (await reader.findBlocks([height, height + 1])).flatMap((block) => block ?? []);
  const own = [{ address: stage.addressOf(payment), units: 2n }];
  // No logs at all, as when a provider's index is out.
  stage.liar.fail((calls) => (calls.some(({ method }) => method === 'eth_getLogs') ? { status: 503 } : undefined));
  for (let time = 0; time < 4; time += 1) await expect(reader.listSightings(blocks.slice(0, 1))).rejects.toThrow('503');
  stage.liar.honest();
  expect((await reader.listSightings(blocks)).coinSweeps).toMatchObject(own);
  // The other block is asked for in the same request.
  const hasSecond = ({ params }: Call) => Object(params[0]).blockHash === blocks[1]?.hash;
  stage.liar.lie(() => undefined);
  stage.liar.fail((calls) =>
    calls.some((call) => asksForAll(call) && hasSecond(call)) ? { status: 200, body: 'x' } : undefined,
  );
  for (let time = 0; time < 4; time += 1) await expect(reader.listSightings(blocks)).rejects.toThrow('no JSON');
  expect((await reader.listSightings(blocks.slice(0, 1))).coinSweeps).toMatchObject(own);
});

test('a block of which no node can list so many logs is read again all the same', async () => {
  const payment = await stage.world.create({}, stage.clock.now);
  const flooded = (await sendOnByStranger(payment)) - 2;
  await stage.mine(3);
  await stage.scan();
  const [block] = await createEvmReader(stage.network).findBlocks([flooded]);
  const isOfIt = ({ params }: Call) => Object(params[0]).blockHash === block?.hash;
  stage.liar.fail((calls) =>
    calls.some((call) => asksForAll(call) && isOfIt(call)) ? { status: 200, body: 'x' } : undefined,
  );
  expect(await again([stage.liar.url])).toMatchObject({ unread: [] });
  expect(await sweepsOf(payment)).toHaveLength(2);
});

test('a block of which no node can list so many logs ends no comparison with the chain, in its first process', async () => {
  const payment = await stage.world.create({}, stage.clock.now);
  const flooded = (await sendOnByStranger(payment)) - 2;
  await stage.mine(3);
  await stage.scan();
  const isOfIt = ({ params }: Call) => {
    const { fromBlock, toBlock } = Object(params[0]);
    return Number(fromBlock) <= flooded && flooded <= Number(toBlock);
  };
  stage.liar.fail((calls) =>
    calls.some((call) => asksForAll(call) && isOfIt(call)) ? { status: 200, body: 'x' } : undefined,
  );
  // What tells why it failed comes later than the failure of what was asked beside it.
  const LATE = { lateMs: 200 };
  stage.liar.lie(({ params }) =>
    String(Object(params[0]).address) === String(stage.network.factory) ? LATE : undefined,
  );
  const network = stage.behindLiar();
  const deps = { db: stage.world.db, chains: chainsOf(network) };
  expect(await followTreasury(deps, network, stage.clock.now)).toMatchObject({ network });
  const read = await stage.world.db
    .selectFrom('treasury_transfers')
    .select('units')
    .where('party', '=', stage.addressOf(payment))
    .execute();
  expect(read.map(({ units }) => units)).toEqual([1n, 2n]);
});
