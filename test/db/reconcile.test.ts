import { execFile } from 'node:child_process';
import fc from 'fast-check';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { AppError } from '../../src/lib/errors.ts';
import type { Payment } from '../../src/payments/types.ts';
import type { Job } from '../../src/ports/job.ts';
import { settlementJobs } from '../../src/settlements/jobs.ts';
import { reconcile } from '../../src/settlements/reconcile.ts';
import { createPaymentWorld, type PaymentWorld, START } from '../support/payments.ts';

const USDT = 1_000_000n;

async function withWorld(work: (world: PaymentWorld) => Promise<void>): Promise<void> {
  const world = await createPaymentWorld({ paymentFeeBps: 100 });
  try {
    await work(world);
  } finally {
    await world.close();
  }
}

/** A payment that is paid and one that is confirming, each by one transfer of 100 dollars. */
async function live(world: PaymentWorld): Promise<{ paid: Payment; confirming: Payment }> {
  const [paid, confirming] = [await world.create(), await world.create()];
  await world.arrive(paid, 100n * USDT, { height: 10, tx: '0xpaid' });
  await world.arrive(confirming, 100n * USDT, { height: 11, tx: '0xconfirming' });
  await world.head(11);
  return { paid: await world.apply(paid), confirming: await world.apply(confirming) };
}

/** Does as the owner of the tables, with every guard of ours switched off, what nobody else can. */
async function tamper(world: PaymentWorld, ...statements: RawBuilder<unknown>[]): Promise<void> {
  const owner = openDatabase({ url: world.database.ownerUrl, poolMax: 1, applicationName: 'test', onError: () => {} });
  try {
    for (const table of ['journals', 'entries', 'payments', 'events']) {
      await sql`alter table ${sql.table(table)} disable trigger user`.execute(owner);
    }
    for (const statement of statements) await statement.execute(owner);
  } finally {
    await owner.destroy();
  }
}

const rulesOf = async (world: PaymentWorld) => {
  const { findings } = await reconcile(world.db);
  return [...new Set(findings.map(({ rule, subject }) => `${rule} ${subject}`))].sort();
};

describe('a service that works', () => {
  let world: PaymentWorld;
  beforeAll(async () => {
    world = await createPaymentWorld({ paymentFeeBps: 250 });
  });
  afterAll(() => world.close());

  test('has nothing wrong before it has done anything, and after payments of every kind', async () => {
    expect(await reconcile(world.db)).toEqual({ payments: 0, credits: 0, entries: 0, findings: [] });
    await live(world);
    const result = await reconcile(world.db);
    expect(result).toMatchObject({ payments: 2, credits: 2, findings: [] });
    expect(result.entries).toBeGreaterThan(6);
  });

  test('has nothing wrong after any story of transfers, reorgs, deadlines and decisions', {
    timeout: 120_000,
  }, async () => {
    const which = fc.integer({ min: 0, max: 2 });
    const event = fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({
          kind: fc.constant('arrive' as const),
          which,
          units: fc.constantFrom(1n, 30n * USDT, 70n * USDT, 100n * USDT, 150n * USDT),
        }),
      },
      { weight: 5, arbitrary: fc.record({ kind: fc.constant('apply' as const), which }) },
      {
        weight: 3,
        arbitrary: fc.record({ kind: fc.constant('head' as const), blocks: fc.integer({ min: 0, max: 3 }) }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant('reorg' as const),
          depth: fc.integer({ min: 1, max: 6 }),
          keep: fc.boolean(),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({ kind: fc.constantFrom('cancel' as const, 'resolve' as const, 'clock' as const), which }),
      },
    );
    const before = await reconcile(world.db);
    let height = 1000;
    let stories = 0;
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 15, maxLength: 30 }), async (events) => {
        stories += 1;
        const payments = [await world.create(), await world.create(), await world.create({ amountMinor: 10_001n })];
        const transfers: { payment: Payment; units: bigint; tx: string; height: number }[] = [];
        const apply = async (payment: Payment, command: Parameters<PaymentWorld['apply']>[1], now = START) => {
          try {
            const moved = await world.apply(payment, command, now);
            seen.add(moved.status).add(`exception ${moved.exception}`);
          } catch (error) {
            if (!(error instanceof AppError)) throw error;
          }
        };
        for (const event of events) {
          height += 1;
          const payment = payments['which' in event ? event.which : 0] as Payment;
          switch (event.kind) {
            case 'arrive': {
              const transfer = { payment, units: event.units, tx: `0x${stories}-${height}`, height };
              transfers.push(transfer);
              await world.arrive(payment, transfer.units, transfer);
              break;
            }
            case 'apply':
              await apply(payment, null);
              break;
            case 'head':
              await world.head(height + event.blocks);
              break;
            case 'reorg': {
              const gone = transfers.filter((transfer) => transfer.height > height - event.depth);
              await world.orphan(height - event.depth);
              for (const transfer of event.keep ? gone : []) {
                transfer.height = height;
                await world.arrive(transfer.payment, transfer.units, { ...transfer, hash: `0xr${height}` });
              }
              seen.add('reorg');
              break;
            }
            case 'clock':
              await world.head(height, new Date(START.getTime() + 7_200_000));
              await apply(payment, { kind: 'clock' }, new Date(START.getTime() + 7_200_000));
              break;
            default:
              await apply(payment, { kind: event.kind });
          }
        }
        expect((await reconcile(world.db)).findings).toEqual([]);
        for (const payment of payments) await apply(payment, null);
        expect((await reconcile(world.db)).findings).toEqual([]);
      }),
      { numRuns: 25, endOnFailure: true },
    );
    for (const reached of [
      'paid',
      'confirming',
      'pending',
      'expired',
      'exception overpaid',
      'exception late',
      'reorg',
    ]) {
      expect([...seen]).toContain(reached);
    }
    const { payments, credits } = await reconcile(world.db);
    expect(payments - before.payments).toBe(3 * stories);
    expect(credits - before.credits).toBeGreaterThan(stories);
  });

  test('is judged as of one moment, however busy it is meanwhile', async () => {
    const busy = (async () => {
      for (let index = 0; index < 30; index += 1) {
        const payment = await world.create();
        await world.arrive(payment, 100n * USDT, { height: 90_000, tx: `0xbusy${index}` });
        await world.apply(payment);
      }
    })();
    let runs = 0;
    let done = false;
    void busy.finally(() => {
      done = true;
    });
    while (!done) {
      expect((await reconcile(world.db)).findings).toEqual([]);
      runs += 1;
    }
    await busy;
    expect(runs).toBeGreaterThan(1);
  });
});

describe('what is wrong is named', () => {
  test('a balance that its entries do not come to', () =>
    withWorld(async (world) => {
      await live(world);
      const available = `${world.merchantId}:available`;
      await tamper(world, sql`update ledger_accounts set balance = balance + 1 where id = ${available}`);
      expect((await reconcile(world.db)).findings).toEqual([
        {
          rule: 'account.drift',
          subject: available,
          message: 'the balance is 99.000001, its entries come to 99.000000',
        },
      ]);
    }));

  test('money that appears from nowhere', () =>
    withWorld(async (world) => {
      const { paid } = await live(world);
      const account = `${world.merchantId}:available`;
      await tamper(
        world,
        sql`update entries set amount = amount + 5 where account_id = ${account}`,
        sql`update ledger_accounts set balance = balance + 5 where id = ${account}`,
      );
      const [journal] = await world.db
        .selectFrom('entries')
        .select('journal_id')
        .where('account_id', '=', account)
        .execute();
      expect(await rulesOf(world)).toEqual(
        ['ledger.balanced USD', `journal.balanced ${journal?.journal_id}`, `payment.journals ${paid.id}`].sort(),
      );
    }));

  test('a transfer that was applied but never booked', () =>
    withWorld(async (world) => {
      const { confirming } = await live(world);
      const credit = await creditOf(world, confirming);
      await tamper(
        world,
        sql`update credits set booked_micro = null where id = ${credit.id}`,
        sql`delete from entries where journal_id in (select id from journals where payment_id = ${confirming.id})`,
        sql`delete from journals where payment_id = ${confirming.id}`,
        sql`update ledger_accounts set balance = 0 where id = ${`${world.merchantId}:pending`}`,
        sql`update payments set booked_pending = 0 where id = ${confirming.id}`,
      );
      expect((await reconcile(world.db)).findings).toEqual([
        { rule: 'credit.booked_once', subject: credit.id, message: 'it was applied but is not booked' },
      ]);
    }));

  test('a transfer that was booked under two numbers', () =>
    withWorld(async (world) => {
      const { paid } = await live(world);
      const credit = await creditOf(world, paid);
      await tamper(
        world,
        sql`insert into journals select 'je_twice', kind, ${`${credit.id}#2`}, merchant_id, payment_id, null, created_at
              from journals where ref = ${`${credit.id}#1`}`,
        sql`insert into entries (journal_id, account_id, amount, created_at)
            select 'je_twice', account_id, amount, created_at from entries
             where journal_id = (select id from journals where ref = ${`${credit.id}#1`})`,
      );
      expect((await reconcile(world.db)).findings).toContainEqual({
        rule: 'credit.known',
        subject: 'je_twice',
        message: `it books ${credit.id}#2, which is no transfer of its payment`,
      });
    }));

  test('a transfer that a reorg took away and that is booked all the same', () =>
    withWorld(async (world) => {
      const { paid } = await live(world);
      const credit = await creditOf(world, paid);
      await tamper(world, sql`update credits set canonical = false where id = ${credit.id}`);
      expect((await reconcile(world.db)).findings).toEqual([
        { rule: 'credit.booked_once', subject: credit.id, message: 'a reorg took it away but it is still booked' },
      ]);
    }));

  test('a transfer that could not be applied', () =>
    withWorld(async (world) => {
      const payment = await world.create();
      await world.arrive(payment, 100n * USDT, { height: 10 });
      expect((await reconcile(world.db)).findings).toEqual([]);
      await sql`update credits set parked_at = seen_at, failure = 'a fault'`.execute(world.db);
      const credit = await creditOf(world, payment);
      expect((await reconcile(world.db)).findings).toEqual([
        { rule: 'credit.booked_once', subject: credit.id, message: 'it could not be applied and is parked' },
      ]);
    }));

  test('a payment whose money is not where its state says', () =>
    withWorld(async (world) => {
      const { confirming } = await live(world);
      await tamper(
        world,
        sql`update payments set status = 'pending', confirming_at = null where id = ${confirming.id}`,
      );
      expect((await reconcile(world.db)).findings).toEqual([
        {
          rule: 'payment.state',
          subject: confirming.id,
          message: 'booked in suspense while pending is 0.000000 instead of 100.000000',
        },
        {
          rule: 'payment.state',
          subject: confirming.id,
          message: 'booked in pending while pending is 100.000000 instead of 0.000000',
        },
      ]);
    }));

  test('a paid payment that was never announced, or twice, and one that was announced and is not paid', () =>
    withWorld(async (world) => {
      const { paid, confirming } = await live(world);
      const announce = (id: string, sequence: number) => sql`
        insert into events (id, merchant_id, type, resource_id, sequence, body, created_at)
        values (${`evt_${sequence}`}, ${world.merchantId}, 'payment.completed', ${id}, ${sequence}, '', ${START})`;
      await tamper(world, announce(paid.id, 91), announce(confirming.id, 92));
      expect((await reconcile(world.db)).findings.map(({ message }) => message)).toEqual([
        'it is paid and has 2 payment.completed events instead of 1',
        'it is confirming and has 1 payment.completed events instead of 0',
      ]);
      await tamper(world, sql`delete from events where type = 'payment.completed'`);
      expect((await reconcile(world.db)).findings).toEqual([
        {
          rule: 'payment.completed_once',
          subject: paid.id,
          message: 'it is paid and has 0 payment.completed events instead of 1',
        },
      ]);
    }));

  test('money in suspense that belongs to no payment', () =>
    withWorld(async (world) => {
      await live(world);
      await tamper(
        world,
        sql`insert into journals values ('je_stray', 'gift', '1', ${world.merchantId}, null, null, ${START})`,
        sql`insert into entries (journal_id, account_id, amount, created_at) values
            ('je_stray', ${`${world.merchantId}:suspense`}, 7, ${START}), ('je_stray', 'external:devnet:USDT', -7, ${START})`,
        sql`update ledger_accounts set balance = 7 where id = ${`${world.merchantId}:suspense`}`,
      );
      expect((await reconcile(world.db)).findings).toEqual([
        {
          rule: 'account.payments',
          subject: `${world.merchantId}:suspense`,
          message: 'the balance is 0.000007, its payments come to 0.000000',
        },
      ]);
    }));
});

async function creditOf(world: PaymentWorld, payment: Payment): Promise<{ id: string }> {
  return world.db.selectFrom('credits').select('id').where('payment_id', '=', payment.id).executeTakeFirstOrThrow();
}

describe('those who ask', () => {
  const script = (world: PaymentWorld) =>
    new Promise<{ code: number; out: string; err: string }>((resolve) => {
      const env = { PATH: process.env['PATH'] ?? '', DATABASE_URL: world.database.url };
      execFile(process.execPath, ['scripts/reconcile.ts'], { env }, (error, out, err) =>
        resolve({ code: error ? Number(error.code) : 0, out, err }),
      );
    });

  test('the script says that nothing is wrong, or names what is and fails', () =>
    withWorld(async (world) => {
      const { paid } = await live(world);
      const good = await script(world);
      expect(good).toMatchObject({ code: 0, err: '' });
      expect(good.out).toMatch(/^nothing is wrong: 2 payments, 2 transfers and \d+ ledger entries were checked\n$/);
      await tamper(world, sql`delete from events where type = 'payment.completed'`);
      const bad = await script(world);
      expect(bad).toMatchObject({ code: 1, err: '' });
      expect(bad.out).toMatch(
        new RegExp(
          `^payment.completed_once: ${paid.id}: it is paid and has 0 .*\n1 wrong: 2 payments, .* were checked\n$`,
        ),
      );
    }));

  test('the job keeps one open incident with the latest findings, until nothing is wrong', () =>
    withWorld(async (world) => {
      const logged: string[] = [];
      const [job] = settlementJobs({ db: world.db, log: (_, message) => void logged.push(message) }) as [Job];
      const run = (signal = new AbortController().signal) => job.run({ now: START, real: START, signal });
      const incidents = () => world.db.selectFrom('incidents').selectAll().where('resolved_at', 'is', null).execute();
      const { paid } = await live(world);
      await run();
      expect(await incidents()).toEqual([]);

      await tamper(world, sql`update payments set fee_micro = 0 where id = ${paid.id}`);
      await run(AbortSignal.abort());
      expect(await incidents()).toEqual([]);
      await run();
      await tamper(world, sql`update payments set booked_available = 1 where id = ${paid.id}`);
      await run();
      const [incident, ...others] = await incidents();
      expect(others).toEqual([]);
      expect(incident).toMatchObject({
        kind: 'ledger.reconcile',
        subject: 'ledger',
        message: '3 things are wrong; npm run reconcile names them',
      });
      expect(incident?.detail).toMatchObject({
        findings: [{ subject: paid.id }, { subject: paid.id }, { subject: paid.id }],
      });
      expect(logged).toEqual(['the ledger does not reconcile', 'the ledger does not reconcile']);

      await tamper(
        world,
        sql`update payments set fee_micro = ${paid.feeMicro}, booked_available = ${paid.booked.available} where id = ${paid.id}`,
      );
      await run();
      expect(await incidents()).toEqual([]);
    }));
});
