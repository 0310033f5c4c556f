import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { isAnyDue, listDuePayments } from '../../src/payments/due.ts';
import { isFirstSight, listFirstSights } from '../../src/payments/first-sight.ts';
import { paymentJobs } from '../../src/payments/jobs.ts';
import { isAnyToSecond } from '../../src/payments/opinion-queries.ts';
import type { PaymentDraft } from '../../src/payments/service.ts';
import type { Payment } from '../../src/payments/types.ts';
import { copyCredits } from '../support/copy-credits.ts';
import { connectOwner } from '../support/database.ts';
import { leastOfFive } from '../support/least.ts';
import { createPaymentWorld, type PaymentWorld, START } from '../support/payments.ts';

const USDT = 1_000_000n;
const USDC = 10n ** 18n;
const PER_DAY = 86_400_000;

type Deps = Partial<PaymentWorld['deps']>;
type Log = (error: unknown, message: string) => void;

/** Runs the job that takes in what waits, as a process does. */
async function runApply(world: PaymentWorld, deps: Deps = {}, log: Log = () => {}, db: Db = world.db): Promise<void> {
  const [job] = paymentJobs({ ...world.deps, ...deps, db, log });
  await job?.run({ now: START, real: START, signal: new AbortController().signal });
}

/** The same, one payment a transaction. */
async function runAlone(world: PaymentWorld): Promise<void> {
  const { refs } = await listDuePayments(
    world.db,
    { after: '', limit: 1000 },
    { condition: sql`true`, except: sql`false` },
  );
  for (const ref of refs) await world.apply(ref);
}

/** A number generator that gives the same numbers for the same seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** What is asked, and what comes of it where: most of it whole and in time. */
type Story = {
  readonly draft: Partial<PaymentDraft>;
  readonly chosen: boolean;
  readonly transfers: readonly Transfer[];
};
type Transfer = { readonly units: bigint; readonly token: 0 | 1; readonly height: number; readonly time: Date };

function storyOf(random: (below: number) => number): Story {
  const dust = random(12) === 0;
  const transfer = (): Transfer => {
    const token = random(2) === 0 ? 0 : 1;
    const unit = token === 0 ? USDT : USDC;
    const whole = [100n * unit, 100n * unit, 40n * unit, 60n * unit, 250n * unit, 100n * unit - unit / 3n] as const;
    return {
      token,
      units: dust ? 1n : (whole[random(whole.length)] ?? 0n),
      height: 10 + random(10),
      time: new Date(START.getTime() + [-60_000, 0, 0, 0, 7_200_000, 30 * PER_DAY][random(6)]!),
    };
  };
  return {
    draft: { acceptedTokens: random(4) === 0 ? ['USDT'] : null },
    chosen: random(3) === 0,
    transfers: Array.from({ length: random(6) === 0 ? 2 : 1 }, transfer),
  };
}

/** Lets a story happen up to where its transfers wait. */
async function tell(world: PaymentWorld, { draft, chosen, transfers }: Story, name: string): Promise<Payment> {
  const payment = await world.create(draft);
  if (chosen) await world.apply(payment, { kind: 'select', token: 'USDT', network: 'devnet' });
  for (const [i, { units, ...at }] of transfers.entries())
    await world.arrive(payment, units, { ...at, tx: `0xfeed${name}`, index: i });
  return payment;
}

/** All that the database says of these payments, without the ids that chance makes. */
async function readAll({ db, merchantId }: PaymentWorld, payments: readonly Payment[]): Promise<string[]> {
  const names = new Map([[merchantId, 'merchant']]);
  for (const [i, { id, options }] of payments.entries()) {
    names.set(id, `payment ${i}`);
    for (const { address } of options) names.set(address.toLowerCase(), `address ${i}`);
  }
  const credits = await db.selectFrom('credits').select(['id', 'tx_hash', 'transfer_index']).execute();
  for (const { id, tx_hash, transfer_index } of credits) names.set(id, `credit ${tx_hash} ${transfer_index}`);
  const { rows } = await sql<{ line: string }>`
    select 'payment ' || to_jsonb(p)::text as line from payments p
    union all select 'credit ' || to_jsonb(c)::text from credits c
    union all select 'event ' || (to_jsonb(e) - 'id' - 'body')::text || (convert_from(body, 'UTF8')::jsonb - 'id')::text
      from events e
    union all select 'entry ' || (to_jsonb(j) - 'id')::text || (to_jsonb(e) - 'id' - 'journal_id')::text
      from journals j join entries e on e.journal_id = j.id
    union all select 'account ' || to_jsonb(a)::text from ledger_balances a
    union all select 'month ' || to_jsonb(m)::text from (
      select merchant_id, month, kind, account, sum(amount) as amount, sum(journals) as journals
        from ledger_month_sums group by merchant_id, month, kind, account) m
    union all select 'incident ' || (to_jsonb(i) - 'id')::text from incidents i`.execute(db);
  const nameAll = (line: string): string =>
    line.replaceAll(
      /0x[0-9a-f]{40}\b|(?:mer|pay|crd)_\w+/gi,
      (id) => names.get(id) ?? names.get(id.toLowerCase()) ?? id,
    );
  return rows.map(({ line }) => nameAll(line)).sort();
}

describe('transfers that come first are taken in together as they are one by one', () => {
  let worlds: [PaymentWorld, PaymentWorld];
  beforeAll(async () => {
    const settings = { paymentFeeBps: 130, paymentToleranceBps: 50, paymentToleranceMax: '1.00' };
    worlds = [await createPaymentWorld(settings), await createPaymentWorld(settings)];
  });
  afterAll(async () => {
    for (const world of worlds) await world.close();
  });

  test('whatever comes: the same payments, transfers, journals, balances and events', async () => {
    const [together, alone] = worlds;
    const told: [Payment[], Payment[]] = [[], []];
    const seen = new Set<string>();
    const isEqual = async (): Promise<void> => {
      expect(await readAll(together, told[0])).toEqual(await readAll(alone, told[1]));
      const rows = await together.db.selectFrom('payments').select(['status', 'exception']).execute();
      for (const { status, exception } of rows) seen.add(`${status}, ${exception ?? 'as asked'}`);
    };
    for (const seed of [2, 3]) {
      const random = randomOf(seed);
      const stories = Array.from({ length: 30 }, () => storyOf(random));
      for (const [at, world] of worlds.entries()) {
        await world.head(15);
        for (const [i, story] of stories.entries()) told[at]?.push(await tell(world, story, `${seed}${i}`));
      }
      expect((await listFirstSights(together.db, '', 100)).refs.length).toBeGreaterThan(15);
      await runApply(together);
      await runAlone(alone);
      await isEqual();
      for (const world of worlds) await world.head(30); // All lies deep.
      await runApply(together);
      await runAlone(alone);
      await isEqual();
      for (const world of worlds) await world.orphan(17); // A reorg deeper than is waited for.
      await runApply(together);
      await runAlone(alone);
      await isEqual();
    }
    const stories = [
      ...['initiated, wrong_token', 'pending, as asked', 'confirming, as asked', 'paid, as asked', 'paid, overpaid'],
    ];
    expect([...seen]).toEqual(expect.arrayContaining(stories));
  });
});

describe('a batch of first transfers', () => {
  let world: PaymentWorld;
  let owner: pg.Client;
  beforeAll(async () => {
    world = await createPaymentWorld();
    owner = await connectOwner(world.database);
  });
  beforeEach(() => world.head(100, START));
  afterAll(async () => {
    await owner.end();
    await world.close();
  });

  /** Payments with a transfer each of what they ask, which wait to be taken in. */
  async function letWait(count: number, name: string, height = 20): Promise<Payment[]> {
    const payments: Payment[] = [];
    for (let i = 0; i < count; i += 1) {
      const payment = await world.create();
      await world.arrive(payment, 100n * USDT, { height, tx: `0x${name}${i}` });
      payments.push(payment);
    }
    return payments;
  }

  const statusesOf = async (payments: readonly Payment[]): Promise<string[]> => {
    const ids = payments.map(({ id }) => id);
    const rows = await world.db.selectFrom('payments').select(['id', 'status']).where('id', 'in', ids).execute();
    return ids.map((id) => rows.find((row) => row.id === id)?.status ?? 'gone');
  };

  const balanceOf = async (): Promise<bigint> => (await world.balances()).available ?? 0n;

  /** How many of these payments have exactly one journal of their transfer, and one of a move. */
  async function countBookedOnce(payments: readonly Payment[]): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from (
        select from journals where payment_id = any (${payments.map(({ id }) => id)}::text[]) group by payment_id
        having count(*) filter (where kind = 'credit') = 1 and count(*) filter (where kind = 'payment.moved') = 1)
        as once`.execute(world.db);
    return rows[0]?.count ?? 0;
  }

  const areWaiting = (count: number) =>
    expect
      .poll(async () => {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          world.db,
        );
        return rows.length;
      })
      .toBe(count);

  test('with one that fails parks that one alone, and takes in the others', async () => {
    const payments = await letWait(60, 'mixed');
    const poisoned = payments[17]!;
    const failing: Deps = {
      listeners: [
        async (_trx, moves) => {
          if (moves.some(({ payment }) => payment.id === poisoned.id)) throw new Error('a fault of ours');
        },
      ],
    };
    const logged: string[] = [];
    await runApply(world, failing, (_error, message) => void logged.push(message));
    const statuses = await statusesOf(payments);
    expect(statuses.filter((status) => status === 'paid')).toHaveLength(59);
    expect(statuses[17]).toBe('initiated');
    expect(await countBookedOnce(payments)).toBe(59);
    const incidents = await world.db.selectFrom('incidents').select(['kind', 'subject']).execute();
    expect(incidents).toEqual([{ kind: 'payment.parked', subject: poisoned.id }]);
    // 60, 30, 15, 8, 4, 2 and 1, and then alone.
    expect(logged).toHaveLength(8);
    expect(logged.at(-1)).toBe(`payment ${poisoned.id} failed and is parked`);
  });

  test('is taken in once, however many processes do so at the same time', async () => {
    const payments = await letWait(250, 'raced');
    const before = await balanceOf();
    const others = Array.from({ length: 2 }, () =>
      openDatabase({ url: world.database.url, poolMax: 4, applicationName: 'test', onError: () => {} }),
    );
    const logged: string[] = [];
    const log: Log = (error, message) => void logged.push(`${message}: ${error}`);
    await Promise.all([world.db, ...others].map((db) => runApply(world, {}, log, db)));
    for (const db of others) await db.destroy();
    expect(logged).toEqual([]);
    expect(new Set(await statusesOf(payments))).toEqual(new Set(['paid']));
    expect(await countBookedOnce(payments)).toBe(250);
    expect((await balanceOf()) - before).toBe(250n * 100n * USDT);
  });

  test('leaves out what somebody else has locked, and a transfer that a reorg is taking', async () => {
    const [held, taken, other] = [
      ...(await letWait(1, 'held')),
      ...(await letWait(1, 'taken', 60)),
      ...(await letWait(1, 'left')),
    ];
    await owner.query('begin');
    await owner.query('select 1 from payments where id = $1 for no key update', [held?.id]);
    await owner.query('update credits set canonical = false where payment_id = $1', [taken?.id]);
    const logged: string[] = [];
    await runApply(world, {}, (_error, message) => void logged.push(message));
    const all = [held!, taken!, other!];
    expect(logged).toEqual([]); // It waited for nobody.
    expect(await statusesOf(all)).toEqual(['initiated', 'initiated', 'paid']);
    await owner.query('commit');
    await runApply(world);
    expect(await statusesOf(all)).toEqual(['paid', 'initiated', 'paid']);
    expect(await countBookedOnce(all)).toBe(2);
  });

  test('books what a reorg takes meanwhile, and gives it back right after', async () => {
    const payments = await letWait(3, 'meanwhile', 70);
    const before = await balanceOf();
    await owner.query('begin');
    await owner.query('select lock_accounts($1)', [[`${world.merchantId}:available`]]);
    const applying = runApply(world);
    await areWaiting(1);
    const orphaning = world.orphan(69);
    await areWaiting(2);
    await owner.query('rollback');
    await applying;
    await orphaning;
    expect(await statusesOf(payments)).toEqual(['paid', 'paid', 'paid']);
    await runApply(world);
    expect(await balanceOf()).toBe(before);
    const canonical = await sql<{ kind: string; count: number }>`
      select kind, count(*)::integer as count from journals
       where payment_id = any (${payments.map(({ id }) => id)}::text[]) and kind like 'credit%'
       group by kind order by kind`.execute(world.db);
    expect(canonical.rows).toEqual([
      { kind: 'credit', count: 3 },
      { kind: 'credit.reversed', count: 3 },
    ]);
  });

  test('is looked for only while something waits that may be taken in, confirmed or shown by others', async () => {
    const waits = async (): Promise<[boolean, boolean]> => {
      const { rows } = await sql<{ due: boolean; second: boolean }>`
        select ${isAnyDue} as due, ${isAnyToSecond} as second`.execute(world.db);
      return [rows[0]?.due ?? false, rows[0]?.second ?? false];
    };
    await runApply(world);
    expect(await waits()).toEqual([false, false]);
    const [payment] = (await letWait(1, 'probed', 100)) as [Payment];
    expect(await waits()).toEqual([true, false]);
    await runApply(world);
    expect(await waits()).toEqual([false, false]); // Not deep yet.
    await world.db.updateTable('chain_cursors').set({ second_opinion_from: 1n }).execute();
    await world.head(101);
    expect(await waits()).toEqual([false, true]);
    await world.db.updateTable('credits').set({ seconded_at: START }).where('payment_id', '=', payment.id).execute();
    expect(await waits()).toEqual([true, false]);
    await runApply(world);
    expect([await waits(), await statusesOf([payment])]).toEqual([[false, false], ['paid']]);
    await world.db.updateTable('chain_cursors').set({ second_opinion_from: null }).execute();
  });

  test('is told from thousands of tiny transfers to one payment without asking each of them about all others', async () => {
    const [payment] = (await letWait(1, 'dusted', 120)) as [Payment];
    const differing = sql`jsonb_build_object('id', c.id || n, 'transfer_index', n)`;
    await copyCredits(world.db, sql`c.payment_id = ${payment.id}`, differing, 15_000);
    const owner = await connectOwner(world.database);
    // As autovacuum does soon. In the middle of a run of all tests a plan without it took longer than a statement may.
    await owner.query('analyze credits');
    await owner.end();
    const tookMs = await leastOfFive(1000, async () => {
      const started = performance.now();
      const from = { after: '', limit: 500 };
      expect(await listDuePayments(world.db, from, { condition: sql`true`, except: isFirstSight })).toEqual({
        refs: [{ id: payment.id }],
        last: null,
      });
      expect((await listFirstSights(world.db, '', 500)).refs).toEqual([]);
      return performance.now() - started;
    });
    expect(tookMs).toBeLessThan(1000);
  });
});
