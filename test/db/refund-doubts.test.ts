import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { after, DAY_MS, MINUTE_MS } from '../../src/lib/clock.ts';
import { refundJobs } from '../../src/refunds/jobs.ts';
import { chainsOf } from '../support/chains.ts';
import { asOwner } from '../support/database.ts';
import { createPaymentWorld, START, TEST_NETWORK } from '../support/payments.ts';

test('doubts that can not be settled keep none behind them waiting, however many they are', async () => {
  const world = await createPaymentWorld();
  const { db, deps } = world;
  const since = after(START, -DAY_MS);
  await sql`
    insert into refund_doubts (payment_id, since)
    select 'pay_broken' || n, ${since}::timestamptz from generate_series(1, 100) n
    union all select 'pay_sound', ${after(since, MINUTE_MS)}::timestamptz`.execute(db);
  await asOwner(
    db,
    sql`
      create function keep_broken() returns trigger language plpgsql as $$
      begin
        if old.payment_id like 'pay_broken%' then raise 'it can not be settled'; end if;
        return old;
      end $$`,
  );
  await asOwner(
    db,
    sql`create trigger keep_broken before delete on refund_doubts for each row execute function keep_broken()`,
  );
  const failures: string[] = [];
  const log = (_: unknown, message: string): void => void failures.push(message);
  const jobs = refundJobs({ ...deps, chains: chainsOf(TEST_NETWORK), db, log });
  for (const { run } of jobs) await run({ now: START, real: START, signal: new AbortController().signal });
  expect(new Set(failures).size, 'each had its turn, once').toBe(100);
  expect(failures).toHaveLength(100);
  const left = await db
    .selectFrom('refund_doubts')
    .select('payment_id')
    .where('payment_id', '=', 'pay_sound')
    .execute();
  expect(left).toEqual([]);
  await world.close();
});
