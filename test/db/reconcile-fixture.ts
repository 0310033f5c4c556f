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

/** Runs statements as the owner of the tables with every guard disabled, as only a tamperer could. */
export async function tamper(
  world: Pick<PaymentWorld, 'database'>,
  ...statements: RawBuilder<unknown>[]
): Promise<void> {
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
