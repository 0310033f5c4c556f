import { sql } from 'kysely';
import type { OperatorListener } from '../../chains/operator/pass.ts';
import {
  listTransactions,
  type OperatorTransaction,
  type OperatorTransactionId,
} from '../../chains/operator/queries.ts';
import { openIncident } from '../../incidents/incidents.ts';
import { after, MINUTE_MS, SECOND_MS } from '../../lib/clock.ts';
import type { Db, Trx } from '../../lib/db-types.ts';
import type { PaymentListener } from '../../payments/announce.ts';
import type { Batch } from '../batch.ts';
import { type BatchDeps, openBatch, saveBatch } from '../batch-store.ts';
import { COLLECT_PURPOSE } from '../charging/claims.ts';
import { RELAY_PURPOSE } from '../mandates/mandate.ts';
import type { Subscription } from '../queries.ts';
import type { Charge } from '../schedule/charge.ts';
import { PARKED_MS } from './parked.ts';
import { listReversed, reverseCharges } from './reversals.ts';

/** How long a reversed charge waits while another is on its way, or while its payment has news. */
const BUSY_MS = 5 * SECOND_MS;
/** First wait of a charge whose transaction was reverted. */
const REVERTED_MS = 10 * MINUTE_MS;
/** After this many halvings a charge of a batch of 100 is alone; each further loss doubles its wait, up to a day. */
const LOSSES_UNTIL_ALONE = 7;
const DOUBLINGS_MAX = 7;

/** Signals the subscriptions whose charges' payments are paid, or were and have lost or regained their money. */
export const signalPaidCharges: PaymentListener = async (trx, moves) => {
  const paid = moves.flatMap(({ payment: { id, subscriptionId, status, updatedAt } }) =>
    subscriptionId !== null && status === 'paid' ? [{ subscriptionId, ref: id, updatedAt }] : [],
  );
  const [first] = paid;
  if (first) await signal(trx, paid, first.updatedAt);
};

/**
 * Signals charges whose transaction was dropped, reverted, or is confirmed, so that its outcome should be known; and
 * makes mandates of lost relays ready to be relayed again.
 */
export const signalOperatorOutcomes: OperatorListener = async (trx, moved, now) => {
  await resetRelays(
    trx,
    moved.filter(({ purpose }) => purpose === RELAY_PURPOSE),
    now,
  );
  const sent = moved.filter(({ purpose }) => purpose === COLLECT_PURPOSE);
  const over = sent.filter(isOver).map(({ id }) => id);
  const deep = sent.filter((each) => !isOver(each) && each.status === 'confirmed').map(({ id }) => id);
  if (over.length + deep.length === 0) return;
  const { rows: charges } = await sql<{ ref: string; subscriptionId: string }>`
    select id as ref, subscription_id as "subscriptionId" from charges c
     where status = 'sending' and (
       transaction_id = any (${over}::text[]) or transaction_id = any (${deep}::text[]) and not exists (
         -- Its event is about to be applied and says more than the transaction.
         select from collector_events t where t.subscription_id = c.subscription_id and t.mandate_id = c.mandate_id
            and t.number = c.number and t.canonical and t.applied_at is null and t.parked_at is null))`.execute(trx);
  await signal(trx, charges, now);
};

/**
 * Releases dropped relays, to be sent again. Clears the signature of a reverted one, so that the page asks the customer
 * again; `relayed_by` keeps the fact that it was reverted. Also where the mandate seems to be on the chain: that may be
 * what a reorg has removed, and is not applied yet. See decision subscriptions/reverted-relay-is-final.
 */
async function resetRelays(trx: Trx, relays: readonly OperatorTransaction[], now: Date): Promise<void> {
  const dropped = relays.filter(({ status }) => status === 'dropped').map(({ id }) => id);
  if (dropped.length > 0) {
    await trx.updateTable('mandates').set({ relayed_by: null }).where('relayed_by', 'in', dropped).execute();
    trx.wake('kasi_subscriptions');
  }
  for (const { id, hash } of relays.filter(({ succeeded }) => succeeded === false)) {
    const refused = await trx
      .updateTable('mandates')
      .set({ signature: null, submitted_at: null })
      .where('relayed_by', '=', id)
      .where('revoked_at', 'is', null)
      .where('signature', 'is not', null)
      .returning('id')
      .executeTakeFirst();
    if (!refused) continue;
    const message =
      `Transaction ${hash} of the operator, which brings mandate ${refused.id} to the chain, was reverted. ` +
      'It is not brought again.';
    await openIncident(trx, { kind: 'subscription.reverted', subject: id, message }, now);
  }
}

/** Whether the transaction will never have an effect. */
const isOver = ({ status, succeeded }: Pick<OperatorTransaction, 'status' | 'succeeded'>): boolean =>
  status === 'dropped' || succeeded === false;

/** Has charges without their money read again whose collections a reorg removed: the chain may take them now. */
export async function signalRemoved(trx: Trx, charges: readonly Charge[], now: Date): Promise<void> {
  const reversed = charges.flatMap(({ subscriptionId, paymentId, reversedAt }) =>
    reversedAt !== null && paymentId !== null ? [{ subscriptionId, ref: paymentId }] : [],
  );
  await signal(trx, reversed, now);
}

async function signal(
  trx: Trx,
  signals: readonly { readonly subscriptionId: string; readonly ref: string }[],
  now: Date,
): Promise<void> {
  if (signals.length === 0) return;
  await sql`
    insert into subscription_signals (subscription_id, kind, ref, created_at)
    select s.id, 'charge_moved', s.ref, ${now}
      from unnest(${signals.map(({ subscriptionId }) => subscriptionId)}::text[],
        ${signals.map(({ ref }) => ref)}::text[]) as s (id, ref) order by s.id
    on conflict do nothing`.execute(trx);
  trx.wake('kasi_subscriptions');
}

/** Subscriptions with signals, oldest first; more than a batch, because some turn out locked by another worker. */
export async function listSignalled(db: Db, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct subscription_id as id from (
      select subscription_id from subscription_signals where created_at <= ${now}
       order by created_at limit ${4 * limit}) waiting`.execute(db);
  return rows.map(({ id }) => id);
}

/** Parks the signals of a subscription for 15 minutes. */
export async function parkSignals(trx: Trx, subscriptionId: string, now: Date): Promise<void> {
  await trx
    .updateTable('subscription_signals')
    .set({ created_at: after(now, PARKED_MS) })
    .where('subscription_id', '=', subscriptionId)
    .execute();
}

/**
 * Consumes the signals of locked subscriptions. A signal only says what to read again; the current state decides.
 */
export async function applySignals(
  trx: Trx,
  deps: BatchDeps,
  subscriptions: readonly Subscription[],
  now: Date,
): Promise<void> {
  const ids = subscriptions.map(({ id }) => id);
  const { rows } = await sql<{ id: string; kind: string; ref: string }>`
    delete from subscription_signals where subscription_id = any (${ids}::text[])
    returning subscription_id as id, kind, ref`.execute(trx);
  const refs = rows.map(({ ref }) => ref);
  const paid = await findPaid(
    trx,
    refs.filter((ref) => ref.startsWith('pay_')),
  );
  const mayBeReversed = paid.some(({ covered }) => !covered) || subscriptions.some(({ recharge }) => recharge !== null);
  const reversed = mayBeReversed ? await listReversed(trx, ids) : [];
  const chargeIds = [
    ...refs.filter((ref) => ref.startsWith('chg_')),
    ...[...paid, ...reversed].map(({ chargeId }) => chargeId),
  ];
  const batch = await openBatch(trx, subscriptions, { ids: chargeIds }, now);
  for (const { id } of rows.filter(({ kind }) => kind === 'funds')) batch.step(id, { kind: 'funds_seen' });
  for (const { chargeId, covered } of paid) if (covered) batch.stepCharge(chargeId, { kind: 'confirmed' });
  const later = reverseCharges(batch, reversed);
  await applyLost(trx, batch, refs);
  await saveBatch(trx, deps, batch);
  await signal(trx, later, after(now, BUSY_MS));
}

/** A charge whose payment is paid. `covered`: the payment still has its money, as deep as the network asks. */
type PaidCharge = { readonly chargeId: string; readonly covered: boolean };

async function findPaid(trx: Trx, ids: readonly string[]): Promise<PaidCharge[]> {
  const { rows } = await sql<PaidCharge>`
    select charge_id as "chargeId", confirmed_e18 >= (amount_micro - tolerance_micro) * 1e12 as covered from payments
     where id = any (${[...ids]}::text[]) and charge_id is not null and status = 'paid'`.execute(trx);
  return rows;
}

/** Charges whose transaction ended with no event from the contract. */
async function applyLost(trx: Trx, batch: Batch, refs: readonly string[]): Promise<void> {
  const charges = refs.flatMap((ref) => batch.charge(ref) ?? []).filter(({ status }) => status === 'sending');
  if (charges.length === 0) return;
  const ids = [...new Set(charges.flatMap(({ transactionId }) => transactionId ?? []))] as OperatorTransactionId[];
  const transactions = new Map((await listTransactions(trx, ids)).map((row) => [row.id as string, row]));
  for (const charge of charges) {
    const transaction = transactions.get(charge.transactionId ?? '');
    if (!transaction) continue;
    if (isOver(transaction)) await loseCharge(trx, batch, charge, transaction);
    else if (transaction.status === 'confirmed' && !(await isReported(trx, charge, transaction.hash))) {
      const message = `Transaction ${transaction.hash} collected it, and nothing was seen of what became of that.`;
      await openIncident(trx, { kind: 'subscription.unexplained', subject: charge.id, message }, batch.now);
      await loseCharge(trx, batch, charge, transaction);
    }
    if (transaction.succeeded === false) {
      const message = `Transaction ${transaction.hash} of the operator, which collects charges, was reverted.`;
      await openIncident(trx, { kind: 'subscription.reverted', subject: transaction.id, message }, batch.now);
    }
  }
}

/** Has the charge sent again by another transaction; its number keeps it from being charged twice. */
async function loseCharge(
  trx: Trx,
  batch: Batch,
  charge: Charge,
  { hash, status }: OperatorTransaction,
): Promise<void> {
  batch.note({ chargeId: charge.id, outcome: 'lost', failureCode: null, txHash: hash });
  const until = status === 'dropped' ? batch.now : after(batch.now, await backoffOf(trx, charge));
  batch.stepCharge(charge.id, { kind: 'deferred', until, code: null });
}

/** How long a reverted charge waits, in milliseconds: one that never succeeds must not cost gas for ever. */
async function backoffOf(trx: Trx, { id }: Charge): Promise<number> {
  const { lost } = await trx
    .selectFrom('charge_attempts')
    .select((eb) => eb.fn.countAll<bigint>().as('lost'))
    .where('charge_id', '=', id)
    .where('outcome', '=', 'lost')
    .executeTakeFirstOrThrow();
  const doublings = Math.min(Math.max(Number(lost) - LOSSES_UNTIL_ALONE, 0), DOUBLINGS_MAX);
  return REVERTED_MS * 2 ** doublings;
}

/** Whether the transaction's event about the charge is stored; then it is applied by itself. */
async function isReported(trx: Trx, { subscriptionId, mandateId, number }: Charge, txHash: string): Promise<boolean> {
  const event = await trx
    .selectFrom('collector_events')
    .select('id')
    .where('subscription_id', '=', subscriptionId)
    .where('mandate_id', '=', mandateId)
    .where('number', '=', BigInt(number))
    .where('tx_hash', '=', txHash)
    .where('canonical', '=', true)
    .limit(1)
    .executeTakeFirst();
  return event !== undefined;
}
