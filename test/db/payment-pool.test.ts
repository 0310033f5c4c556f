import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { paymentMatcher } from '../../src/payments/observe.ts';
import type { Payment } from '../../src/payments/types.ts';
import type { PoolSight, Transfer } from '../../src/ports/chain.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { connectOwner } from '../support/database.ts';
import { createPaymentWorld, type PaymentWorld, START, TEST_NETWORK } from '../support/payments.ts';

/** A chain with a pool; what its transfers are worth does not matter here, so they are of a token. */
const LIVE = { ...TEST_NETWORK, onDemand: false };
const [USDT] = TEST_NETWORK.tokens;
const minutes = (count: number): Date => new Date(START.getTime() + count * 60_000);

let world: PaymentWorld;
beforeAll(async () => {
  world = await createPaymentWorld();
});
beforeEach(() => world.head(9, START));
afterAll(async () => {
  // A reorg touches the payments of the tests before it, too.
  for (const { id } of await world.db.selectFrom('payments').select('id').execute()) await world.apply({ id });
  expect((await reconcile(world.db)).findings).toEqual([]);
  await world.close();
});

type Sent = {
  readonly txHash: string;
  readonly to: readonly (readonly [Payment, bigint])[];
  readonly spends: string[];
};
let sent = 0;

/** A transaction that pays these dollars; one that spends what another does replaces it. */
const pay = (to: readonly (readonly [Payment, number])[], spends?: readonly string[]): Sent => {
  sent += 1;
  const units = to.map(([payment, dollars]) => [payment, BigInt(Math.round(dollars * 1e6))] as const);
  return { txHash: `tx${sent}`, to: units, spends: [...(spends ?? [`coin${sent}:0`])] };
};

const outputs = ({ txHash, to }: Sent): Omit<Transfer, 'block'>[] =>
  to.map(([payment, units], index) => {
    const address = payment.options[0]?.address.toLowerCase() ?? '';
    return { network: LIVE.name, txHash, index, token: USDT!, from: '', to: address, units };
  });

/** A look at the pool: what came, and what it lacks by now. */
const look = (arrived: readonly Sent[], gone: PoolSight['gone'] = [], now = START): Promise<void> => {
  const seen = arrived.map((each) => ({ txHash: each.txHash, spends: each.spends, transfers: outputs(each) }));
  return inTransaction(world.db, async (trx) => paymentMatcher.observePool?.(trx, LIVE, { arrived: seen, gone }, now));
};

const mine = (height: number, mined: readonly Sent[], now = START, hash = `b${height}`): Promise<void> => {
  const block = { network: LIVE.name, height, hash, parentHash: '', time: now };
  const sightings = {
    transfers: mined.flatMap(outputs).map((transfer) => ({ ...transfer, block })),
    spends: new Map(mined.map((each) => [each.txHash, () => each.spends])),
    ...{ collector: [], approvals: [] },
  };
  return inTransaction(world.db, (trx) => paymentMatcher.observe(trx, LIVE, sightings, now));
};

const gone = ({ txHash }: Sent, by: string | null = null) => ({ txHash, by });

/** Applies what is stored, and says what it came to. */
async function settle(payment: Payment, now = START): Promise<string> {
  const { status, exception, seenE18 } = await world.apply(payment, null, now);
  return [status, exception, `$${Number(seenE18 / 10n ** 12n) / 1e6}`].filter(Boolean).join(' ');
}

const rowsOf = (payment: Payment) =>
  world.db.selectFrom('credits').selectAll().where('payment_id', '=', payment.id).orderBy('id').execute();

test('what waits is seen and never confirmed; its block confirms it, and it stays the same credit', async () => {
  const payment = await world.create();
  const transfer = pay([[payment, 100]]);
  await look([transfer]);
  await look([transfer]); // By another process.
  expect(await paymentMatcher.listPooled?.(world.db, LIVE.name)).toEqual([
    { txHash: transfer.txHash, spends: transfer.spends },
  ]);
  await world.head(1_000_000);
  expect(await settle(payment)).toBe('confirming $100');
  await world.head(9);
  const [waiting, ...others] = await rowsOf(payment);
  expect([waiting?.block_hash, others.length]).toEqual(['pool', 0]);

  await mine(10, [transfer], minutes(9));
  await mine(10, [transfer], minutes(9));
  await look([transfer], [], minutes(9)); // By a node whose pool lags.
  expect(await settle(payment)).toBe('confirming $100');
  await world.head(11);
  expect(await settle(payment)).toBe('paid $100');
  expect(await rowsOf(payment)).toMatchObject([
    { id: waiting?.id, block_hash: 'b10', block_number: 10n, block_time: minutes(9), arrived_at: START },
  ]);
  expect(await world.events(payment)).toEqual(['created', 'confirming', 'completed']);
});

test('one transaction pays two payments, and one of them twice; nothing is asked of an empty output', async () => {
  const [twice, once] = [await world.create(), await world.create()];
  const transfer = pay([
    [twice, 60],
    [twice, 40],
    [once, 100],
    [once, 0],
  ]);
  await look([transfer]);
  expect([await settle(twice), await settle(once)]).toEqual(['confirming $100', 'confirming $100']);
  await mine(10, [transfer]);
  await world.head(11);
  expect([await settle(twice), await settle(once)]).toEqual(['paid $100', 'paid $100']);
  expect((await rowsOf(twice)).length + (await rowsOf(once)).length).toBe(3);
});

test('thousands of outputs of one transaction are stored at once', async () => {
  const payment = await world.create();
  const transfer = pay(Array.from({ length: 4_500 }, () => [payment, 0.01] as const));
  await look([transfer]);
  await mine(10, [transfer]);
  expect(await rowsOf(payment)).toHaveLength(4_500);
  expect((await rowsOf(payment)).filter(({ spends }) => spends?.length !== 0)).toHaveLength(1);
  expect(await settle(payment)).toBe('pending $1');
  expect(await settle(payment)).toBe('pending $2');
});

describe('a transaction that is replaced', () => {
  test('by one to the same payment keeps the moment, and the payment goes on as if nothing had been', async () => {
    const payment = await world.create();
    const [first, dearer] = [pay([[payment, 100]], ['a:0', 'a:1']), pay([[payment, 100]], ['a:1'])];
    await look([first]);
    expect(await settle(payment)).toBe('confirming $100');
    await look([dearer], [gone(first, dearer.txHash)], minutes(20));
    expect(await settle(payment, minutes(20))).toBe('confirming $100');
    const rows = await rowsOf(payment);
    expect(rows).toMatchObject([
      { canonical: false, gone_because: 'replaced', replaced_by: dearer.txHash },
      { canonical: true, arrived_at: START },
    ]);
    await mine(10, [dearer], minutes(30));
    await world.head(11);
    expect(await settle(payment, minutes(30))).toBe('paid $100');
    expect(await world.events(payment)).toEqual(['created', 'confirming', 'completed']);
  });

  test('keeps its moment also where a look fell in between, or the other one is seen in a block only', async () => {
    const [between, mined] = [await world.create(), await world.create()];
    const [first, second] = [pay([[between, 100]], ['c:0']), pay([[between, 100]], ['c:0'])];
    const [third, fourth] = [pay([[mined, 100]], ['d:0']), pay([[mined, 100]], ['d:0'])];
    await look([first, third]);
    await look([], [gone(first, 'unknown')], minutes(5));
    await look([second], [], minutes(6));
    await mine(10, [fourth], minutes(7));
    expect([await settle(between), await settle(mined)]).toEqual(['confirming $100', 'confirming $100']);
    const rows = [...(await rowsOf(between)), ...(await rowsOf(mined))].filter(({ canonical }) => canonical);
    expect(rows.map((row) => [row.tx_hash, row.arrived_at])).toEqual([
      [second.txHash, START],
      [fourth.txHash, START],
    ]);
  });

  test('by one that pays more, or long after it was gone, is a new transfer', async () => {
    const [more, later] = [await world.create(), await world.create()];
    const [dust, full] = [pay([[more, 0.01]], ['e:0']), pay([[more, 100]], ['e:0'])];
    const [first, second] = [pay([[later, 100]], ['f:0']), pay([[later, 100]], ['f:0'])];
    await look([dust, first]);
    await look([full], [gone(dust, full.txHash), gone(first, 'elsewhere')], minutes(20));
    await look([second], [], minutes(25));
    const rows = [...(await rowsOf(more)), ...(await rowsOf(later))].filter(({ canonical }) => canonical);
    expect(rows.map((row) => [row.tx_hash, row.arrived_at])).toEqual([
      [full.txHash, minutes(20)],
      [second.txHash, minutes(25)],
    ]);
  });

  test('by one to another address reverts the payment, which waits for at least an hour', async () => {
    const payment = await world.create();
    const transfer = pay([[payment, 100]]);
    await look([transfer]);
    await settle(payment);
    await look([], [gone(transfer, 'elsewhere')], minutes(25));
    const reverted = await world.apply(payment, null, minutes(25));
    expect([reverted.status, reverted.expiresAt >= minutes(85)]).toEqual(['pending', true]);
    expect(await world.events(payment)).toEqual(['created', 'confirming', 'reverted']);
    expect(await world.apply(payment, { kind: 'clock' }, minutes(26))).toMatchObject({ seenE18: 0n, creditCount: 0 });
  });

  test('a thousand times is heard of twenty times, and paid all the same when one of them is mined', async () => {
    const payment = await world.create();
    let last = pay([[payment, 100]], ['g:0']);
    for (let round = 0; round < 30; round += 1) {
      const to = round % 2 === 0 ? [] : [[payment, 100] as const];
      const next = pay(to, ['g:0']);
      await look([last], [], minutes(round));
      await settle(payment, minutes(round));
      await look([next], [gone(last, next.txHash)], minutes(round));
      await settle(payment, minutes(round));
      last = pay([[payment, 100]], ['g:0']);
    }
    const events = await world.events(payment);
    expect((await rowsOf(payment)).length).toBeLessThanOrEqual(22);
    expect(events.length).toBeLessThanOrEqual(42);
    await mine(10, [last], minutes(31));
    await world.head(11);
    expect(await settle(payment, minutes(31))).toBe('paid $100');
  });
});

describe('a transaction that no node shows any more', () => {
  test('is waited for: it may be back, or be mined all the same', async () => {
    const [back, dropped] = [await world.create(), await world.create()];
    const [first, second] = [pay([[back, 100]]), pay([[dropped, 100]])];
    await look([first, second]);
    await look([], [gone(first), gone(second)], minutes(1));
    await look([], [gone(second)], minutes(9));
    await look([], [gone(first), gone(second)], minutes(10));
    expect([await settle(back), await settle(dropped)]).toEqual(['confirming $100', 'confirming $100']);
    await look([], [gone(second)], minutes(11));
    expect([await settle(back), await settle(dropped)]).toEqual(['confirming $100', 'pending $0']);
    expect(await rowsOf(dropped)).toMatchObject([{ canonical: false, gone_because: 'dropped', replaced_by: null }]);

    await mine(10, [first, second], minutes(40));
    await world.head(11);
    expect([await settle(back), await settle(dropped)]).toEqual(['paid $100', 'paid $100']);
    expect(await rowsOf(back)).toMatchObject([{ arrived_at: START, gone_because: null }]);
    // Nobody saw it meanwhile, so it arrived when it came back, and keeps what it was worth.
    expect(await rowsOf(dropped)).toMatchObject([{ arrived_at: minutes(40), gone_because: null, missing_since: null }]);
    expect(await world.events(dropped)).toEqual(['created', 'confirming', 'reverted', 'confirming', 'completed']);
  });

  test('and is shown again waits again', async () => {
    const payment = await world.create();
    const transfer = pay([[payment, 100]]);
    await look([transfer]);
    await look([], [gone(transfer, 'elsewhere')], minutes(1));
    await settle(payment);
    await look([transfer], [], minutes(2));
    expect(await settle(payment)).toBe('confirming $100');
    expect(await rowsOf(payment)).toMatchObject([{ canonical: true, block_hash: 'pool', arrived_at: START }]);
  });
});

describe('a reorg', () => {
  test('puts transfers back to where they wait: available money is blocked, and released by the next block', async () => {
    const payment = await world.create();
    const before = await world.balances();
    const transfer = pay([[payment, 100]]);
    await mine(10, [transfer]);
    await world.head(11);
    expect(await settle(payment)).toBe('paid $100');
    const available = (await world.balances())['available'] ?? 0n;

    await world.orphan(9);
    await world.head(9);
    expect((await reconcile(world.db)).findings, 'for a second it is not applied yet').toEqual([]);
    expect(await settle(payment)).toBe('paid $100');
    const blocked = await world.balances();
    expect((blocked['suspense'] ?? 0n) - (before['suspense'] ?? 0n)).toBe(100_000_000n);
    expect(await rowsOf(payment)).toMatchObject([{ canonical: true, block_hash: 'pool', inclusion: 1 }]);

    await mine(10, [transfer], START, 'other10');
    await world.head(11);
    expect(await settle(payment)).toBe('paid $100');
    expect((await world.balances())['available']).toBe(available);
    expect(await world.events(payment)).toEqual(['created', 'confirming', 'completed', 'reversed', 'restored']);
  });

  test('after which a transfer is gone reverses it; what a miner made for itself is gone at once', async () => {
    const [payment, mined] = [await world.create(), await world.create()];
    const [transfer, made] = [pay([[payment, 100]]), pay([[mined, 100]], [])];
    await mine(10, [transfer, made]);
    expect([await settle(payment), await settle(mined)]).toEqual(['confirming $100', 'confirming $100']);
    await world.head(11);
    expect([await settle(payment), await settle(mined)]).toEqual(['paid $100', 'confirming $100']);
    await world.orphan(9);
    await world.head(9);
    await look([], [gone(transfer, 'elsewhere')]);
    expect([await settle(payment), await settle(mined)]).toEqual(['paid $0', 'pending $0']);
    expect(await world.events(payment)).toEqual(['created', 'confirming', 'completed', 'reversed']);
  });
});

test('what a miner made for itself counts from its hundredth confirmation on', async () => {
  const payment = await world.create();
  await mine(20, [pay([[payment, 100]], [`${'0'.repeat(64)}:4294967295`])]);
  await world.head(118);
  expect(await settle(payment)).toBe('confirming $100');
  await world.head(119);
  expect(await settle(payment)).toBe('paid $100');
});

test('what is gone while it is being applied is reversed all the same', async () => {
  const payment = await world.create();
  const transfer = pay([[payment, 100]]);
  await look([transfer]);
  const owner = await connectOwner(world.database);
  try {
    await owner.query('begin');
    await owner.query('select from ledger_accounts where owner_id = $1 for update', [world.merchantId]);
    const applying = settle(payment);
    const waits = async (): Promise<number> => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(world.db);
      return rows.length;
    };
    await expect.poll(waits).toBe(1);
    const taking = look([], [gone(transfer, 'elsewhere')]);
    await Promise.race([taking, expect.poll(waits).toBe(2)]);
    await owner.query('rollback');
    await Promise.all([applying, taking]);
  } finally {
    await owner.end();
  }
  expect((await settle(payment)).endsWith('$0')).toBe(true);
  expect(await rowsOf(payment)).toMatchObject([{ canonical: false, booked_micro: null }]);
});

test('of two transactions that spend the same, as pools of several nodes may show, one counts', async () => {
  const payment = await world.create();
  const [one, other] = [pay([[payment, 50]], ['both:0']), pay([[payment, 50]], ['both:0'])];
  await look([one, other]);
  expect(await settle(payment)).toBe('pending $50');
});
