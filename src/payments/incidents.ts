import { sql } from 'kysely';
import type { Trx } from '../lib/db-types.ts';
import { formatUnits, MICRO_DECIMALS } from '../lib/money.ts';
import type { Payment } from './types.ts';

const PARKED = 'payment.parked';
const REVERSED = 'payment.reversed';

/** Tells people of a payment that can't be brought up to date; the same one only once. */
export async function openParkedIncident(trx: Trx, paymentId: string, failure: string, now: Date): Promise<void> {
  await openIncident(trx, PARKED, paymentId, failure, now);
}

/** What was parked went through after all. */
export async function resolveParkedIncident(trx: Trx, paymentId: string, now: Date): Promise<void> {
  await trx
    .updateTable('incidents')
    .set({ resolved_at: now })
    .where('kind', '=', PARKED)
    .where('subject', '=', paymentId)
    .where('resolved_at', 'is', null)
    .execute();
}

/** Tells people that a reorg went deeper than we wait for and took back what a merchant could already spend. */
export async function openReversalIncident(trx: Trx, payment: Payment, lostMicro: bigint, now: Date): Promise<void> {
  const lost = formatUnits(lostMicro, MICRO_DECIMALS, true);
  await openIncident(trx, REVERSED, payment.id, `A reorg took back ${lost} USD that were available.`, now);
}

async function openIncident(trx: Trx, kind: string, subject: string, message: string, now: Date): Promise<void> {
  await sql`
    insert into incidents (kind, subject, message, opened_at) values (${kind}, ${subject}, ${message}, ${now})
    on conflict (kind, subject) where resolved_at is null do nothing`.execute(trx);
}
