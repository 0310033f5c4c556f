import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listen } from '../../scripts/bench/explain.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { SECOND_MS } from '../../src/lib/clock.ts';
import type { Db } from '../../src/lib/db-types.ts';
import type { PaymentListener } from '../../src/payments/announce.ts';
import { listDuePayments } from '../../src/payments/due.ts';
import { isFirstSight, listFirstSights } from '../../src/payments/first-sight.ts';
import { paymentJobs } from '../../src/payments/jobs.ts';
import { paymentMatcher } from '../../src/payments/observe.ts';
import { countNotFinal } from '../../src/payments/queries.ts';
import { applyInput } from '../../src/payments/service.ts';
import type { Payment } from '../../src/payments/types.ts';
import { buffersOf } from '../support/buffers.ts';
import { connectOwner } from '../support/database.ts';
import { createPaymentWorld, type PaymentWorld, START } from '../support/payments.ts';

const USDT = 1_000_000n;
const HEAD = 100;
const later = (hours: number): Date => new Date(START.getTime() + hours * 3_600_000);

let world: PaymentWorld;
let owner: pg.Client;
beforeAll(async () => {
  world = await createPaymentWorld();
  owner = await connectOwner(world.database);
});
beforeEach(() => world.head(HEAD, START));
afterAll(async () => {
  await owner.end();
  await world.close();
});

const logged: string[] = [];
async function run(name: 'payments.apply' | 'payments.expire', now = START): Promise<void> {
  const log = (_error: unknown, message: string): void => void logged.push(message);
  const job = paymentJobs({ ...world.deps, db: world.db, log }).find((each) => each.name === name);
  await job?.run({ now, real: now, signal: new AbortController().signal });
}

const statusOf = async ({ id }: Payment): Promise<string> =>
  (await world.db.selectFrom('payments').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status;

const openIncidents = async ({ id }: Payment): Promise<string[]> => {
  const rows = await world.db
    .selectFrom('incidents')
    .select('kind')
    .where('subject', '=', id)
    .where('resolved_at', 'is', null)
    .execute();
  return rows.map(({ kind }) => kind);
};

/** Runs `work` while another transaction has locked these rows. */
async function whileLocked<T>(rows: string, values: unknown[], work: () => Promise<T>): Promise<T> {
  await owner.query('begin');
  try {
    await owner.query(`select 1 from ${rows} for update`, values);
    return await work();
  } finally {
    await owner.query('rollback');
  }
}

const isWaiting = () =>
  expect
    .poll(async () => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(world.db);
      return rows.length;
    })
    .toBeGreaterThan(0);

/** More than any ledger can hold; only a token that anyone can mint shows such a transfer. */
const ABSURD = 2n ** 256n - 1n;

describe('a payment that cannot be moved', () => {
  test('is parked with an incident, and blocks neither the queue behind it nor the expiry of others', async () => {
    const [stuck, paid, left] = [await world.create(), await world.create(), await world.create()];
    await world.arrive(stuck, ABSURD, { height: 10, tx: '0xabsurd' });
    await world.arrive(paid, 100n * USDT, { height: 11, tx: '0xgood' });
    await run('payments.apply');
    expect([await statusOf(stuck), await statusOf(paid)]).toEqual(['initiated', 'paid']);
    await world.head(HEAD, later(2));
    await run('payments.expire', later(2));
    expect([await statusOf(stuck), await statusOf(left)]).toEqual(['initiated', 'expired']);
    expect(await openIncidents(stuck)).toEqual(['payment.parked']);
    await owner.query('delete from credits where payment_id = $1', [stuck.id]);
    await run('payments.expire', later(2));
    expect(await statusOf(stuck)).toBe('expired');
  });

  test('is unparked when the cause is gone: counted, confirmed, and its incident resolved', async () => {
    const payment = await world.create();
    await world.head(20);
    await world.arrive(payment, 100n * USDT, { height: 20, tx: '0xparked' });
    const failing = { ...world.deps, listeners: [() => Promise.reject(new Error('a fault of ours'))] };
    const [apply] = paymentJobs({ ...failing, db: world.db, log: () => {} });
    await apply?.run({ now: START, real: START, signal: new AbortController().signal });
    await run('payments.apply');
    expect([await statusOf(payment), await openIncidents(payment)]).toEqual(['initiated', ['payment.parked']]);
    expect((await world.apply(payment, { kind: 'clock' })).status).toBe('confirming');
    expect(await openIncidents(payment)).toEqual([]);
    await world.head(21);
    await run('payments.apply');
    expect(await statusOf(payment)).toBe('paid');
  });

  test('is unparked while it confirms, too, with its incident resolved', async () => {
    const payment = await world.create();
    await world.head(20);
    await world.arrive(payment, 100n * USDT, { height: 20, tx: '0xdeep' });
    await run('payments.apply');
    expect(await statusOf(payment)).toBe('confirming');
    await world.head(21);
    const failing = { ...world.deps, listeners: [() => Promise.reject(new Error('a fault of ours'))] };
    const [apply] = paymentJobs({ ...failing, db: world.db, log: () => {} });
    await apply?.run({ now: START, real: START, signal: new AbortController().signal });
    await run('payments.apply');
    expect([await statusOf(payment), await openIncidents(payment)]).toEqual(['confirming', ['payment.parked']]);
    await world.apply(payment, { kind: 'clock' });
    expect([await statusOf(payment), await openIncidents(payment)]).toEqual(['paid', []]);
  });

  test('because its row is locked waits for another run; others do not', async () => {
    const [held, other] = [await world.create(), await world.create()];
    await world.arrive(held, 100n * USDT, { height: 30, tx: '0xheld' });
    await world.arrive(other, 100n * USDT, { height: 31, tx: '0xfree' });
    await whileLocked('payments where id = $1', [held.id], () => run('payments.apply'));
    expect([await statusOf(held), await statusOf(other)]).toEqual(['initiated', 'paid']);
    expect(await openIncidents(held)).toEqual([]);
    await run('payments.apply');
    expect(await statusOf(held)).toBe('paid');
  });
});

describe('thousands of tiny transfers to one payment', () => {
  const DUST = 250;
  const dust = ({ id }: Payment, count = DUST) =>
    sql`
      insert into credits (id, payment_id, network, tx_hash, transfer_index, block_hash, block_number, block_time,
        token, contract, sender, recipient, amount_units, decimals, value_e18, seen_at)
      select 'crd_' || ${id} || n, ${id}, 'devnet', '0xdust' || ${id}, n, '0xb40', 40, ${START},
        'USDT', '0x', '0x', '0x', 1, 6, 1000000000000, ${START} from generate_series(1, ${count}::integer) n`.execute(
      world.db,
    );

  test('are applied in batches of 100, and other payments get their turn in between', async () => {
    const [flooded, other] = [await world.create(), await world.create()];
    await dust(flooded);
    await world.arrive(other, 100n * USDT, { height: 41, tx: '0xbehind' });
    await run('payments.apply');
    expect(await statusOf(other)).toBe('paid');
    const turns = [(await world.apply(flooded)).creditCount, (await world.apply(flooded)).creditCount];
    expect(turns).toEqual([200, DUST]);
    expect(await world.apply(flooded)).toMatchObject({ status: 'pending', booked: { suspense: BigInt(DUST) } });
  });

  /** Lets nothing wait that other tests have left. */
  const clear = () =>
    owner.query('update credits set applied_at = now(), confirmed_at = now(), booked_micro = 0, counted = true');

  test('are passed over in one step by what looks for payments', async () => {
    const costs: number[] = [];
    for (const count of [300, 3000]) {
      const payment = await world.create();
      await dust(payment, count);
      await owner.query('analyze credits');
      const from = { after: '', limit: 500 };
      const list = async (db: Db) => {
        expect((await listFirstSights(db, '', 500)).refs).toEqual([]);
        expect((await listDuePayments(db, from, { condition: sql`true`, except: isFirstSight })).refs).toContainEqual({
          id: payment.id,
        });
      };
      costs.push(await buffersOf(world.database, list));
    }
    const [few = 0, many = 0] = costs;
    expect(many).toBeLessThan(few * 2 + 100);
  });

  test('that take long delay neither those who are taken in together nor those with few of them', async () => {
    await clear();
    const [one, two, few, plain] = await Promise.all([1, 2, 3, 4].map(() => world.create()));
    const [first, second] = [one!.id, two!.id].toSorted();
    for (const flooded of [one!, two!]) await dust(flooded);
    const moved: string[] = [];
    const arrivals: Record<string, () => Promise<void>> = {
      [first!]: async () => {
        await world.arriveTogether(few!, [USDT, USDT], { height: 42, tx: '0xfew' });
        await world.arrive(plain!, 100n * USDT, { height: 43, tx: '0xplain' });
      },
    };
    const listener: PaymentListener = async (_trx, moves) => {
      for (const { payment } of moves) {
        moved.push(payment.id);
        await arrivals[payment.id]?.();
      }
      await setTimeout(SECOND_MS + 100);
    };
    const clock = { now: () => later(0.5) };
    const [apply] = paymentJobs({ ...world.deps, clock, listeners: [listener], db: world.db, log: () => {} });
    const run = () => apply?.run({ now: START, real: START, signal: new AbortController().signal });
    await run();
    expect(moved).toEqual([first, plain!.id, few!.id, second]);
    // What comes while it runs is moved at its own time.
    const { rows } = await owner.query('select paid_at from payments where id = $1', [plain!.id]);
    expect(rows).toEqual([{ paid_at: later(0.5) }]);
  });

  test('do not keep a run from its end when payments are made meanwhile', async () => {
    await clear();
    const flooded = await world.create();
    await dust(flooded);
    const [now, soon] = [later(1), later(2)];
    const made: Payment[] = [];
    const listener: PaymentListener = async () => {
      const next = await world.create({}, soon);
      made.push(next);
      await world.arriveTogether(next, [USDT, USDT], { height: 44, tx: `0xmade${made.length}` });
      if (made.length > 5) throw new Error('it does not end');
    };
    const deps = { ...world.deps, clock: { now: () => now }, listeners: [listener], db: world.db, log: () => {} };
    await paymentJobs(deps)[0]?.run({ now, real: now, signal: new AbortController().signal });
    expect(made).toHaveLength(1);
  });

  test('are taken back by a reorg in pieces, for a statement has its time', async () => {
    const payment = await world.create();
    await dust(payment, 12_000);
    const { statementsOf, end } = listen(world.database.url);
    const heard = await statementsOf((db) =>
      inTransaction(db, (trx) => paymentMatcher.orphan(trx, 'devnet', 39, START)),
    );
    await end();
    expect(
      heard.filter(({ sql: text }) => text.includes('update credits set canonical = false')).length,
    ).toBeGreaterThan(1);
    const { rows } = await owner.query(
      'select canonical, count(*)::integer from credits where payment_id = $1 group by 1',
      [payment.id],
    );
    expect(rows).toEqual([{ canonical: false, count: 12_000 }]);
  });

  test('block the clock and every decision until all of them are counted', async () => {
    const payment = await world.create();
    await dust(payment);
    await world.head(HEAD, later(2));
    await expect(world.apply(payment, { kind: 'cancel' })).rejects.toMatchObject({ code: 'CONFLICT' });
    const seen = [];
    for (let i = 0; i < 3; i += 1) seen.push((await world.apply(payment, { kind: 'clock' }, later(2))).status);
    expect(seen).toEqual(['pending', 'pending', 'expired']);
  });
});

describe('locks', () => {
  test('moving a payment does not block the watcher from storing its next transfer', async () => {
    const payment = await world.create();
    await inTransaction(world.db, async (trx) => {
      await applyInput(
        trx,
        world.deps,
        { id: payment.id },
        { kind: 'select', token: 'USDT', network: 'devnet' },
        START,
      );
      await world.arrive(payment, 100n * USDT, { height: 50, tx: '0xmeanwhile' });
    });
    expect((await world.apply(payment)).status).toBe('paid');
  });

  test('a transfer stored while a payment is being moved keeps it from expiring', async () => {
    const payment = await world.create();
    await world.head(59);
    await world.arrive(payment, 40n * USDT, { height: 60, tx: '0xhalf' });
    const accounts = 'ledger_accounts where owner_id = $1';
    const moved = await whileLocked(accounts, [world.merchantId], async () => {
      const moving = world.apply(payment, { kind: 'clock' }, later(3));
      await isWaiting();
      await world.arrive(payment, 60n * USDT, { height: 61, tx: '0xrest', time: later(0.5) });
      await world.head(70, later(2));
      return { moving };
    });
    expect((await moved.moving).status).toBe('pending');
    const paid = await world.apply(payment, { kind: 'clock' }, later(3));
    expect([paid.status, paid.exception]).toEqual(['paid', null]);
  });

  test("a merchant's accounts are locked in one order, before anything is posted", async () => {
    const payment = await world.create();
    await world.arrive(payment, 100n * USDT, { height: 80, tx: '0xorder' });
    const other = await connectOwner(world.database);
    const { moving } = await whileLocked(
      'ledger_accounts where id = $1',
      [`${world.merchantId}:available`],
      async () => {
        const moving = world.apply(payment);
        await isWaiting();
        const last = 'select 1 from ledger_accounts where id = $1 for update nowait';
        await other.query(last, [`${world.merchantId}:suspense`]);
        return { moving };
      },
    );
    expect((await moving).status).toBe('paid');
    await other.end();
  });
});

test('a transfer on an unwatched network is booked, and waits for a watcher', async () => {
  const payment = await world.create();
  await world.arrive(payment, 60n * USDT, { height: 10, tx: '0xunwatched' });
  await world.arrive(payment, 40n * USDT, { height: 10, tx: '0xunwatched', index: 1 });
  await owner.query("update credits set network = 'elsewhere' where payment_id = $1", [payment.id]);
  const seen = await world.apply(payment);
  expect(seen).toMatchObject({ booked: { suspense: 100n * USDT }, creditCount: 2, confirmedE18: 0n });
});

test('money that was seen on a network that is no longer listed waits for that network, and open payments do not', async () => {
  const unpaid = await world.create();
  const payment = await world.create();
  await world.arrive(payment, 100n * USDT, { height: HEAD, tx: '0xde115ed' });
  expect((await world.apply(payment)).status).toBe('confirming');
  await owner.query("insert into delisted (network, since) values ('devnet', clock_timestamp() - interval '2 hours')");
  const waiting = () => countNotFinal(world.db, { network: 'devnet', contract: null });
  const before = await waiting();
  expect(before).toBeGreaterThan(0);

  await run('payments.expire', later(26));
  expect(await statusOf(unpaid)).toBe('expired');
  expect(await statusOf(payment)).toBe('confirming');
  expect((await world.apply(payment, { kind: 'clock' }, later(26))).status).toBe('confirming');
  expect(await countNotFinal(world.db, { network: 'devnet', contract: '0xother' })).toBe(0);

  await owner.query('delete from delisted');
  await world.head(HEAD + 1, later(26));
  const { id } = payment;
  await owner.query('update credits set confirmed_at = seen_at where payment_id = $1', [id]);
  expect((await world.apply(payment, { kind: 'clock' }, later(26))).status).toBe('paid');
  // A reorg could still take it, and nobody would see that.
  expect(await waiting()).toBe(before);
  await owner.query('update credits set final_at = seen_at where payment_id = $1', [id]);
  expect(await waiting()).toBe(before - 1);
});

test('a payment that was made by a clock ahead of ours is taken in and paid now, and not when ours comes to it', async () => {
  const payment = await world.create({}, later(5));
  await world.arriveTogether(payment, [60n * USDT, 40n * USDT], { height: 40, tx: '0xahead' });
  await run('payments.apply');
  expect(await statusOf(payment)).toBe('paid');
});
