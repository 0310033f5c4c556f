import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { insertSubscription } from '../../src/subscriptions/queries.ts';
import { subscribe } from '../../src/subscriptions/schedule/new-subscription.ts';
import { connectOwner } from '../support/database.ts';
import { createPaymentWorld, type PaymentWorld, START } from '../support/payments.ts';

const WALLET = '0x00000000000000000000000000000000000000c1';
const LATER = new Date(START.getTime() + 86_400_000);

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

/** The database's answer to a change that a faulty program might make; it is rolled back either way. */
async function answerTo(change: string, values: unknown[] = []): Promise<string> {
  await owner.query('begin');
  const answer = await owner.query(change, values).then(
    ({ rowCount }) => `${rowCount} changed`,
    (error: Error) => error.message,
  );
  await owner.query('rollback');
  return answer;
}

describe('the database guards a payment', () => {
  let id: string;
  beforeAll(async () => {
    ({ id } = await world.create());
  });

  test.each([
    [`status = 'pending'`, '1 changed'],
    [`description = 'another one'`, '1 changed'],
    [`status = 'failed', reason = 'why not'`, 'can not move from initiated to failed'],
    ['amount_minor = amount_minor + 1', 'can not change what it asks'],
    [`currency = 'LKR'`, 'can not change what it asks'],
    ['amount_micro = amount_micro - 1', 'can not change what it asks'],
  ])('%s → %s', async (change, answer) => {
    expect(await answerTo(`update payments set ${change} where id = $1`, [id])).toContain(answer);
  });
});

describe('the database books no coin without a rate', () => {
  let id: string;
  beforeAll(async () => {
    const payment = await world.create();
    await world.arrive(payment, 1n);
    ({ id } = await world.db.selectFrom('credits').select('id').executeTakeFirstOrThrow());
  });

  test.each([
    ['booked_micro = 0', '1 changed'],
    [`token = 'ETH'`, '1 changed'],
    [`token = 'ETH', booked_micro = 0`, 'credits_booked_by_rate'],
    [`token = 'ETH', booked_micro = 0, rate = '{}'`, '1 changed'],
  ])('%s → %s', async (change, answer) => {
    expect(await answerTo(`update credits set ${change} where id = $1`, [id])).toContain(answer);
  });
});

describe('the database guards a subscription and its charge', () => {
  beforeAll(async () => {
    const { db, merchantId } = world;
    const plan = { id: 'plan_guards', merchant_id: merchantId, name: 'Tea', amount_minor: 500n, currency: 'USD' };
    const rest = { interval: 'weekly', token: 'USDT', network: 'devnet', created_at: START, updated_at: START };
    await db
      .insertInto('plans')
      .values({ ...plan, ...rest })
      .execute();
    const { next } = subscribe({ interval: 'weekly', trialDays: 0, mandateDeadlineHours: 72 }, START);
    await inTransaction(db, (trx) =>
      insertSubscription(trx, {
        ...{ ...next, id: 'sub_guards', merchantId, planId: plan.id, wallet: WALLET, mandateId: null, nextNumber: 2 },
        ...{
          customerEmail: 'nimal@example.org',
          locale: null,
          customerName: 'Nimal',
          subscribedBy: 'merchant',
          amountMinor: 500n,
          currency: 'USD',
        },
        ...{ network: 'devnet', token: 'USDT', eventSequence: 0, createdAt: START, updatedAt: START },
      }),
    );
    await sql`
      insert into charges (id, subscription_id, merchant_id, number, period_start, period_end, status, due_at,
                           amount_minor, currency, network, token, created_at, updated_at)
      values ('chg_guards', 'sub_guards', ${merchantId}, 1, ${START}, ${LATER}, 'due', ${START},
              500, 'USD', 'devnet', 'USDT', ${START}, ${START})`.execute(db);
  });

  test.each([
    ['subscriptions', `status = 'past_due'`, '1 changed'],
    ['subscriptions', 'next_number = 3', '1 changed'],
    ['subscriptions', `status = 'trialing', trial_end = now()`, 'can not move from active to trialing'],
    ['subscriptions', `wallet = replace(wallet, 'c1', 'c2')`, 'can not change what was agreed'],
    ['subscriptions', `subscribed_by = 'customer'`, 'can not change who made it'],
    ['subscriptions', 'amount_minor = 501', 'can not change what was agreed'],
    ['subscriptions', 'next_number = 1', 'can not change to an earlier period'],
    ['subscriptions', 'period_number = 0', 'can not change to an earlier period'],
    ['charges', `status = 'void', due_at = null, finished_at = now(), void_reason = 'late'`, '1 changed'],
    ['charges', `failure_code = 'token_blocked'`, '1 changed'],
    ['charges', 'number = 2', 'can not change what it asks'],
    ['charges', 'amount_minor = 499', 'can not change what it asks'],
  ])('%s: %s → %s', async (table, change, answer) => {
    expect(await answerTo(`update ${table} set ${change}`)).toContain(answer);
  });

  test('a failed charge cannot be sent before it is due again', async () => {
    await owner.query('begin');
    await owner.query(`update charges set status = 'failed', due_at = null, failure_code = 'token_blocked'`);
    const sent = owner.query(`update charges set status = 'sending', units = 1, transaction_id = 'optx_x'`);
    await expect(sent).rejects.toThrow('charge chg_guards can not move from failed to sending');
    await owner.query('rollback');
  });
});

describe('the database guards the ledger', () => {
  test.each([
    ['delete from ledger_accounts', 'is append-only'],
    [`update ledger_accounts set id = id || 'x'`, 'is append-only'],
    ['truncate ledger_accounts cascade', 'is append-only'],
    [
      `insert into entries (journal_id, account_id, amount, created_at) values ('je_none', 'external:x', 1, now())`,
      'je_none',
    ],
  ])('refuses even the owner: %s', async (change, answer) => {
    expect(await answerTo(change)).toContain(answer);
  });

  test('entries need existing accounts', async () => {
    const journal = `insert into journals (id, kind, ref, created_at) values ('je_guards', 'test', 'guards', now())`;
    const entries = `insert into entries (journal_id, account_id, amount, created_at)
      values ('je_guards', 'external:nowhere', 1, now()), ('je_guards', 'external:neither', -1, now())`;
    expect(await answerTo(`with journal as (${journal}) ${entries}`)).toMatch(/account external:\w+ does not exist/);
  });
});
