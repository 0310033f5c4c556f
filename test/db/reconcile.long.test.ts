import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Payment } from '../../src/payments/types.ts';
import type { Network } from '../../src/ports/chain.ts';
import type { Job } from '../../src/ports/job.ts';
import type { Finding } from '../../src/reconcile/finding.ts';
import { reconcileJobs } from '../../src/reconcile/jobs.ts';
import { examineMonths } from '../../src/reconcile/months.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { chainsOf } from '../support/chains.ts';
import { connectOwner } from '../support/database.ts';
import { runAndDie } from '../support/orphans.ts';
import { createPaymentWorld, type PaymentWorld, START } from '../support/payments.ts';
import { runScript } from '../support/run-script.ts';

import { live, tamper, tamperOnly, USDT, withWorld } from './reconcile-fixture.ts';

const rulesOf = async (world: PaymentWorld) => {
  const { findings } = await reconcile(world.db);
  return [...new Set(findings.map(({ rule, subject }) => `${rule} ${subject}`))].sort();
};

describe('a healthy service', () => {
  let world: PaymentWorld;
  beforeAll(async () => {
    world = await createPaymentWorld({ paymentFeeBps: 250 });
  });
  afterAll(() => world.close());

  test('has no findings before any payment, nor after payments of every kind', async () => {
    expect(await reconcile(world.db)).toEqual({
      payments: 0,
      credits: 0,
      withdrawals: 0,
      refunds: 0,
      charges: 0,
      entries: 0,
      findings: [],
      wrong: 0,
    });
    await live(world);
    const result = await reconcile(world.db);
    expect(result).toMatchObject({ payments: 2, credits: 2, findings: [] });
    expect(result.entries).toBeGreaterThan(6);
    for (const limit of [1, 2]) expect(await examineMonths(world.db, undefined, limit)).toEqual([]);
  });

  test('is examined without a false finding, however busy it is', async () => {
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

describe('reconciliation finds', () => {
  test('a balance that differs from its entries', () =>
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

  test.for([
    ['changed', sql`update ledger_months set amount = amount - 1 where account = 'available'`, '0.000001', 0],
    ['lost', sql`delete from ledger_months where account = 'available'`, '99.000000', 1],
    ['counted twice', sql`update ledger_months set journals = 2 where account = 'available'`, '0.000000', -1],
  ] as const)('a sum by month that was %s, on any page', ([, statement, missing, journals]) =>
    withWorld(async (world) => {
      await live(world);
      await tamperOnly(world, statement);
      const expected = [
        {
          rule: 'ledger.months',
          subject: `${world.merchantId} 2026-01-01 payment.moved available`,
          message: `its journals come to ${missing} more than the month has, and are ${journals} more`,
        },
      ];
      expect((await reconcile(world.db)).findings).toEqual(expected);
      for (const limit of [1, 2]) expect(await examineMonths(world.db, undefined, limit)).toEqual(expected);
    }),
  );

  test('all of them, told one by one and while it goes on', () =>
    withWorld(async (world) => {
      await live(world);
      await tamperOnly(world, sql`delete from ledger_months`);
      const told: Finding[] = [];
      const progress: string[] = [];
      const { findings, wrong } = await reconcile(world.db, {
        onFinding: (finding) => void told.push(finding),
        onProgress: (done) => void progress.push(done),
      });
      expect(told).toEqual(findings);
      expect(told.length).toBe(wrong);
      expect(wrong).toBeGreaterThan(2);
      for (const what of [/ledger entries/, /months/, /totals of payments/, /0 payments were/, /0 charges were/])
        expect(progress).toContainEqual(expect.stringMatching(what));
      const stopped = reconcile(world.db, { signal: AbortSignal.abort() });
      await expect(stopped).rejects.toThrow();
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

  test('a transfer booked under two inclusions', () =>
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

  test('a transfer still booked after a reorg removed it', () =>
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

  test('a paid payment announced never or twice, and an announced one that is not paid', () =>
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
            ('je_stray', ${`${world.merchantId}:suspense`}, 7, ${START}),
            ('je_stray', 'external:devnet:USDT', -7, ${START})`,
        sql`update ledger_accounts set balance = 7 where id = ${`${world.merchantId}:suspense`}`,
      );
      expect((await reconcile(world.db)).findings).toEqual([
        {
          rule: 'account.external',
          subject: 'external:devnet:USDT',
          message: 'its entries come to -200.000007, those of payments and withdrawals to -200.000000',
        },
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

/** The job, with the incidents that are open and what was logged. */
function runner(world: PaymentWorld, options: { readonly runMaxMs?: number } = {}) {
  const logged: string[] = [];
  const log = (_: unknown, message: string): void => void logged.push(message);
  const [job] = reconcileJobs({ db: world.db, networks: [], chains: chainsOf(), log, ...options }) as [Job];
  return {
    logged,
    run: (signal = new AbortController().signal) => job.run({ now: START, real: START, signal }),
    incidents: () => world.db.selectFrom('incidents').selectAll().where('resolved_at', 'is', null).execute(),
  };
}

describe('a run that does not finish', () => {
  const about = (why: string) => ({
    kind: 'ledger.reconcile',
    subject: 'run',
    message: `reconciliation did not finish: ${why}; run npx kasi reconcile`,
  });

  test('says so in an incident, which the next run that finishes resolves', () =>
    withWorld(async (world) => {
      await live(world);
      const stopped = runner(world);
      await stopped.run(AbortSignal.abort());
      expect(await stopped.incidents()).toMatchObject([about('the process was stopped')]);
      expect(stopped.logged).toEqual([]);
      const whole = runner(world);
      await whole.run();
      expect(await whole.incidents()).toEqual([]);

      const slow = runner(world, { runMaxMs: 0 });
      await slow.run();
      expect(await slow.incidents()).toMatchObject([about('it took longer than 0 minutes')]);
      expect(slow.logged).toEqual([about('it took longer than 0 minutes').message]);
      await whole.run();

      await tamper(world, sql`alter table subscription_signals rename to gone`);
      await whole.run();
      expect(await whole.incidents()).toMatchObject([about('relation "subscription_signals" does not exist')]);
      await tamper(world, sql`alter table gone rename to subscription_signals`);
      await whole.run();
      expect(await whole.incidents()).toEqual([]);
    }));

  test('is told of by the next one when its process was killed', () =>
    withWorld(async (world) => {
      await live(world);
      const src = new URL('../../src', import.meta.url).pathname;
      const owner = await connectOwner(world.database);
      await owner.query('begin; lock table payments in access exclusive mode');
      await runAndDie(`
        const { openDatabase } = await import('${src}/db/database.ts');
        const { reconcileJobs } = await import('${src}/reconcile/jobs.ts');
        const db = openDatabase({
          url: ${JSON.stringify(world.database.url)}, poolMax: 2, applicationName: 'test', onError: () => {},
        });
        const at = new Date('${START.toISOString()}');
        const [job] = reconcileJobs({ db, networks: [], chains: {}, log: () => {} });
        void job.run({ now: at, real: at, signal: new AbortController().signal });
        while ((await db.selectFrom('reconcile_runs').select('scope').execute()).length === 0);`);
      await owner.query('rollback');
      await owner.end();
      const next = runner(world);
      await next.run();
      expect(await next.incidents()).toEqual([]);
      const why = `the run that began at ${START.toISOString()} did not come to its end; the log of that hour may say why`;
      const told = async () => world.db.selectFrom('incidents').selectAll().execute();
      expect(await told()).toMatchObject([about(why)]);
      await next.run();
      expect(await told()).toMatchObject([{ count: 1 }]);
    }));

  test('is told of by the next one when it compared with the chains and was stopped', () =>
    withWorld(async (world) => {
      const networks = [{ name: 'one' }, { name: 'two' }] as Network[];
      const deps = { db: world.db, networks, chains: chainsOf(), log: () => undefined };
      const [, job] = reconcileJobs(deps) as [Job, Job];
      const incidents = () => world.db.selectFrom('incidents').selectAll().orderBy('subject').execute();
      const run = { now: START, real: START, signal: AbortSignal.abort() };
      await job.run(run);
      expect(await incidents()).toEqual([]);
      await job.run(run);
      const why = `the run that began at ${START.toISOString()} did not come to its end; the log of that hour may say why`;
      expect(await incidents()).toMatchObject(
        ['one', 'two'].map((subject) => ({
          ...{ kind: 'chain.uncompared', subject, resolved_at: null },
          message: `The ledger could not be compared with the chain of ${subject}: ${why}`,
        })),
      );
    }));

  test('leaves every snapshot after a page, however many there are', () =>
    withWorld(async (world) => {
      await live(world);
      let snapshots = 0;
      const counting = new Proxy(world.db, {
        get: (db, name) => {
          if (name === 'transaction') snapshots += 1;
          const value = Reflect.get(db, name) as unknown;
          return typeof value === 'function' ? value.bind(db) : value;
        },
      });
      expect((await reconcile(counting)).findings).toEqual([]);
      // Sums; sums by month; fourteen lists; a page of payments and the empty one behind it, a page of withdrawals, of
      // refunds, of charges; collections without a charge.
      expect(snapshots).toBe(22);
    }));
});

describe('reconciliation is run', () => {
  const script = (world: PaymentWorld) => runScript('reconcile.ts', [], { DATABASE_URL: world.database.url });

  test('by the script, which says that nothing is wrong, or names the findings and fails', () =>
    withWorld(async (world) => {
      const { paid } = await live(world);
      await tamper(world, sql`delete from chain_cursors`);
      const good = await script(world);
      expect(good).toMatchObject({ code: 0, err: '' });
      expect(good.out).toMatch(
        /^nothing is wrong: 2 payments, 2 transfers, 0 withdrawals, 0 charges and \d+ ledger entries were checked\nno chain was compared: .*\n$/,
      );
      await tamper(world, sql`delete from events where type = 'payment.completed'`);
      const bad = await script(world);
      expect(bad).toMatchObject({ code: 1, err: '' });
      expect(bad.out).toMatch(
        new RegExp(
          `^payment.completed_once: ${paid.id}: it is paid and has 0 .*\n1 wrong: 2 payments, .* were checked\nno chain .*\n$`,
        ),
      );
    }));

  test('by the script, which says that nothing is wrong only where the chains that were read were compared, too', () =>
    withWorld(async (world) => {
      await live(world);
      const env = { DATABASE_URL: world.database.url, KASI_NETWORKS: '/nowhere/networks.json' };
      const { code, out } = await runScript('reconcile.ts', [], env);
      expect(out).toMatch(/^nothing was found, but every network could not be compared with its chain: 2 payments, /);
      expect(out).toMatch(/\nno chain was compared: .* EVM_RPC_URL names none\. KASI_NETWORKS is read with .*\n$/);
      expect(code).toBe(1);
    }));

  test('by the job, which keeps one incident open with the latest findings until there are none', () =>
    withWorld(async (world) => {
      const { run, incidents, logged } = runner(world);
      const { paid } = await live(world);
      await run();
      expect(await incidents()).toEqual([]);

      await tamper(world, sql`update payments set fee_micro = 0 where id = ${paid.id}`);
      await run();
      await tamper(world, sql`update payments set booked_available = 1 where id = ${paid.id}`);
      await run();
      const [incident, ...others] = await incidents();
      expect(others).toEqual([]);
      expect(incident).toMatchObject({
        kind: 'ledger.reconcile',
        subject: 'ledger',
        message: '3 things are wrong; npx kasi reconcile names them',
      });
      expect(incident?.detail).toMatchObject({
        findings: [{ subject: paid.id }, { subject: paid.id }, { subject: paid.id }],
      });
      expect(logged).toEqual(['the ledger does not reconcile', 'the ledger does not reconcile']);

      await tamper(
        world,
        sql`update payments set fee_micro = ${paid.feeMicro}, booked_available = ${paid.booked.available}
             where id = ${paid.id}`,
      );
      await run();
      expect(await incidents()).toEqual([]);
    }));
});
