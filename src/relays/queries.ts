import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Relays } from '../../generated/db.ts';
import { isAny } from '../db/is-any.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import type { SignMethod } from '../ports/signed-transfers.ts';
import type { Relay, RelayReason, RelayState, RelayStatus } from './relay.ts';

/** What was signed for a payment; undefined when nothing was. */
export async function findRelay(db: Db | Trx, paymentId: string): Promise<Relay | undefined> {
  const row = await db.selectFrom('relays').selectAll().where('payment_id', '=', paymentId).executeTakeFirst();
  return row && toRelay(row);
}

/** The same, locked. The payment has to be locked before. */
export async function lockRelay(trx: Trx, paymentId: string): Promise<Relay | undefined> {
  const { rows } = await sql<Selectable<Relays>>`
    select * from relays where payment_id = ${paymentId} for update`.execute(trx);
  return rows[0] && toRelay(rows[0]);
}

/** Stores what was signed for a payment, in the place of what was refused before. */
export async function saveSigned(trx: Trx, relay: Relay, now: Date): Promise<void> {
  const { validAfter, validBefore, paymentId, merchantId, sentBy, permit, ...rest } = relay;
  const period = { valid_after: BigInt(validAfter), valid_before: BigInt(validBefore) };
  const allowance = {
    permit_signature: permit?.signature ?? null,
    permit_deadline: permit ? BigInt(permit.deadline) : null,
  };
  const row = { ...rest, ...period, ...allowance, sent_by: sentBy, next_try_at: null, updated_at: now };
  await trx
    .insertInto('relays')
    .values({ ...row, payment_id: paymentId, merchant_id: merchantId, created_at: now })
    // Its age is that of the newest signature, which counts for the limits of a day.
    .onConflict((conflict) => conflict.column('payment_id').doUpdateSet({ ...row, created_at: now }))
    .execute();
}

/** Notes that a transaction of ours with so much gas at most carries a relay that is locked. */
export async function saveSent(
  trx: Trx,
  paymentId: string,
  { sentBy, gas }: { readonly sentBy: string; readonly gas: bigint },
  now: Date,
): Promise<void> {
  const sent = { status: 'sent', reason: null, sent_by: sentBy, gas, next_try_at: null, updated_at: now };
  await trx.updateTable('relays').set(sent).where('payment_id', '=', paymentId).execute();
}

/** Stores the state of a relay that is locked. */
export async function saveState(trx: Trx, paymentId: string, state: RelayState, now: Date): Promise<void> {
  const { sentBy, ...rest } = state;
  await trx
    .updateTable('relays')
    .set({ ...rest, sent_by: sentBy, next_try_at: null, updated_at: now })
    .where('payment_id', '=', paymentId)
    .execute();
}

/** Lets a signature wait until `nextTryAt`, unless it was sent or replaced meanwhile. */
export async function putOff(
  db: Db | Trx,
  { paymentId, signature }: Pick<Relay, 'paymentId' | 'signature'>,
  nextTryAt: Date,
): Promise<void> {
  await db
    .updateTable('relays')
    .set({ next_try_at: nextTryAt })
    .where('payment_id', '=', paymentId)
    .where('signature', '=', signature)
    .where('status', '=', sql.lit('signed'))
    .execute();
}

/** Stores what became of a relay's transaction, unless another one carries it by now. */
export async function saveOutcome(trx: Trx, transactionId: string, state: RelayState, now: Date): Promise<void> {
  await trx
    .updateTable('relays')
    .set({ status: state.status, sent_by: state.sentBy, updated_at: now })
    .where('sent_by', '=', transactionId)
    .where('status', '!=', state.status)
    .execute();
}

/** Whether anything is due on any network. */
export const hasDue = (now: Date): RawBuilder<boolean> =>
  isAny(sql`
  relays where status = 'signed' and (next_try_at is null or next_try_at <= ${now}) order by network, created_at`);

/** What is due on a network: what was never tried first, so that nothing which waits keeps it waiting, too. */
export async function listDue(db: Db, network: string, limit: number, now: Date): Promise<Relay[]> {
  const rows = await db
    .selectFrom('relays')
    .selectAll()
    .where('network', '=', network)
    .where('status', '=', sql.lit('signed'))
    .where((eb) => eb.or([eb('next_try_at', 'is', null), eb('next_try_at', '<=', now)]))
    .orderBy('next_try_at', (order) => order.asc().nullsFirst())
    .orderBy('created_at')
    .limit(limit)
    .execute();
  return rows.map(toRelay);
}

/** How many signatures a wallet has brought since then. Others wait for the end of the transaction. */
export async function countSigned(trx: Trx, payer: string, since: Date): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('relays'), 0)`.execute(trx);
  const { rows } = await sql<{ signed: number }>`
    select count(*)::integer as signed from relays where payer = ${payer} and created_at > ${since}`.execute(trx);
  return rows[0]?.signed ?? 0;
}

/** How many transfers of a merchant's payments were sent of those that were signed since then. */
export async function countSent(db: Db | Trx, merchantId: string, since: Date): Promise<number> {
  const { rows } = await sql<{ sent: number }>`
    select count(*)::integer as sent from relays
     where merchant_id = ${merchantId} and created_at > ${since} and status in ('sent', 'done', 'reverted')`.execute(
    db,
  );
  return rows[0]?.sent ?? 0;
}

/** The most that processes of the release before gave one, which stored no limit. */
const UNKNOWN_GAS = 260_000;

/** The gas limits of these transactions that carry signed transfers, together, by network. */
export async function sumGas(
  db: Db | Trx,
  ids: readonly string[],
): Promise<readonly { readonly network: string; readonly gas: bigint }[]> {
  const { rows } = await sql<{ network: string; gas: string }>`
    select network, sum(coalesce(gas, ${UNKNOWN_GAS}))::text as gas
      from relays where sent_by = any(${ids}::text[]) group by network`.execute(db);
  return rows.map(({ network, gas }) => ({ network, gas: BigInt(gas) }));
}

/** Lets others who want to send wait for the end of the transaction, so that nobody counts too few. */
export async function lockSending(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('relays'), 1)`.execute(trx);
}

/** Whether a transfer of this wallet has failed on a chain since then. */
export async function hasReverted(db: Db | Trx, payer: string, since: Date): Promise<boolean> {
  const { rows } = await sql<{ reverted: boolean }>`
    select exists (select from relays
                    where payer = ${payer} and status = 'reverted' and updated_at > ${since}) as reverted`.execute(db);
  return rows[0]?.reverted ?? false;
}

/** The transactions of ours that carry a wallet's transfers on a network and are not confirmed yet. */
export async function listSentBy(
  db: Db | Trx,
  { payer, network }: Pick<Relay, 'payer' | 'network'>,
): Promise<readonly string[]> {
  const { rows } = await sql<{ sent_by: string }>`
    select sent_by from relays where payer = ${payer} and network = ${network} and status = 'sent'`.execute(db);
  return rows.map(({ sent_by }) => sent_by);
}

/** When the next signature is due. The sandbox's clock stays behind it. */
export async function nextDue(db: Db): Promise<Date | null> {
  const { due } = await db
    .selectFrom('relays')
    .select((eb) => eb.fn.min(eb.fn.coalesce('next_try_at', 'created_at')).as('due'))
    .where('status', '=', sql.lit('signed'))
    .executeTakeFirstOrThrow();
  return due ?? null;
}

const toRelay = (row: Selectable<Relays>): Relay => ({
  paymentId: row.payment_id,
  merchantId: row.merchant_id,
  network: row.network,
  contract: row.contract,
  method: row.method as SignMethod,
  payer: row.payer,
  recipient: row.recipient,
  units: row.units,
  validAfter: Number(row.valid_after),
  validBefore: Number(row.valid_before),
  nonce: row.nonce,
  signature: row.signature,
  permit:
    row.permit_signature === null ? null : { signature: row.permit_signature, deadline: Number(row.permit_deadline) },
  status: row.status as RelayStatus,
  reason: row.reason as RelayReason | null,
  sentBy: row.sent_by,
});
