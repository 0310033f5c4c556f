import { sql } from 'kysely';
import type pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listDeep, listDoubted } from '../../src/chains/operator/transitions.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { lockUnalerted } from '../../src/incidents/alert-queries.ts';
import { isAnyDue, listDuePayments } from '../../src/payments/due.ts';
import { payPlain } from '../../src/payments/pay-plain.ts';
import { alignUncollectedIncidents } from '../../src/subscriptions/charging/incidents.ts';
import { isAnyToRelay, listToRelay } from '../../src/subscriptions/mandates/queries.ts';
import { buffersOf } from '../support/buffers.ts';
import { connectOwner, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { fillRows, loosenRows } from '../support/loose-rows.ts';

const NOW = new Date();

let database: TestDatabase;
let owner: pg.Client;
beforeEach(async () => {
  database = await createTestDatabase();
  owner = await connectOwner(database);
  await loosenRows(owner);
});
afterEach(async () => {
  await owner.end();
  await database.drop();
});

const fill = (table: string, count: number, columns: Readonly<Record<string, string>>) =>
  fillRows(owner, table, count, columns);

test('payments that wait for a second endpoint are not looked up for those that could be confirmed', async () => {
  const paid = { status: `'paid'`, paid_at: 'now()', expires_at: 'now()' };
  const credit = { network: `'n1'`, tx_hash: `'0x' || g`, applied_at: 'now()', value_e18: '25e18', canonical: 'true' };
  await fill('chain_cursors', 1, {
    ...{ network: `'n1'`, height: '9000', head_height: '9000', confirmed_height: '8000', second_opinion_from: '1' },
  });
  await fill('payments', 10_000, { ...paid, id: `'pay_a' || g` });
  const over = { confirmed_at: 'now()', final_at: 'now()', block_number: 'g' };
  await fill('credits', 10_000, { ...credit, ...over, id: `'crd_a' || g`, payment_id: `'pay_a' || g` });
  await owner.query('analyze');
  await fill('payments', 2_000, { ...paid, id: `'pay_w' || g`, status: `'confirming'`, credit_count: '1' });
  const waits = { id: `'crd_w' || g`, payment_id: `'pay_w' || g`, tx_hash: `'0xw' || g`, block_number: '5000 + g' };
  await fill('credits', 2_000, { ...credit, ...waits });

  const all = { condition: sql<boolean>`true`, except: sql<boolean>`false` };
  const buffers = await buffersOf(database, async (db) => {
    expect((await sql<{ due: boolean }>`select ${isAnyDue} as due`.execute(db)).rows).toEqual([{ due: false }]);
    expect((await listDuePayments(db, { after: '', limit: 500 }, all)).refs).toEqual([]);
    expect(await payPlain(db, {} as never, 200, NOW)).toBe(0);
  });
  expect(buffers).toBeLessThan(1_000);
});

test('mandates that are held back are passed over for those to look at', async () => {
  const signed = { network: `'n1'`, signature: `'0x'`, submitted_at: 'now()' };
  await fill('mandates', 10_000, { ...signed, id: `'0xa' || g`, authorized_at: 'now()' });
  await owner.query('analyze');
  await fill('mandates', 3_000, { ...signed, id: `'0xw' || g`, relay_look_at: `now() + interval '1 hour'` });
  const buffers = () =>
    buffersOf(database, async (db) => {
      const any = sql<{ due: boolean }>`select ${isAnyToRelay(['n1'], NOW)} as due`;
      expect((await any.execute(db)).rows).toEqual([{ due: false }]);
      expect(await listToRelay(db, 'n1', NOW, 50)).toEqual([]);
    });
  expect(await buffers()).toBeLessThan(20);
  await owner.query('analyze');
  expect(await buffers()).toBeLessThan(20);
});

test('incidents that came and went untold are passed over for those of which to tell', async () => {
  const of = (opened: string, told: string) => ({
    ...{ kind: `'chain.endpoint'`, subject: `'n1'`, message: `'away'`, opened_at: opened, last_seen_at: opened },
    ...{ resolved_at: opened, logged_at: 'now()', alerted_at: told },
  });
  await fill('incidents', 10_000, of(`now() - interval '3 days'`, 'now()'));
  await owner.query('analyze');
  await fill('incidents', 3_000, of(`now() - interval '2 days'`, 'null'));
  const buffers = (found: number) =>
    buffersOf(database, (db) =>
      inTransaction(db, async (trx) => expect(await lockUnalerted(trx, NOW, 5_000)).toHaveLength(found)),
    );
  expect(await buffers(0)).toBeLessThan(20);
  await owner.query('analyze');
  expect(await buffers(0)).toBeLessThan(20);
  await fill('incidents', 1, of(`now() - interval '1 hour'`, 'null'));
  await fill('incidents', 1, { ...of(`now() - interval '2 days'`, 'null'), resolved_at: 'null' });
  expect(await buffers(2)).toBeLessThan(40);
});

test('what our transactions were once confirmed in, or wait in, is not read to find those of doubtful or deep blocks', async () => {
  const sent = { network: `'n1'`, address: `'0xa'`, block_hash: `'0xb'`, mined_attempt: '1', succeeded: 'true' };
  const at = { height: '100000', head_height: '100000', confirmed_height: '99000' };
  await fill('chain_cursors', 1, { network: `'n1'`, ...at });
  await fill('chain_blocks', 3_000, { network: `'n1'`, height: '97000 + g', hash: `'0xb' || g` });
  const over = { id: `'otx_a' || g`, nonce: 'g', status: `'confirmed'`, block_number: '9 * g' };
  await fill('operator_transactions', 10_000, { ...sent, ...over });
  await fill('operator_signatures', 10_000, { transaction_id: `'otx_a' || g`, attempt: '1', hash: `'0x' || g` });
  await owner.query('analyze');
  const work = (find: typeof listDeep) => buffersOf(database, async (db) => expect(await find(db, 'n1')).toEqual([]));
  expect(await work(listDoubted)).toBeLessThan(60);
  const waits = { id: `'otx_w' || g`, nonce: '90000 + g', status: `'mined'`, block_number: '99000 + g % 900 + 1' };
  await fill('operator_transactions', 3_000, { ...sent, ...waits });
  expect(await work(listDeep)).toBeLessThan(60);
});

test('customers who have to agree on other networks are not read for one that collects nothing any more', async () => {
  const asked = { plan_id: `'pln_' || g`, network: `'n2'`, mandate_status: `'pending'` };
  await fill('subscriptions', 5_000, { ...asked, id: `'sub_a' || g`, status: `'cancelled'`, cancelled_at: 'now()' });
  await owner.query('analyze');
  await fill('subscriptions', 3_000, { ...asked, id: `'sub_w' || g`, wallet: `'0xw' || g`, status: `'active'` });
  expect(await buffersOf(database, (db) => alignUncollectedIncidents(db, ['n1'], NOW))).toBeLessThan(20);
});
