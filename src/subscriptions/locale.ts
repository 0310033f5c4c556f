import { sql } from 'kysely';
import type { Db } from '../lib/db-types.ts';
import type { Locale } from '../payments/types.ts';

/**
 * Remembers in which language a customer reads what they are to agree to, until they do: who looks at it later may be
 * the merchant. Writes nothing where that is known, and does not wait for whoever moves the subscription just now.
 */
export async function rememberCustomerLocale(db: Db, subscriptionId: string, locale: Locale): Promise<void> {
  await sql`
    update subscriptions set locale = ${locale}
     where id in (select id from subscriptions
                   where id = ${subscriptionId} and mandate_status = 'pending' and locale is distinct from ${locale}
                     for no key update skip locked)`.execute(db);
}
