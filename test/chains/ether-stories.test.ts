import { type Address, zeroAddress } from 'viem';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createEvmReader } from '../../src/chains/evm/rpc.ts';
import { openEvmTreasury } from '../../src/chains/evm/treasury.ts';
import type { WatcherDeps } from '../../src/chains/lease.ts';
import { after, HOUR_MS, MINUTE_MS } from '../../src/lib/clock.ts';
import { opinionJobs } from '../../src/payments/opinions.ts';
import type { Payment } from '../../src/payments/types.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { compareWithChain } from '../../src/treasury/compare.ts';
import { chainsOf } from '../support/chains.ts';
import { send, walletOf } from '../support/evm.ts';
import { sweepCall } from './deposit-fixture.ts';
import { type EtherBehindLiar, openEtherBehindLiar } from './ether-fixture.ts';

/** What ETH meets on the way: late, while nobody looks, and at nodes that know or tell less than they should. */
let stage: EtherBehindLiar;
beforeAll(async () => {
  stage = await openEtherBehindLiar();
});
afterEach(async () => {
  stage.liar.honest();
  expect((await reconcile(stage.world.db)).findings).toEqual([]);
});
afterAll(() => stage.close());

/** Another process, whose node is the one that may be told to lie. */
async function follow(changes: Partial<WatcherDeps> = {}): Promise<void> {
  await stage.release();
  const watcher = stage.watch('two', createEvmReader(stage.behindLiar()), changes);
  for (let result = ''; result !== 'level' && result !== 'idle'; result = await watcher.look());
  await watcher.release();
}

/** Code of a contract that says at its birth, as often as that, that it has sent the treasury all coins there are. */
const likeForwarders = (treasury: string, times: number): `0x${string}` => {
  const log = `7f${treasury.slice(2).padStart(64, '0')}60206000a1`;
  return `0x7f${'ff'.repeat(32)}600052${log.repeat(times)}00`;
};

const headOf = async (): Promise<number> => Number(await stage.node.rpc('eth_blockNumber'));
const applied = (payment: Payment): Promise<Payment> => stage.world.apply(payment, null, stage.clock.now);

test('what comes in the late window pays by the market of then, and what comes after it is not looked for', async () => {
  const payment = await stage.world.create({}, stage.clock.now);
  await stage.mine(1, after(stage.clock.now, 2 * HOUR_MS));
  await stage.scan();
  expect((await stage.world.apply(payment, { kind: 'clock' }, stage.clock.now)).status).toBe('expired');
  await stage.pay(payment, stage.priceOf(payment));
  await stage.mine(1, after(stage.clock.now, 11 * MINUTE_MS));
  await stage.scan(payment);
  await stage.mine(3);
  await stage.scan();
  expect(await applied(payment)).toMatchObject({ status: 'paid', exception: 'late' });
  expect(await stage.world.events(payment)).toEqual(['created', 'expired', 'confirming', 'completed']);
  const later = await stage.world.create({}, stage.clock.now);
  await stage.mine(1, after(stage.clock.now, 27 * HOUR_MS));
  await stage.scan();
  expect((await stage.world.apply(later, { kind: 'clock' }, stage.clock.now)).status).toBe('expired');
  await stage.mine(1, after(stage.clock.now, 11 * MINUTE_MS));
  await stage.scan();
  await stage.pay(later, stage.priceOf(later));
  await stage.mine(1, after(stage.clock.now, 11 * MINUTE_MS));
  await stage.scan();
  expect(await stage.creditsOf(later)).toEqual([]);
});

test('while no watcher runs nothing is lost: each transfer is found in its block, whoever sent it', async () => {
  const [one, two] = [await stage.world.create({}, stage.clock.now), await stage.world.create({}, stage.clock.now)];
  await stage.scan();
  await stage.mine(7);
  const direct = await stage.pay(one, stage.priceOf(one) / 2n);
  const heights = [await headOf()];
  await stage.mine(30);
  const through = await stage.pay(one, stage.priceOf(one) - stage.priceOf(one) / 2n, 'contract');
  heights.push(await headOf());
  await stage.mine(20);
  const other = await stage.pay(two, stage.priceOf(two));
  await stage.mine(40);
  await follow();
  expect(await applied(one)).toMatchObject({ status: 'paid' });
  expect(await applied(two)).toMatchObject({ status: 'paid', txHash: other });
  const found = (await stage.creditsOf(one)).map(({ tx, height }) => [tx, height]);
  expect(found).toEqual([
    [direct, heights[0]],
    [through, heights[1]],
  ]);
});

test('what was swept meanwhile counts, and so does what comes after the sweep, whoever asked for it', async () => {
  const payment = await stage.world.create({}, stage.clock.now);
  const half = stage.priceOf(payment) / 2n;
  await stage.pay(payment, half);
  await stage.scan(payment);
  // Anybody may sweep, also in the middle of a payment, and between two looks.
  const sweep = { to: stage.network.factory as Address, data: sweepCall([payment.id], zeroAddress) };
  await send(walletOf(stage.node), sweep);
  await stage.scan(payment);
  expect((await applied(payment)).status).toBe('pending');
  await stage.pay(payment, half, 'contract');
  await send(walletOf(stage.node), sweep);
  await stage.pay(payment, stage.priceOf(payment) - 2n * half + 1n, 'contract');
  await stage.scan(payment);
  await stage.mine(3);
  await stage.scan(payment);
  expect(await applied(payment)).toMatchObject({ status: 'paid' });
  const total = (await stage.creditsOf(payment)).reduce((sum, { units }) => sum + units, 0n);
  expect(total).toBe(stage.priceOf(payment) + 1n);
  const compared = await compareWithChain({ db: stage.world.db, chains: chainsOf(stage.network) }, stage.network, {
    now: stage.clock.now,
    all: true,
  });
  expect(compared?.differences.map(({ subject }) => subject)).not.toContain(stage.addressOf(payment));
});

test('what a stranger has a forwarder send on past the factory counts, before it is read and afterwards', async () => {
  const payment = await stage.world.create({}, stage.clock.now);
  const price = stage.priceOf(payment);
  const [third, rest] = [price / 3n, price - 2n * (price / 3n)];
  await stage.pay(payment, third);
  // Makes the forwarder.
  await send(walletOf(stage.node), {
    to: stage.network.factory as Address,
    data: sweepCall([payment.id], zeroAddress),
  });
  await stage.scan(payment);
  const sendOn = () =>
    send(walletOf(stage.node), { to: stage.addressOf(payment) as Address, data: `0x${'00'.repeat(64)}` });
  await stage.pay(payment, third, 'contract');
  await sendOn(); // Before anyone has read the address.
  await stage.scan(payment);
  await stage.pay(payment, rest, 'contract');
  await stage.scan(payment);
  await sendOn(); // It is credited by now.
  await send(walletOf(stage.node), { data: likeForwarders(stage.network.treasury, 20) });
  await stage.mine(3);
  await stage.scan(payment);
  expect(await applied(payment)).toMatchObject({ status: 'paid', exception: null });
  const credits = await stage.creditsOf(payment);
  expect(credits.map(({ units }) => units)).toEqual([third, third, rest]);
  const compared = await compareWithChain({ db: stage.world.db, chains: chainsOf(stage.network) }, stage.network, {
    now: stage.clock.now,
    all: true,
  });
  expect(compared?.differences.map(({ subject }) => subject)).not.toContain(stage.addressOf(payment));
  const incidents = await stage.world.db
    .selectFrom('incidents')
    .select('kind')
    .where('subject', '=', payment.id)
    .execute();
  expect(incidents).toEqual([]);
});

test('a node that refuses to list logs without the address of a contract still tells what factories have swept', async () => {
  const payment = await stage.world.create({}, stage.clock.now);
  const half = stage.priceOf(payment) / 2n;
  stage.liar.lie(({ method, params }) => {
    const asksForAll = method === 'eth_getLogs' && (params[0] as { address?: unknown }).address === undefined;
    return asksForAll ? { error: { code: -32602, message: 'specify an address' } } : undefined;
  });
  await stage.pay(payment, half);
  await follow();
  await send(walletOf(stage.node), {
    to: stage.network.factory as Address,
    data: sweepCall([payment.id], zeroAddress),
  });
  await stage.pay(payment, stage.priceOf(payment) - half, 'contract');
  await follow();
  await stage.mine(3);
  await follow();
  expect(await applied(payment)).toMatchObject({ status: 'paid', exception: null });
});

test('a block of which a node can not list so many logs is read all the same, after three tries', async () => {
  const payment = await stage.world.create({}, stage.clock.now);
  await stage.pay(payment, 1n);
  const { blockNumber } = await send(walletOf(stage.node), {
    to: stage.network.factory as Address,
    data: sweepCall([payment.id], zeroAddress),
  });
  const reader = createEvmReader(stage.behindLiar());
  const blocks = (await reader.findBlocks([Number(blockNumber)])).flatMap((block) => block ?? []);
  const asksForAll = ({ method, params }: { readonly method: string; readonly params: readonly unknown[] }) =>
    method === 'eth_getLogs' && (params[0] as { address?: unknown }).address === undefined;
  stage.liar.fail((calls) => (calls.some(asksForAll) ? { status: 200, body: 'too long' } : undefined));
  for (let time = 0; time < 3; time += 1) await expect(reader.listSightings(blocks)).rejects.toThrow('no JSON');
  expect((await reader.listSightings(blocks)).coinSweeps).toMatchObject([
    { address: stage.addressOf(payment), units: 1n },
  ]);
  stage.liar.honest();
  await stage.scan();
});

test('a node that lists no logs without an address is not asked block by block for what forwarders say', async () => {
  const payment = await stage.world.create({}, stage.clock.now);
  await stage.pay(payment, 1n);
  const data = sweepCall([payment.id], zeroAddress);
  const { blockNumber } = await send(walletOf(stage.node), { to: stage.network.factory as Address, data });
  const [from, to] = [Number(blockNumber), Number(blockNumber) + 40];
  await stage.mine(40);
  const message = 'Please specify an address in your request';
  stage.liar.lie(({ method, params }) =>
    method === 'eth_getLogs' && (params[0] as { address?: unknown }).address === undefined
      ? { error: { code: -32602, message } }
      : undefined,
  );
  const network = stage.behindLiar();
  const transfers = await openEvmTreasury(network).listTransfers(from, to);
  const address = stage.addressOf(payment);
  expect(transfers).toContainEqual(expect.objectContaining({ party: address, contract: zeroAddress, units: 1n }));
  const reader = createEvmReader(network);
  const [last] = await reader.findBlocks([to]);
  expect(await reader.glimpse?.(from, last!)).toMatchObject({ recipients: expect.arrayContaining([address]) });
  stage.liar.honest();
  await stage.scan();
});

test('a node that has forgotten old states dates what came later, never earlier, and loses none of it', async () => {
  const payment = await stage.world.create({}, stage.clock.now);
  await stage.scan();
  await stage.pay(payment, stage.priceOf(payment));
  const paidIn = await headOf();
  await stage.mine(25);
  const head = (await stage.node.rpc('eth_getBlockByNumber', ['latest', false])) as { hash: string };
  stage.liar.lie(({ method, params }) => {
    const at = Object(params[1]) as { blockHash?: string };
    const isOld = method === 'eth_call' && at.blockHash !== undefined && at.blockHash !== head.hash;
    return isOld
      ? { error: { code: -32_000, message: 'missing trie node 0xabc (path ) state is not available' } }
      : undefined;
  });
  await follow();
  const [credit] = await stage.creditsOf(payment);
  expect(credit).toMatchObject({ units: stage.priceOf(payment) });
  expect(credit?.height).toBeGreaterThanOrEqual(paidIn);
  await stage.mine(3);
  stage.liar.honest();
  await follow();
  expect(await applied(payment)).toMatchObject({ status: 'paid' });
  expect(await stage.creditsOf(payment)).toHaveLength(1);
});

test('where the node shows no traces, what a contract sent is an internal transfer', async () => {
  const payment = await stage.world.create({}, stage.clock.now);
  await stage.scan();
  stage.liar.lie(({ method }) =>
    method === 'trace_block'
      ? { error: { code: -32_601, message: 'the method trace_block does not exist' } }
      : undefined,
  );
  await stage.pay(payment, stage.priceOf(payment), 'contract');
  await follow();
  const [credit] = await stage.creditsOf(payment);
  expect(credit?.tx).toMatch(/^internal:0x[0-9a-f]{64}:0x/);
  await stage.mine(3);
  await follow();
  expect(await applied(payment)).toMatchObject({ status: 'paid' });
  expect(await stage.creditsOf(payment)).toHaveLength(1);
});

test('on an idle network what comes late is found all the same', async () => {
  const payment = await stage.world.create({}, stage.clock.now);
  await stage.mine(1, after(stage.clock.now, 2 * HOUR_MS));
  await stage.scan();
  expect((await stage.world.apply(payment, { kind: 'clock' }, stage.clock.now)).status).toBe('expired');
  await stage.pay(payment, stage.priceOf(payment));
  await stage.mine(120, after(stage.clock.now, 11 * MINUTE_MS));
  await follow({ isIdle: async () => true });
  expect(await stage.creditsOf(payment)).toMatchObject([{ units: stage.priceOf(payment) }]);
  await stage.scan();
  await stage.mine(3);
  await stage.scan();
  expect(await applied(payment)).toMatchObject({ status: 'paid', exception: 'late' });
});

test('a balance that one endpoint invents is seen and never paid: the other one denies it', async () => {
  const payment = await stage.world.create({}, stage.clock.now);
  await stage.scan();
  const network = stage.behindLiar({ otherRpcUrls: [stage.node.url], secondOpinionFrom: 0 });
  const address = stage.addressOf(payment).slice(2);
  // The view answers with (index, balance) of those that hold something.
  const price = stage.priceOf(payment);
  stage.liar.lie(({ method, params }) => {
    const [call, at] = params as [{ data?: string }, { blockHash?: string }];
    if (method !== 'eth_call' || at?.blockHash === undefined || !call.data?.includes(address)) return undefined;
    return { change: (answer) => inventBalance(String(answer), indexIn(call.data ?? '', address), price) };
  });
  await stage.release();
  await stage.mine(1);
  const watcher = stage.watch('two', createEvmReader(network), { network });
  for (let result = ''; result !== 'level'; result = await watcher.look());
  expect(await stage.creditsOf(payment)).toMatchObject([{ units: price, canonical: true }]);
  expect((await applied(payment)).status).toBe('confirming');
  await stage.mine(3);
  for (let result = ''; result !== 'level'; result = await watcher.look());
  expect((await applied(payment)).status).toBe('confirming');
  const run = async () => {
    for (const job of opinionJobs({
      db: stage.world.db,
      networks: [network],
      chains: chainsOf(network),
      log: () => {},
    }))
      await job.run({ now: stage.clock.now, real: new Date(), signal: new AbortController().signal });
  };
  await run();
  expect((await applied(payment)).status).toBe('confirming');
  const told = await stage.world.db.selectFrom('incidents').select(['kind', 'subject']).execute();
  expect(told).toContainEqual({ kind: 'chain.disagreement', subject: 'devnet before confirmation' });
  stage.liar.honest();
  await watcher.release();
});

const WORD = 64;
const word = (value: bigint | number): string => value.toString(16).padStart(WORD, '0');

/** The place of an address among those of a call of the view: (offset, token, length, addresses …). */
const indexIn = (data: string, address: string): number => {
  const words = data.slice(2 + 8).match(/.{64}/g) ?? [];
  return words.slice(3).findIndex((each) => each.endsWith(address));
};

/** The answer of the view with one more balance in it. */
function inventBalance(answer: string, index: number, units: bigint): string {
  const words = answer.slice(2).match(/.{64}/g) ?? [];
  const count = Number(BigInt(`0x${words[1]}`));
  return `0x${words[0]}${word(count + 1)}${words.slice(2).join('')}${word(index)}${word(units)}`;
}
