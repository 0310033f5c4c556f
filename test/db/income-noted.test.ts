import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { lockAccounts, merchantAccount, openAccounts, readBalance, shareAccounts } from '../../src/ledger/accounts.ts';
import { rollUpLedger } from '../../src/ledger/jobs.ts';
import { postJournal } from '../../src/ledger/post.ts';
import type { Trx } from '../../src/lib/db-types.ts';
import { paymentJobs } from '../../src/payments/jobs.ts';
import { examineMonths } from '../../src/reconcile/months.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { listTurnovers } from '../../src/settlements/statement-queries.ts';
import { connectTestDatabase, type TestConnection } from '../support/connection.ts';
import { connectOwner } from '../support/database.ts';
import { createPaymentWorld, type PaymentWorld, START } from '../support/payments.ts';
import { tamperOnly, USDT } from './reconcile-fixture.ts';

const NOW = new Date('2026-01-15T10:00:00Z');
const OUTSIDE = 'external:devnet:USDT';
const signal = new AbortController().signal;

let connection: TestConnection;
beforeAll(async () => {
  connection = await connectTestDatabase(20);
});
afterAll(() => connection.close());

let made = 0;
/** A merchant with its accounts, and what a test does with them. */
async function openMerchant() {
  const { db } = connection;
  made += 1;
  const id = `mer_noted${made}`;
  let posted = 0;
  const [available, debt, hold] = (['available', 'debt', 'hold'] as const).map((kind) => merchantAccount(id, kind)) as [
    string,
    string,
    string,
  ];
  await inTransaction(db, (trx) => openAccounts(trx, id));
  const post = (trx: Trx, kind: 'credit' | 'withdrawal.created', postings: Readonly<Record<string, bigint>>) => {
    posted += 1;
    const lines = Object.entries(postings).map(([account, amount]) => ({ account, amount }));
    return postJournal(trx, { kind, ref: `${id}/${posted}`, merchantId: id, postings: lines }, NOW);
  };
  /** Money that comes in, as a batch of first transfers books it. */
  const comeIn = (amount: bigint) => async (trx: Trx) => {
    const owes = -((await shareAccounts(trx, [id])).get(debt) ?? 0n);
    const repaid = owes < amount ? owes : amount;
    await post(trx, 'credit', { [OUTSIDE]: -amount, [available]: amount - repaid, [debt]: repaid });
  };
  return {
    ...{ id, available, debt, hold },
    comeIn,
    income: (amount: bigint) => inTransaction(db, comeIn(amount)),
    /** A reorg takes more than there is. */
    lose: (amount: bigint) => async (trx: Trx) => {
      const has = (await lockAccounts(trx, [available, debt])).get(available) ?? 0n;
      await post(trx, 'credit', { [OUTSIDE]: amount, [available]: -has, [debt]: has - amount });
    },
    /** Takes all there is, less than that, or too much. */
    withdraw: (amountOf: (has: bigint) => bigint) =>
      inTransaction(db, async (trx) => {
        const has = (await lockAccounts(trx, [available, hold])).get(available) ?? 0n;
        await post(trx, 'withdrawal.created', { [available]: -amountOf(has), [hold]: amountOf(has) });
        return has;
      }),
    /** Without a look at the balance: only the database refuses it. */
    take: (amount: bigint) =>
      inTransaction(db, (trx) => post(trx, 'withdrawal.created', { [available]: -amount, [hold]: amount })),
    balance: () => readBalance(db, available),
    owes: () => readBalance(db, debt),
    stored: async () => {
      const { rows } = await sql<{ balance: bigint }>`
        select balance from ledger_accounts where id = ${available}`.execute(db);
      return rows[0]?.balance;
    },
    deltas: async () => {
      const { rows } = await sql<{ accounts: number; months: number }>`
        select (select count(*)::integer from account_deltas where account_id like ${`${id}:%`}) as accounts,
               (select count(*)::integer from month_deltas where merchant_id = ${id}) as months`.execute(db);
      return rows[0];
    },
    turnover: async () => {
      const sums = (await listTurnovers(db, id, '2026-12')).filter(({ account }) => account === 'available');
      return sums.map(({ kind, amountMicro, journals }) => `${kind} ${amountMicro} in ${journals}`);
    },
  };
}

/** A transaction that has done `work` and stays open until `end`. */
async function open(work: (trx: Trx) => Promise<unknown>) {
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const whole = inTransaction(connection.db, async (trx) => {
    await work(trx);
    begun.resolve();
    await ended.promise;
  });
  await Promise.race([begun.promise, whole]);
  return {
    end: async () => {
      ended.resolve();
      await whole;
    },
  };
}

const waiting = async (): Promise<number> => {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
    connection.db,
  );
  return rows.length;
};

const rollUp = () => rollUpLedger(connection.db, { signal });

describe('money that comes in', () => {
  test('does not wait for other money of its merchant, and is in the balance at once', async () => {
    const merchant = await openMerchant();
    await merchant.income(5n);
    const first = await open(merchant.comeIn(10n));
    await merchant.income(30n); // It would wait for the first one otherwise.
    expect([await merchant.balance(), await merchant.stored()]).toEqual([35n, 5n]);
    expect(await merchant.deltas()).toEqual({ accounts: 1, months: 1 });
    await first.end();
    expect([await merchant.balance(), await merchant.stored()]).toEqual([45n, 15n]);
    expect(await merchant.turnover()).toEqual(['credit 45 in 3']);
    expect(await examineMonths(connection.db)).toEqual([]);
    await rollUp();
    expect([await merchant.balance(), await merchant.stored()]).toEqual([45n, 45n]);
    expect(await merchant.turnover()).toEqual(['credit 45 in 3']);
    expect(await merchant.deltas()).toEqual({ accounts: 0, months: 0 });
    expect(await examineMonths(connection.db)).toEqual([]);
  });

  test('takes with it what waits, for a release before has no job for that', async () => {
    const merchant = await openMerchant();
    const first = await open(merchant.comeIn(10n));
    await merchant.income(30n);
    await first.end();
    expect(await merchant.deltas()).toEqual({ accounts: 1, months: 1 });
    await merchant.income(5n);
    expect([await merchant.balance(), await merchant.stored()]).toEqual([45n, 45n]);
    expect(await merchant.deltas()).toEqual({ accounts: 0, months: 0 });
    expect(await merchant.turnover()).toEqual(['credit 45 in 3']);
  });

  test('leaves no delta where no other transaction has the account', async () => {
    const merchant = await openMerchant();
    await merchant.income(5n);
    await merchant.income(7n);
    expect([await merchant.stored(), await merchant.deltas()]).toEqual([12n, { accounts: 0, months: 0 }]);
  });

  test('is gone with its transaction, delta and all', async () => {
    const merchant = await openMerchant();
    const first = await open(merchant.comeIn(10n));
    const fails = async (trx: Trx): Promise<void> => {
      await merchant.comeIn(30n)(trx);
      throw new Error('no');
    };
    await expect(inTransaction(connection.db, fails)).rejects.toThrow('no');
    await first.end();
    expect([await merchant.balance(), await merchant.deltas()]).toEqual([10n, { accounts: 0, months: 0 }]);
  });

  test('repays a debt once, also one that is made while it comes in', async () => {
    const merchant = await openMerchant();
    const losing = await open(merchant.lose(100n));
    const incomes = Promise.all([merchant.income(70n), merchant.income(70n), merchant.income(70n)]);
    await expect.poll(waiting).toBe(3);
    await losing.end();
    await incomes;
    expect([await merchant.balance(), await merchant.owes()]).toEqual([110n, 0n]);
    expect(await examineMonths(connection.db)).toEqual([]);
  });
});

describe('money that goes out', () => {
  test('waits for what comes in, and sees all of it', async () => {
    const merchant = await openMerchant();
    const first = await open(merchant.comeIn(10n));
    const second = await open(merchant.comeIn(20n));
    const withdrawing = merchant.withdraw((has) => has);
    await expect.poll(waiting).toBe(1);
    await first.end();
    expect(await waiting()).toBe(1);
    await second.end();
    expect(await withdrawing).toBe(30n);
    expect([await merchant.balance(), await merchant.deltas()]).toMatchObject([0n, { accounts: 0 }]);
  });

  test('gets its turn, however much comes in', async () => {
    const merchant = await openMerchant();
    // More than ten halvings leave, so that each finds something.
    await merchant.income(100_000n);
    const lane = async (): Promise<void> => {
      for (const until = performance.now() + 1500; performance.now() < until; ) {
        const income = await open(merchant.comeIn(1n));
        await sleep(30);
        await income.end();
      }
    };
    const lanes = Promise.all([lane(), lane(), lane(), lane()]);
    for (let turn = 0; turn < 10; turn += 1) await merchant.withdraw((has) => has / 2n + 1n);
    await lanes;
    expect(await merchant.balance()).toBeGreaterThanOrEqual(0n);
  });

  test('adds what waits before it takes, and is refused what is not there', async () => {
    const merchant = await openMerchant();
    const first = await open(merchant.comeIn(10n));
    await merchant.income(30n);
    await first.end();
    expect(await merchant.stored()).toBe(10n);
    await expect(merchant.take(41n)).rejects.toThrow(/no_overdraft/);
    await merchant.take(40n);
    expect([await merchant.balance(), await merchant.stored()]).toEqual([0n, 0n]);
    await expect(merchant.take(1n)).rejects.toThrow(/no_overdraft/);
  });

  test('of many at once, takes no more than came in, while deltas are added all the time', async () => {
    const merchant = await openMerchant();
    let [came, went, isOver] = [0n, 0n, false];
    const coming = async (): Promise<void> => {
      for (let i = 1n; i <= 40n; i += 1n) {
        await merchant.income(i);
        came += i;
      }
    };
    const going = async (): Promise<void> => {
      for (let i = 0; i < 40; i += 1) {
        const amount = BigInt(1 + Math.floor(Math.random() * 60));
        await merchant.take(amount).then(
          () => {
            went += amount;
          },
          (error: Error) => expect(error.message).toMatch(/no_overdraft/),
        );
      }
    };
    const rolling = (async () => {
      while (!isOver) await rollUp();
    })();
    await Promise.all([coming(), coming(), coming(), going(), going()]);
    isOver = true;
    await rolling;
    expect(went).toBeGreaterThan(0n);
    expect(await merchant.balance()).toBe(came - went);
    await rollUp();
    expect([await merchant.stored(), await merchant.deltas()]).toEqual([came - went, { accounts: 0, months: 0 }]);
    expect(await examineMonths(connection.db)).toEqual([]);
  });
});

describe('the roll-up', () => {
  test('that is killed halfway has changed nothing, and the next one does it', async () => {
    const merchant = await openMerchant();
    const first = await open(merchant.comeIn(10n));
    await merchant.income(30n);
    await first.end();
    for (const step of ['select roll_up_account($1)', 'select roll_up_months($1)']) {
      const killed = await connectOwner(connection.database);
      killed.on('error', () => {});
      await killed.query('begin');
      await killed.query(step, [step.includes('months') ? merchant.id : merchant.available]);
      const { rows } = await killed.query('select pg_backend_pid() as pid');
      expect(await merchant.balance()).toBe(40n);
      const killer = await connectOwner(connection.database);
      await killer.query('select pg_terminate_backend($1)', [rows[0].pid]);
      await killer.end();
      await killed.end().catch(() => {});
    }
    expect([await merchant.balance(), await merchant.stored()]).toEqual([40n, 10n]);
    expect(await merchant.deltas()).toEqual({ accounts: 1, months: 1 });
    await rollUp();
    expect([await merchant.stored(), await merchant.turnover()]).toEqual([40n, ['credit 40 in 2']]);
  });

  test('counts nothing twice, however many processes do it at once', async () => {
    const merchant = await openMerchant();
    const first = await open(merchant.comeIn(10n));
    for (let i = 0; i < 10; i += 1) await merchant.income(1n);
    await first.end();
    await Promise.all([rollUp(), rollUp(), rollUp(), rollUp()]);
    expect([await merchant.stored(), await merchant.turnover()]).toEqual([20n, ['credit 20 in 11']]);
  });

  test('leaves an account that stays locked to the next run', async () => {
    const [merchant, other] = [await openMerchant(), await openMerchant()];
    for (const { comeIn, income } of [merchant, other]) {
      const first = await open(comeIn(10n));
      await income(30n);
      await first.end();
    }
    const locked = await open((trx) => lockAccounts(trx, [merchant.hold]).then(() => merchant.comeIn(1n)(trx)));
    await rollUp();
    expect([await merchant.stored(), await other.stored()]).toEqual([10n, 40n]);
    await locked.end();
    await rollUp();
    expect(await merchant.stored()).toBe(41n);
  });
});

test('money moves in a database that is published to a copy of another release', async () => {
  const published = await connectTestDatabase();
  const owner = await connectOwner(published.database);
  await owner.query(`
    do $$ begin
      execute (select 'create publication everything for table ' || string_agg(quote_ident(relname), ', ')
                 from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'p');
    end $$`);
  const run = (work: (trx: Trx) => Promise<unknown>) => inTransaction(published.db, work);
  const [pending, available] = [merchantAccount('mer_copied', 'pending'), merchantAccount('mer_copied', 'available')];
  await run((trx) => openAccounts(trx, 'mer_copied'));
  const book = (ref: string, from: string, to: string) =>
    run(async (trx) => {
      await lockAccounts(trx, [pending, available]);
      const postings = [
        { account: from, amount: -10n },
        { account: to, amount: 10n },
      ];
      await postJournal(trx, { kind: 'credit', ref, merchantId: 'mer_copied', postings }, NOW);
    });
  await book('in', OUTSIDE, pending);
  await book('on', pending, available);
  await rollUpLedger(published.db, { signal });
  await sql`select roll_up_tallies(500)`.execute(published.db);
  expect(await readBalance(published.db, available)).toBe(10n);
  await owner.end();
  await published.close();
});

test('the role of the application writes no delta by itself', async () => {
  for (const statement of [
    `insert into account_deltas (account_id, amount) values ('mer_noted1:available', 1)`,
    'delete from account_deltas',
    'update month_deltas set amount = 0',
    `select add_account_deltas(array['mer_noted1:available'])`,
  ])
    await expect(sql.raw(statement).execute(connection.db)).rejects.toThrow(/permission denied/);
});

describe('payments of one merchant', () => {
  let world: PaymentWorld;
  beforeAll(async () => {
    world = await createPaymentWorld({ paymentFeeBps: 100 });
    await world.head(100);
  });
  afterAll(() => world.close());

  const runApply = async (): Promise<void> => {
    const log = (error: unknown): never => {
      throw error;
    };
    const [apply] = paymentJobs({ ...world.deps, db: world.db, log });
    await apply?.run({ now: START, real: START, signal });
  };

  test('are taken in while other money of it is, and reconciliation finds what is true', async () => {
    const payments = await Promise.all(Array.from({ length: 5 }, () => world.create()));
    for (const [i, payment] of payments.entries())
      await world.arrive(payment, 100n * USDT, { height: 50, tx: `0xnoted${i}` });
    const other = await connectOwner(world.database);
    await other.query('begin');
    await other.query('select from ledger_accounts where owner_id = $1 for no key update', [world.merchantId]);
    await other.query('select pg_advisory_xact_lock(month_lock($1))', [world.merchantId]);
    await runApply();
    const { rows } = await sql<{ paid: number }>`
      select count(*)::integer as paid from payments where status = 'paid'`.execute(world.db);
    expect(rows).toEqual([{ paid: 5 }]);
    expect(await world.balances()).toEqual({ available: 495n * USDT });
    expect((await reconcile(world.db)).findings).toEqual([]);
    await other.query('rollback');
    await other.end();
    expect((await reconcile(world.db)).findings).toEqual([]);
    const { rows: waits } = await sql<{ rows: number }>`
      select count(*)::integer as rows from account_deltas`.execute(world.db);
    expect(waits).toEqual([{ rows: 1 }]);
  });

  test('are found out when a delta is lost', async () => {
    const rulesOf = async () => [...new Set((await reconcile(world.db)).findings.map(({ rule }) => rule))];
    await tamperOnly(world, sql`update account_deltas set amount = amount - 1`);
    expect(await rulesOf()).toEqual(['account.drift']);
    await tamperOnly(world, sql`update account_deltas set amount = amount + 1`);
    await tamperOnly(world, sql`delete from month_deltas where account = 'available'`);
    expect(await rulesOf()).toEqual(['ledger.months']);
  });
});
