import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import type { Trx } from '../../src/lib/db-types.ts';
import { hasSubscribers } from '../../src/subscriptions/plans/queries.ts';
import { buffersOf } from '../support/buffers.ts';
import { createTestDatabase } from '../support/database.ts';
import { insertBareMerchant } from '../support/merchants.ts';

test('that all have left a plan is found beside the live subscriptions of others', async () => {
  const database = await createTestDatabase();
  const owner = openDatabase({ url: database.ownerUrl, poolMax: 1, applicationName: 'test', onError: () => undefined });
  try {
    await insertBareMerchant(owner, 'mer_1', new Date());
    await sql`
      insert into plans (id, merchant_id, name, amount_minor, currency, interval, token, network, created_at,
        updated_at)
      select 'plan_' || g, 'mer_1', 'Tea', 2500, 'USD', 'monthly', 'USDT', 'devnet', now(), now()
        from generate_series(0, 9) g`.execute(owner);
    await sql`
      insert into subscriptions (id, merchant_id, plan_id, customer_email, customer_name, wallet, amount_minor,
        currency, interval, token, network, status, mandate_status, anchor_at, trial_reminder_sent, period_number,
        current_period_start, current_period_end, next_number, ever_charged, charge, failures, next_action_at,
        event_sequence, created_at, updated_at, cancelled_at, cancel_reason)
      select 'sub_' || g, 'mer_1', 'plan_' || g % 10, '', '', '0xce' || lpad(to_hex(g), 38, '0'), 2500, 'USD',
             'monthly', 'USDT', 'devnet', case when g % 10 = 0 then 'cancelled' else 'active' end, 'active', now(),
             true, 1, now(), now(), 2, true, 'none', 0, now(), 1, now(), now(), case when g % 10 = 0 then now() end,
             case when g % 10 = 0 then 'requested' end from generate_series(1, 20000) g`.execute(owner);
    await sql`vacuum (analyze) subscriptions`.execute(owner);
    const ask = (plan: string) => (db: typeof owner) => hasSubscribers(db as unknown as Trx, plan);
    expect([await ask('plan_0')(owner), await ask('plan_1')(owner)]).toEqual([false, true]);
    expect(await buffersOf(database, ask('plan_0') as never)).toBeLessThan(20);
  } finally {
    await owner.destroy();
    await database.drop();
  }
});
