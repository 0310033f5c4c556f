import { type RawBuilder, sql } from 'kysely';
import { openDatabase } from '../../src/db/database.ts';
import type { Payment } from '../../src/payments/types.ts';
import { createPaymentWorld, type PaymentWorld } from '../support/payments.ts';

export const USDT = 1_000_000n;

/** A service of its own for the duration of `work`. */
export async function withWorld(work: (world: PaymentWorld) => Promise<void>): Promise<void> {
  const world = await createPaymentWorld({ paymentFeeBps: 100 });
  try {
    await work(world);
  } finally {
    await world.close();
  }
}

/** One paid and one confirming payment, each with one transfer of 100 dollars. */
export async function live(world: PaymentWorld): Promise<{ paid: Payment; confirming: Payment }> {
  const [paid, confirming] = [await world.create(), await world.create()];
  await world.arrive(paid, 100n * USDT, { height: 10, tx: '0xpaid' });
  await world.arrive(confirming, 100n * USDT, { height: 11, tx: '0xconfirming' });
  await world.head(11);
  return { paid: await world.apply(paid), confirming: await world.apply(confirming) };
}

type Database = Pick<PaymentWorld, 'database'>;

/**
 * Runs statements as the owner of the tables with every guard disabled, as only a tamperer could, one who also brings
 * the sums by month and the totals in line: so each test sees what else finds it.
 */
export const tamper = (world: Database, ...statements: RawBuilder<unknown>[]): Promise<void> =>
  tamperOnly(world, ...statements, sql`delete from ledger_months`, sql`delete from month_deltas`, SUM_MONTHS, RECOUNT);

/** The same, and nothing beyond these statements. */
export async function tamperOnly(world: Database, ...statements: RawBuilder<unknown>[]): Promise<void> {
  const owner = openDatabase({ url: world.database.ownerUrl, poolMax: 1, applicationName: 'test', onError: () => {} });
  try {
    for (const table of ['journals', 'entries', 'payments', 'withdrawals', 'events']) {
      await sql`alter table ${sql.table(table)} disable trigger user`.execute(owner);
    }
    for (const statement of statements) await statement.execute(owner);
  } finally {
    await owner.destroy();
  }
}

const RECOUNT = sql`select rebuild_tallies(list) from (select distinct list from tallied_rows) as l`;

/** What the trigger `sum_month` would have made of the journals. */
const SUM_MONTHS = sql`
  insert into ledger_months (merchant_id, month, kind, account, amount, journals)
  select merchant, month, kind, account, sum(amount), count(*) filter (where line = 1)
    from (select coalesce(a.owner_id, j.merchant_id) as merchant, j.kind, a.kind as account, e.amount,
                 date_trunc('month', e.created_at at time zone 'UTC')::date as month,
                 row_number() over (partition by j.id order by e.account_id) as line
            from entries e join journals j on j.id = e.journal_id join ledger_accounts a on a.id = e.account_id
           where a.owner_id is not null or a.kind = 'fees' and j.merchant_id is not null) as lines
   group by merchant, month, kind, account`;
