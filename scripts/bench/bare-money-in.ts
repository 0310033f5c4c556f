import { sql } from 'kysely';
import { inTransaction } from '../../src/db/transaction.ts';
import { externalAccount, platformAccount } from '../../src/ledger/accounts.ts';
import type { Db, Trx } from '../../src/lib/db-types.ts';
import { piecesOf } from '../../src/lib/pieces-of.ts';

const BATCH = 100;

/**
 * Writes for payments that wait with one credit each what taking them in writes, and decides nothing: the same rows of
 * the same tables under the same locks and triggers, a statement a table for a hundred payments, on three
 * connections. `body` is that of an event.
 */
export async function takeInBare(db: Db, network: string, paymentIds: readonly string[], body: string): Promise<void> {
  const batches = [...piecesOf(paymentIds, BATCH)];
  const lane = async (): Promise<void> => {
    for (let ids = batches.shift(); ids; ids = batches.shift()) await writeBatch(db, network, ids, body);
  };
  await Promise.all([lane(), lane(), lane()]);
}

const writeBatch = (db: Db, network: string, ids: readonly string[], body: string): Promise<void> =>
  inTransaction(db, async (trx) => {
    await movePayments(trx, ids);
    await recordEvents(trx, ids, body);
    await sql`
      select from share_accounts(array(
        select distinct p.merchant_id from payments p where p.id = any (${[...ids]}::text[])))`.execute(trx);
    await book(trx, network, ids);
  });

async function movePayments(trx: Trx, ids: readonly string[]): Promise<void> {
  await sql`
    update credits set applied_at = now(), counted = true, booked_micro = div(value_e18, 1000000000000),
           confirmed_at = now() where payment_id = any (${[...ids]}::text[])`.execute(trx);
  await sql`
    update payments p set status = 'paid', credit_count = 1, tx_hash = c.tx_hash, seen_e18 = c.value_e18,
           confirmed_e18 = c.value_e18, booked_available = c.booked_micro, settled_micro = c.booked_micro,
           fee_micro = c.booked_micro / 100, moves = 1, event_sequence = 3, updated_at = now(),
           confirming_at = now(), paid_at = now()
      from credits c where c.payment_id = p.id and p.id = any (${[...ids]}::text[])`.execute(trx);
}

const recordEvents = (trx: Trx, ids: readonly string[], body: string): Promise<unknown> =>
  sql`
    insert into events (id, merchant_id, type, resource_id, sequence, body, created_at)
    select 'evt_' || p.id || e.sequence, p.merchant_id, e.type, p.id, e.sequence, convert_to(${body}, 'UTF8'), now()
      from payments p cross join (values (2, 'payment.confirming'), (3, 'payment.completed')) as e (sequence, type)
     where p.id = any (${[...ids]}::text[])`.execute(trx);

async function book(trx: Trx, network: string, ids: readonly string[]): Promise<void> {
  await sql`
    insert into journals (id, kind, ref, merchant_id, payment_id, created_at)
    select 'je_' || p.id || j.n, j.kind, p.id || '#' || j.n, p.merchant_id, p.id, now()
      from payments p cross join (values (1, 'credit'), (2, 'payment.moved')) as j (n, kind)
     where p.id = any (${[...ids]}::text[])`.execute(trx);
  await sql`
    insert into entries (journal_id, account_id, amount, created_at)
    select 'je_' || p.id || e.n, e.account, e.amount, now()
      from payments p cross join lateral (values
        (1, ${externalAccount(network, 'USDT')}::text, -p.settled_micro),
        (1, p.merchant_id || ':suspense', p.settled_micro),
        (2, p.merchant_id || ':suspense', -p.settled_micro),
        (2, p.merchant_id || ':available', p.settled_micro - p.fee_micro),
        (2, ${platformAccount('fees')}, p.fee_micro)) as e (n, account, amount)
     where p.id = any (${[...ids]}::text[]) order by e.account`.execute(trx);
}
