import { setTimeout as sleep } from 'node:timers/promises';
import { type Address, parseEther, zeroAddress } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEvmReader } from '../../src/chains/evm/rpc.ts';
import { rescan } from '../../src/chains/rescan.ts';
import { SURE_AFTER_MS } from '../../src/chains/second-look.ts';
import { after, HOUR_MS, MINUTE_MS } from '../../src/lib/clock.ts';
import { paymentMatcher } from '../../src/payments/observe.ts';
import { opinionJobs } from '../../src/payments/opinions.ts';
import { readArrived } from '../../src/payments/returns.ts';
import type { Payment } from '../../src/payments/types.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { planRefund } from '../../src/refunds/plan.ts';
import { type Comparison, compareWithChain } from '../../src/treasury/compare.ts';
import { sweepCall } from '../chains/deposit-fixture.ts';
import { type EtherStage, openEtherStage } from '../chains/ether-fixture.ts';
import { chainsOf } from '../support/chains.ts';
import { send, walletOf } from '../support/evm.ts';

/** ETH that comes to addresses where nobody looks for it: the nightly comparison has it read. */
const TENTH = parseEther('0.1');
/** A tenth of 3000 dollars, less what rounding the rate of 25 dollars takes. */
const WORTH = 299_999_940n;

let stage: EtherStage;
beforeAll(async () => {
  stage = await openEtherStage();
});
afterAll(() => stage.close());

const compare = async (): Promise<Comparison> => {
  const compared = await compareWithChain({ db: stage.world.db, chains: chainsOf(stage.network) }, stage.network, {
    ...{ now: stage.clock.now, all: true },
  });
  return compared!;
};
const etherOf = ({ figures }: Comparison) => figures.find(({ token }) => token === 'ETH');
const requests = () => stage.world.db.selectFrom('coin_requests').select('payment_id').execute();

/** Lets the addresses be read that are read every ten minutes, and applies what was found. */
async function read(payment: Payment): Promise<Payment> {
  await stage.mine(1, after(stage.clock.now, 11 * MINUTE_MS));
  await stage.scan();
  await stage.mine(3);
  await stage.scan(payment);
  const [read] = await stage.scan(payment);
  return read!;
}

const expectSound = async (): Promise<void> => {
  expect((await reconcile(stage.world.db)).findings).toEqual([]);
  expect(await requests()).toEqual([]);
};

test('ETH that a payment never asked for is credited by the market after the nightly comparison, and waits', async () => {
  const payment = await stage.world.create({ acceptedTokens: ['USDT'] }, stage.clock.now);
  await stage.pay(payment, TENTH);
  expect(await read(payment)).toMatchObject({ exception: null, creditCount: 0 });
  const before = await compare();
  expect([before.differences, etherOf(before)?.astray]).toEqual([[], TENTH]);
  expect(await requests()).toEqual([{ payment_id: payment.id }]);

  expect(await read(payment)).toMatchObject({ exception: 'wrong_token', booked: { suspense: WORTH, available: 0n } });
  const compared = await compare();
  expect([compared.differences, etherOf(compared)?.astray, etherOf(compared)?.unswept]).toEqual([[], 0n, TENTH]);
  await expectSound();
  const waiting = await read(payment);
  expect(waiting).toMatchObject({ booked: { suspense: WORTH } });

  // A refund gives all of it back as what it is.
  const kept = { counted: 0n, wrong: WORTH, countedDeep: 0n, wrongDeep: WORTH };
  const facts = {
    payment: waiting,
    kept,
    arrived: await readArrived(stage.world.db, payment.id),
    refunds: [],
    rates: new Map(),
    now: stage.clock.now,
    leastOf: () => 1n,
  };
  expect(planRefund(facts, { amount: 'all', token: null, network: null })).toMatchObject({
    ...{ token: 'ETH', network: stage.network.name, units: TENTH, fromSuspense: WORTH, fromAvailable: 0n },
  });
});

test('ETH that comes to an address long closed is named by the comparison, and credited next', async () => {
  const payment = await stage.world.create({}, stage.clock.now);
  await stage.mine(1, after(stage.clock.now, 27 * HOUR_MS));
  await stage.scan();
  expect((await stage.world.apply(payment, { kind: 'clock' }, stage.clock.now)).status).toBe('expired');
  await read(payment);
  await stage.pay(payment, TENTH, 'contract');
  expect(await read(payment)).toMatchObject({ creditCount: 0 });
  expect((await compare()).differences).toMatchObject([{ rule: 'chain.deposit', subject: stage.addressOf(payment) }]);

  const found = await read(payment);
  expect(found).toMatchObject({ status: 'expired', booked: { suspense: WORTH, available: 0n } });
  expect(found.exception).not.toBeNull();
  expect((await compare()).differences).toEqual([]);
  await expectSound();
});

test('what was swept without a credit may have been given back by hand, so no comparison credits it', async () => {
  const payment = await stage.world.create({ acceptedTokens: ['USDT'] }, stage.clock.now);
  await stage.pay(payment, TENTH);
  await read(payment);
  const data = sweepCall([payment.id], zeroAddress);
  await send(walletOf(stage.node), { to: stage.network.factory as Address, data });
  // A swept address is a contract, which contracts can pay.
  await stage.pay(payment, 7n, 'contract');
  await read(payment);
  expect(etherOf(await compare())?.astray).toBe(7n);
  expect(await requests()).toEqual([]);
  expect(await read(payment)).toMatchObject({ creditCount: 0 });
});

test('nor does a rescan of blocks that were read before the network took ETH', async () => {
  const payment = await stage.world.create({ acceptedTokens: ['USDT'] }, stage.clock.now);
  await stage.release();
  const { native: _, ...before } = stage.network;
  const watcher = stage.watch('before', createEvmReader(before), { network: before });
  await stage.pay(payment, TENTH);
  // As `npx kasi sweep <network> native <payment>` does, before the payer is given it back.
  const data = sweepCall([payment.id], zeroAddress);
  await send(walletOf(stage.node), { to: stage.network.factory as Address, data });
  const height = Number(await stage.node.rpc('eth_blockNumber'));
  await stage.mine(3);
  while ((await watcher.look()) !== 'level');
  await watcher.release();
  await read(payment);
  const deps = { db: stage.world.db, network: stage.network, reader: createEvmReader(stage.network) };
  const told = { matchers: [paymentMatcher], now: () => stage.clock.now, tell: () => undefined };
  await rescan({ ...deps, ...told }, { from: height, to: height });
  expect(await requests()).toEqual([]);
  expect(await read(payment)).toMatchObject({ creditCount: 0, exception: null });
});

test('without any price it waits, and is never booked as nothing', async () => {
  const payment = await stage.world.create({ acceptedTokens: ['USDT'] }, stage.clock.now);
  const { coinRate, lastCoinRate } = stage.world.deps.rates;
  Object.assign(stage.world.deps.rates, { coinRate: async () => null, lastCoinRate: async () => null });
  try {
    await stage.pay(payment, TENTH);
    await read(payment);
    await compare();
    await expect(read(payment)).rejects.toThrow('No source says what ETH is worth');
  } finally {
    Object.assign(stage.world.deps.rates, { coinRate, lastCoinRate });
  }
  expect(await read(payment)).toMatchObject({ booked: { suspense: WORTH } });
  await expectSound();
});

test('ETH that comes after an address was swept stays credited when its block is final', async () => {
  const payment = await stage.world.create({}, stage.clock.now);
  await stage.scan();
  await stage.pay(payment, stage.priceOf(payment));
  await stage.scan(payment);
  await stage.mine(3);
  await stage.scan(payment);
  expect((await stage.scan(payment))[0]).toMatchObject({ status: 'paid' });
  await review();
  await stage.mine(1, after(stage.clock.now, 27 * HOUR_MS));
  await read(payment);
  const data = sweepCall([payment.id], zeroAddress);
  await send(walletOf(stage.node), { to: stage.network.factory as Address, data });
  await read(payment);
  // Its payer pays again, into what is a contract by now, where no coin is looked for any more.
  await stage.pay(payment, TENTH, 'contract');
  await read(payment);
  await compare();
  const found = await read(payment);
  expect(found).toMatchObject({ creditCount: 2, booked: { suspense: WORTH } });
  await review();
  const [last] = await stage.scan(payment);
  expect(await stage.creditsOf(payment)).toMatchObject([{ canonical: true }, { canonical: true }]);
  expect(last).toMatchObject({ creditCount: 2, booked: { suspense: WORTH } });
});

/** Looks at what was counted again, now that its block is final: twice, as money is taken back only then. */
async function review(): Promise<void> {
  await stage.mine(100);
  await stage.scan();
  const jobs = opinionJobs({
    ...{ db: stage.world.db, networks: [stage.network], chains: chainsOf(stage.network) },
    log: (error) => {
      throw error;
    },
  });
  for (let nth = 0; nth < 2; nth += 1) {
    for (const job of jobs)
      await job.run({ now: stage.clock.now, real: new Date(), signal: new AbortController().signal });
    await sleep(SURE_AFTER_MS + 50);
  }
}
