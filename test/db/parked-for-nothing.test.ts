import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAlone } from '../../src/db/batches.ts';
import { withDatabase } from '../../src/db/database.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { monotonicMs } from '../../src/lib/clock.ts';
import type { PaymentListener } from '../../src/payments/announce.ts';
import { paymentJobs } from '../../src/payments/jobs.ts';
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
