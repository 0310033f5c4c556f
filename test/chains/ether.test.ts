import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCoins } from '../../src/chains/beyond-blocks.ts';
import { createEvmReader } from '../../src/chains/evm/rpc.ts';
import { paymentMatcher } from '../../src/payments/observe.ts';
import type { Payment } from '../../src/payments/types.ts';
import type { ChainReader } from '../../src/ports/chain-kind.ts';
import { START } from '../support/payments.ts';
import { type EtherStage, ONE_ETH, openEtherStage } from './ether-fixture.ts';

const MICRO = 1_000_000n;
const PAID = ['created', 'confirming', 'completed'];

let stage: EtherStage;
beforeAll(async () => {
  stage = await openEtherStage();
});
afterAll(() => stage.close());

const scanOne = async (payment: Payment): Promise<Payment> => (await stage.scan(payment))[0] as Payment;
const settled = async (payment: Payment): Promise<Payment> => {
  await scanOne(payment);
  await stage.mine(2);
  return scanOne(payment);
};
const headOf = async (): Promise<number> => Number(await stage.node.rpc('eth_blockNumber'));
const cursor = () => stage.world.db.selectFrom('coin_cursors').selectAll().executeTakeFirstOrThrow();

test('what is sent directly pays once it is deep, under the hash of its transaction', async () => {
  const payment = await stage.world.create();
  expect(stage.priceOf(payment)).toBe(33_333_340_000_000_000n);
  expect(payment.options.find(({ token }) => token === 'ETH')).toMatchObject({
    contract: null,
    paymentUri: `ethereum:${payment.options[0]?.address}@31337?value=33333340000000000`,
  });
  const hash = await stage.pay(payment, stage.priceOf(payment));
  const height = await headOf();
  expect((await scanOne(payment)).status).toBe('confirming');
  expect(await stage.creditsOf(payment)).toEqual([
    { tx: hash, units: stage.priceOf(payment), height, canonical: true, place: 1_000_000 },
  ]);
  await stage.mine(2);
  expect(await scanOne(payment)).toMatchObject({ status: 'paid', txHash: hash, seenE18: 100n * ONE_ETH });
  expect(await stage.world.events(payment)).toEqual(PAID);
  expect(await stage.world.balances()).toEqual({ available: 100n * MICRO });
});

test('what a contract sends is found, and so are its parts: in one transaction, in one block, in several blocks', async () => {
  const { faucet, node, addressOf, priceOf } = stage;
  const [one, two, three] = [await stage.world.create(), await stage.world.create(), await stage.world.create()];
  const through = await stage.pay(one, priceOf(one), 'contract');
  // Two parts to one payment and one to another, of a single transaction.
  const to = [two, three, two].map((payment) => ({ address: addressOf(payment), units: priceOf(payment) / 2n }));
  const { txHash: shared } = await faucet.transferCoin({ to, by: 'contract' });
  await stage.scan(one, two, three);
  // Two more in one block, directly and by the contract.
  await node.rpc('evm_setAutomine', [false]);
  const rest = priceOf(three) - priceOf(three) / 2n;
  const both = [
    faucet.transferCoin({ to: [{ address: addressOf(three), units: rest / 2n }], by: 'account' }),
    faucet.transferCoin({ to: [{ address: addressOf(three), units: rest - rest / 2n }], by: 'contract' }),
  ];
  while (Number(((await node.rpc('txpool_status')) as { pending: string }).pending) < 2);
  await node.rpc('evm_setAutomine', [true]);
  await stage.mine(1);
  const [direct, byContract] = (await Promise.all(both)).map(({ txHash }) => txHash);
  await stage.scan(one, two, three);
  await stage.mine(2);
  expect((await stage.scan(one, two, three)).map(({ status }) => status)).toEqual(['paid', 'paid', 'paid']);
  const parts = async (payment: Payment) =>
    (await stage.creditsOf(payment)).map(({ tx, units, place }) => [tx, units, place - 1_000_000]);
  expect(await parts(one)).toEqual([[through, priceOf(one), expect.any(Number)]]);
  expect(await parts(two)).toEqual([
    [shared, priceOf(two) / 2n, 1],
    [shared, priceOf(two) / 2n, 3],
  ]);
  const found = await parts(three);
  expect(found).toHaveLength(3);
  expect(found).toContainEqual([shared, priceOf(three) / 2n, 2]);
  expect(found).toContainEqual([direct, rest / 2n, 0]);
  expect(found).toContainEqual([byContract, rest - rest / 2n, 1]);
});

test('too little leaves the rest to be paid in another token, and both are judged together', async () => {
  const payment = await stage.world.create();
  await stage.pay(payment, stage.priceOf(payment) / 2n);
  expect(await settled(payment)).toMatchObject({ status: 'pending', seenE18: 50n * ONE_ETH });
  const [usdt] = stage.network.tokens;
  if (usdt) await stage.faucet.transfer({ token: usdt, to: stage.addressOf(payment), units: 50n * MICRO });
  expect((await settled(payment)).status).toBe('paid');
  expect(await stage.world.events(payment)).toEqual(['created', 'pending', 'confirming', 'completed']);
});

test('a reorg takes it away and brings it back, in the same block or another one, valued as it was', async () => {
  const payment = await stage.world.create();
  const hash = await stage.pay(payment, stage.priceOf(payment));
  const raw = await stage.node.rpc<string>('eth_getRawTransactionByHash', [hash]);
  expect((await scanOne(payment)).status).toBe('confirming');
  const worth = () =>
    stage.world.db
      .selectFrom('credits')
      .select(['value_e18', 'rate'])
      .where('payment_id', '=', payment.id)
      .where('canonical', '=', true)
      .execute();
  const before = await worth();
  await stage.node.rpc('anvil_reorg', [1, []]);
  expect(await scanOne(payment)).toMatchObject({ status: 'pending', seenE18: 0n });
  expect(await stage.world.events(payment)).toEqual(['created', 'confirming', 'reverted']);
  // The rate has moved meanwhile; what was valued once stays as it is.
  await stage.world.db
    .insertInto('payment_quotes')
    .values({
      ...{ payment_id: payment.id, symbol: 'ETH', number: 2, pair: 'ETH/USD', units: ONE_ETH, value_e8: 1n },
      ...{ spread_bps: 0, source: 'test', quoted_at: START, starts_at: new Date(0) },
    })
    .execute();
  await stage.node.rpc('anvil_reorg', [1, [[raw, 0]]]);
  expect((await settled(payment)).status).toBe('paid');
  const credits = await stage.creditsOf(payment);
  expect(credits.map(({ tx, canonical }) => [tx, canonical])).toEqual([
    [hash, false],
    [hash, true],
  ]);
  expect(await worth()).toEqual(before);
});

test('a block is read once, whoever looks; two processes at once and one that dies credit it once', async () => {
  const payment = await stage.world.create();
  await scanOne(payment);
  let [reads, dies] = [0, true];
  const real = createEvmReader(stage.network);
  const counting: ChainReader = {
    ...real,
    readCoins: async (addresses, block) => {
      reads += 1;
      return (await real.readCoins?.(addresses, block)) ?? [];
    },
    locateCoins: async (...asked) => {
      if (dies) {
        dies = false;
        throw new Error('killed');
      }
      return (await real.locateCoins?.(...asked)) ?? [];
    },
  };
  await stage.world.db.updateTable('chain_cursors').set({ locked_until: null, locked_by: null }).execute();
  const [first, second] = [stage.watch('two', counting), stage.watch('three')];
  await stage.pay(payment, stage.priceOf(payment));
  await expect(first.look()).rejects.toThrow('killed');
  // Both read before either stores.
  const at = { block: await real.getHead() };
  const deps = { db: stage.world.db, network: stage.network, matchers: [paymentMatcher], now: () => START };
  const [a, b] = [await readCoins(deps, real, at), await readCoins(deps, real, at)];
  expect([a?.arrivals.length, b?.arrivals.length]).toEqual([1, 1]);
  for (const reading of [a, b]) {
    if (!reading) continue;
    await stage.world.db
      .transaction()
      .execute((trx) =>
        paymentMatcher.coins!.observe(
          Object.assign(trx, { wake: () => undefined }) as never,
          stage.network,
          reading,
          START,
        ),
      );
  }
  expect(await stage.creditsOf(payment)).toHaveLength(1);
  reads = 0;
  for (let i = 0; i < 3; i += 1) await first.look();
  await first.release();
  for (let i = 0; i < 3; i += 1) await second.look();
  await second.release();
  // Stored by the two above, so nothing is left to read at this block.
  expect(reads).toBe(0);
  expect((await settled(payment)).status).toBe('paid');
  expect(await stage.creditsOf(payment)).toHaveLength(1);
});

test('a reading at a block that is reorged away is taken back with it', async () => {
  const payment = await stage.world.create();
  await scanOne(payment);
  const real = createEvmReader(stage.network);
  await stage.world.db.updateTable('chain_cursors').set({ locked_until: null, locked_by: null }).execute();
  const stolen = stage.watch('two', {
    ...real,
    locateCoins: async (...asked) => {
      const found = (await real.locateCoins?.(...asked)) ?? [];
      await stage.node.rpc('anvil_reorg', [1, []]);
      return found;
    },
  });
  await stage.pay(payment, stage.priceOf(payment));
  await stolen.look();
  await stolen.release();
  expect(await stage.creditsOf(payment)).toHaveLength(1);
  expect(await settled(payment)).toMatchObject({ status: 'initiated', seenE18: 0n });
  expect((await stage.creditsOf(payment)).map(({ canonical }) => canonical)).toEqual([false]);
  expect(Number((await cursor()).height)).toBe(await headOf());
});

test('while no block comes the database is asked once a lease what is to be read, and a new block is read at once', async () => {
  await stage.release();
  let asked = 0;
  const coins = paymentMatcher.coins as NonNullable<typeof paymentMatcher.coins>;
  const counting: typeof paymentMatcher = {
    ...paymentMatcher,
    coins: {
      ...coins,
      ask: (...of) => {
        asked += 1;
        return coins.ask(...of);
      },
    },
  };
  const watcher = stage.watch('quiet', createEvmReader(stage.network), { matchers: [counting] });
  while ((await watcher.look()) !== 'level');
  await watcher.look();
  asked = 0;
  const startMs = performance.now();
  for (let looks = 0; looks < 40; looks += 1) expect(await watcher.look()).toBe('level');
  // Once after each storing, which comes every second and a half.
  expect(asked).toBeLessThanOrEqual(2 + Math.ceil((performance.now() - startMs) / 1000));
  const payment = await stage.world.create();
  await stage.pay(payment, stage.priceOf(payment));
  while ((await watcher.look()) !== 'level');
  expect(await stage.creditsOf(payment)).toHaveLength(1);
  // A block in the place of another is another one.
  const snapshot = await stage.node.rpc('evm_snapshot', []);
  const taken = await stage.world.create();
  await stage.pay(taken, stage.priceOf(taken));
  while ((await watcher.look()) !== 'level');
  await stage.node.rpc('evm_revert', [snapshot]);
  await stage.pay(taken, stage.priceOf(taken) / 2n);
  while ((await watcher.look()) !== 'level');
  const kept = (await stage.creditsOf(taken)).filter(({ canonical }) => canonical);
  expect(kept.map(({ units }) => units)).toEqual([stage.priceOf(taken) / 2n]);
  await watcher.release();
});
