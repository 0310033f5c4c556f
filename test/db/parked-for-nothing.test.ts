import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAlone } from '../../src/db/batches.ts';
import { withDatabase } from '../../src/db/database.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { monotonicMs } from '../../src/lib/clock.ts';
import type { PaymentListener } from '../../src/payments/announce.ts';
import { parkCredits, unparkCredits } from '../../src/payments/credits.ts';
import { paymentJobs } from '../../src/payments/jobs.ts';
import { copyCredits } from '../support/copy-credits.ts';
import { connectOwner } from '../support/database.ts';
import { createPaymentWorld, type PaymentWorld, START } from '../support/payments.ts';

let world: PaymentWorld;
let owner: pg.Client;
beforeAll(async () => {
  world = await createPaymentWorld();
  owner = await connectOwner(world.database);
});
afterAll(async () => {
  await owner.end();
  await world.close();
});

/** As a process does that was stopped, or its machine suspended: it goes on with the same statement, only later. */
function sleepWithoutTurns(ms: number): void {
  const until = monotonicMs() + ms;
  while (monotonicMs() < until);
}

test('a process that slept within a transaction, whose session PostgreSQL has ended, parks no payment', async () => {
  await world.head(100);
  const payment = await world.create();
  await world.arrive(payment, 100_000_000n, { height: 10, tx: '0xslept' });
  const sleeps: PaymentListener = async (trx) => {
    await sql`set local idle_in_transaction_session_timeout = 50`.execute(trx);
    sleepWithoutTurns(300);
    await sql`select 1`.execute(trx);
  };
  const run = async (listeners: readonly PaymentListener[]): Promise<void> => {
    const [apply] = paymentJobs({ ...world.deps, listeners, db: world.db, log: () => undefined });
    await apply?.run({ now: START, real: START, signal: new AbortController().signal });
  };
  await expect(run([sleeps])).rejects.toThrow(/idle-in-transaction/);
  const { rows } = await owner.query('select failure, parked_at from credits where payment_id = $1', [payment.id]);
  expect(rows).toEqual([{ failure: null, parked_at: null }]);
  await run([]);
  const { rows: paid } = await owner.query('select status from payments where id = $1', [payment.id]);
  expect(paid).toEqual([{ status: 'paid' }]);
});

test.for([
  ['a role that is not let in', { username: 'kasi_nobody' }, '28000'],
  ['a database that is not there', { pathname: '/kasi_nowhere' }, '3D000'],
] as const)('nor does %s: no connection says anything about an item', async ([, part, code]) => {
  const url = Object.assign(new URL(world.database.url), part).href;
  const parked: string[] = [];
  const alone = runAlone('payment', {
    run: () => withDatabase(url, 'test', (db) => inTransaction(db, (trx) => sql`select 1`.execute(trx))),
    park: async (item) => void parked.push(item),
    whenBusy: 'leave',
    describe: (item) => item,
    log: () => undefined,
  });
  await expect(alone).rejects.toMatchObject({ code });
  expect(parked).toEqual([]);
});

test('the credits of a payment are parked and returned in pieces, however many they are', async () => {
  const { db } = world;
  const payment = await world.create();
  await world.arrive(payment, 1_000_000n, { height: 10, tx: '0xmany' });
  const differing = sql`jsonb_build_object('id', c.id || n, 'tx_hash', c.tx_hash || n)`;
  await copyCredits(db, sql`c.payment_id = ${payment.id}`, differing, 10_000);
  // What one statement writes is bounded by what it can end within its time.
  await owner.query(`
    create function no_more() returns trigger language plpgsql as $$
    begin
      if (select count(*) from written) > 10000 then raise 'too many credits for one statement'; end if;
      return null;
    end $$;
    create trigger no_more after update on credits referencing new table as written
      for each statement execute function no_more()`);
  const countParked = async (): Promise<number> => {
    const { rows } = await sql<{ parked: number }>`
      select count(*)::integer as parked from credits
       where payment_id = ${payment.id} and parked_at is not null`.execute(db);
    return rows[0]!.parked;
  };
  await inTransaction(db, (trx) => parkCredits(trx, payment.id, 'it failed', START));
  expect(await countParked()).toBe(10_001);
  await inTransaction(db, (trx) => unparkCredits(trx, payment.id));
  expect(await countParked()).toBe(0);
  await owner.query('drop function no_more cascade');
});
