import { sql } from 'kysely';
import type { Db } from '../lib/db-types.ts';
import type { Locale } from './types.ts';

/**
 * Remembers in which language a payer reads the pages of a payment, until it is paid: who looks at it later may be its
 * merchant. Writes nothing where that is known, and does not wait for whoever moves the payment just now: the page is
 * opened again.
 */
export async function rememberLocale(db: Db, paymentId: string, locale: Locale): Promise<void> {
  await sql`
    update payments set locale = ${locale}
     where id in (select id from payments
                   where id = ${paymentId} and status <> 'paid' and locale is distinct from ${locale}
                     for no key update skip locked)`.execute(db);
}
