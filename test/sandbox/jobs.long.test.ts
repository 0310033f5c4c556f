import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { operatorOfKey } from '../../src/chains/evm/operator-account.ts';
import { operatorJobs } from '../../src/chains/operator/jobs.ts';
import { enqueue, prepareFees } from '../../src/chains/operator/operator.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { after, HOUR_MS, SECOND_MS } from '../../src/lib/clock.ts';
import { moveClock } from '../../src/sandbox/clock.ts';
import { sandboxJobs } from '../../src/sandbox/jobs.ts';
import { sandboxOperatorKey } from '../../src/sandbox/network.ts';
import { chainsOf } from '../support/chains.ts';
import { openWorld, type World } from './sandbox-fixture.ts';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

/** One tick of the mining job; returns the number of blocks mined. */
async function tick(): Promise<number> {
  const before = (await world.head()).height;
  const [job] = sandboxJobs(world.sandbox);
  await job!.run({ now: world.clock.now(), real: world.clock.real(), signal: new AbortController().signal });
  return (await world.head()).height - before;
}

const transfer = async (patient: boolean) => {
  const payment = await world.create();
  const token = world.network.tokens[0]!;
  const to = payment.options[0]!.address;
  await world.sandbox.faucet.transfer({ token, to, units: BigInt(payment.options[0]!.units), patient });
  return payment;
};

test('nothing is mined while nothing waits', async () => {
  await world.create();
  expect([await tick(), await tick()]).toEqual([0, 0]);
});

test('one block per tick is mined until a transfer is confirmed, and then no more', async () => {
  world.schedule();
  const payment = await transfer(false);
  await expect.poll(async () => (await world.find(payment)).status).toBe('confirming');
  expect(await tick()).toBe(1);
  expect(await tick()).toBe(0);
  await expect.poll(async () => (await world.find(payment)).status).toBe('paid');
  expect(await tick()).toBe(0);
});

test('no block is mined for a transfer that is deep enough but not yet processed', async () => {
  const payment = await transfer(false);
  const credits = world.db.selectFrom('credits').select('id').where('payment_id', '=', payment.id);
  await expect.poll(() => credits.execute()).toHaveLength(1);
  expect(await tick()).toBe(1);
  // Nothing applies credits here: by its row alone, the transfer stays unconfirmed forever.
  expect([await tick(), await tick()]).toEqual([0, 0]);
});

test('a patient transfer waits for blocks mined on request', async () => {
  world.schedule();
  const payment = await transfer(true);
  await expect.poll(async () => (await world.find(payment)).status).toBe('confirming');
  expect([await tick(), await tick()]).toEqual([0, 0]);
  await world.sandbox.chain.mine(1);
  await expect.poll(async () => (await world.find(payment)).status).toBe('paid');
});

test("an idle chain's time is moved past a deadline, once, so that the payment expires", async () => {
  world.schedule();
  const payment = await world.create({ expiresAt: after(world.clock.now(), HOUR_MS) });
  expect(await tick()).toBe(0);
  // As if only time had passed: the chain stands still.
  await moveClock(world.db, world.clock, after(payment.expiresAt, 1));
  await expect.poll(() => world.clock.now() > payment.expiresAt).toBe(true);
  expect(await tick()).toBe(1);
  expect((await world.head()).timestamp * SECOND_MS).toBeGreaterThan(payment.expiresAt.getTime());
  expect(await tick()).toBe(0);
  await expect.poll(async () => (await world.find(payment)).status).toBe('expired');
  expect(await tick()).toBe(0);
});

test('a finished payment waits for no block', async () => {
  const payment = await world.create({ expiresAt: after(world.clock.now(), HOUR_MS) });
  await sql`update payments set status = 'expired', reason = 'cancelled' where id = ${payment.id}`.execute(world.db);
  await moveClock(world.db, world.clock, after(payment.expiresAt, 1));
  await expect.poll(() => world.clock.now() > payment.expiresAt).toBe(true);
  expect(await tick()).toBe(0);
});

test('an operator transaction has its blocks mined, and a moved clock waits until it is mined', async () => {
  const { db, network, clock } = world;
  const operator = operatorOfKey(sandboxOperatorKey());
  const quote = await prepareFees({ db, chains: chainsOf(), operator }, network);
  if (quote.kind !== 'quoted') throw new Error('too expensive');
  const call = { network, to: network.treasury, data: '0x', gas: 30_000n, purpose: 'test', fees: quote.fees };
  await inTransaction(db, (trx) => enqueue(trx, { operator }, call, clock.now()));
  const [job] = operatorJobs({
    ...{ db, networks: [network], chains: chainsOf(), accounts: [operator], listeners: [] },
    ...{ worker: 'test', log: console.error },
  });
  expect(await job!.nextDue?.()).not.toBeNull();
  const statuses = async () =>
    (await db.selectFrom('operator_transactions').select('status').execute()).map(({ status }) => status);
  const run = () => job!.run({ now: clock.now(), real: clock.real(), signal: new AbortController().signal });
  await expect.poll(async () => run().then(statuses)).toEqual(['mined']);
  expect(await job!.nextDue?.()).toBeNull();
  expect(await tick()).toBe(1);
  expect(await tick()).toBe(0);
  await expect.poll(async () => run().then(statuses)).toEqual(['confirmed']);
});
