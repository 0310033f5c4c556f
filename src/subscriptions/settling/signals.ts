import { sql } from 'kysely';
import type { OperatorListener } from '../../chains/operator/pass.ts';
import {
  listTransactions,
  type OperatorTransaction,
  type OperatorTransactionId,
} from '../../chains/operator/queries.ts';
import { after, MINUTE_MS } from '../../lib/clock.ts';
import type { Db, Trx } from '../../lib/db-types.ts';
import type { PaymentListener } from '../../payments/announce.ts';
import type { PaymentDeps } from '../../payments/service.ts';
import type { PaymentStatus } from '../../payments/types.ts';
import type { Batch } from '../batch.ts';
import { openBatch, saveBatch } from '../batch-store.ts';
import { openIncident } from '../incidents.ts';
import { COLLECT_PURPOSE, RELAY_PURPOSE } from '../purposes.ts';
import type { Charge, Subscription } from '../records.ts';

/** What can't be applied is looked at again then. */
const PUT_OFF_MS = 15 * MINUTE_MS;
/** A transaction of ours that did nothing is not sent again and again at once. */
const REVERTED_MS = 10 * MINUTE_MS;
/** After so many losses, halved each time, a charge of a hundred is alone: each further one doubles its wait, up to a day. */
const LOSSES_UNTIL_ALONE = 7;
const DOUBLINGS_MAX = 7;

/** Leaves word that a charge's payment is paid; the subscriptions' own job goes on from there. */
export const noteChargeMoves: PaymentListener = async (trx, moves) => {
  const paid = moves.flatMap(({ payment: { id, subscriptionId, status, updatedAt } }) =>
    subscriptionId !== null && status === 'paid' ? [{ subscriptionId, ref: id, updatedAt }] : [],
  );
  const [first] = paid;
  if (first) await signal(trx, paid, first.updatedAt);
};

/**
 * Leaves word of charges whose transaction is lost, did nothing, or lies so deep that its outcome should be known; and of mandates that have to
 * be brought to the chain once more.
 */
export const noteOperatorMoves: OperatorListener = async (trx, moved, now) => {
  await noteRelays(
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
     where status = 'sending' and (transaction_id = any (${over}::text[]) or transaction_id = any (${deep}::text[]) and not exists (
       -- What the contract said of it, and is about to be applied, is better than a guess.
       select from collector_events t where t.subscription_id = c.subscription_id and t.mandate_id = c.mandate_id
          and t.number = c.number and t.canonical and t.applied_at is null and t.parked_at is null))`.execute(trx);
  await signal(trx, charges, now);
};

/**
 * What was dropped is brought to the chain again. Of what was reverted the signature is forgotten, so that the page asks the customer again;
 * that it was reverted stays known by its transaction.
 */
async function noteRelays(trx: Trx, relays: readonly OperatorTransaction[], now: Date): Promise<void> {
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
      .where('authorized_at', 'is', null)
      .where('revoked_at', 'is', null)
      .where('signature', 'is not', null)
      .returning('id')
      .executeTakeFirst();
    if (!refused) continue;
    const message = `Transaction ${hash} of the operator, which brings mandate ${refused.id} to the chain, was reverted. It is not brought again.`;
    await openIncident(trx, 'subscription.reverted', id, message, now);
  }
}

/** Nothing came of it. */
const isOver = ({ status, succeeded }: Pick<OperatorTransaction, 'status' | 'succeeded'>): boolean =>
  status === 'dropped' || succeeded === false;

async function signal(
  trx: Trx,
  signals: readonly { readonly subscriptionId: string; readonly ref: string }[],
  now: Date,
): Promise<void> {
  if (signals.length === 0) return;
  await sql`
    insert into subscription_signals (subscription_id, kind, ref, created_at)
    select s.id, 'charge_moved', s.ref, ${now}
      from unnest(${signals.map(({ subscriptionId }) => subscriptionId)}::text[], ${signals.map(({ ref }) => ref)}::text[])
        as s (id, ref) order by s.id
    on conflict do nothing`.execute(trx);
  trx.wake('kasi_subscriptions');
}

/** Subscriptions that something was signalled to, oldest first, a batch and some more. */
export async function listSignalled(db: Db, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct subscription_id as id from (
      select subscription_id from subscription_signals where created_at <= ${now}
       order by created_at limit ${4 * limit}) waiting`.execute(db);
  return rows.map(({ id }) => id);
}

/** What was signalled to a subscription waits, so that it stops nobody else. */
export async function putOffSignals(trx: Trx, subscriptionId: string, now: Date): Promise<void> {
  await trx
    .updateTable('subscription_signals')
    .set({ created_at: after(now, PUT_OFF_MS) })
    .where('subscription_id', '=', subscriptionId)
    .execute();
}

/** Takes what was signalled to subscriptions whose locks are held, and looks at what it is about as that is now. */
export async function applySignals(
  trx: Trx,
  deps: PaymentDeps,
  subscriptions: readonly Subscription[],
  now: Date,
): Promise<void> {
  const ids = subscriptions.map(({ id }) => id);
  const { rows } = await sql<{ id: string; kind: string; ref: string }>`
    delete from subscription_signals where subscription_id = any (${ids}::text[])
    returning subscription_id as id, kind, ref`.execute(trx);
  const refs = rows.map(({ ref }) => ref);
  const paid = await findPayments(
    trx,
    refs.filter((ref) => ref.startsWith('pay_')),
  );
  const chargeIds = [...refs.filter((ref) => ref.startsWith('chg_')), ...paid.map(({ chargeId }) => chargeId)];
  const batch = await openBatch(trx, subscriptions, { ids: chargeIds }, now);
  for (const { id } of rows.filter(({ kind }) => kind === 'funds')) batch.move(id, { kind: 'funds_seen' });
  for (const { chargeId, status } of paid) {
    if (status === 'paid') batch.moveCharge(chargeId, { kind: 'confirmed' }); // Unless a reorg was quicker.
  }
  await applyLost(trx, batch, refs);
  await saveBatch(trx, deps, batch);
}

type PaidCharge = { readonly chargeId: string; readonly status: PaymentStatus };

async function findPayments(trx: Trx, ids: readonly string[]): Promise<PaidCharge[]> {
  const { rows } = await sql<PaidCharge>`
    select charge_id as "chargeId", status from payments
     where id = any (${[...ids]}::text[]) and charge_id is not null`.execute(trx);
  return rows;
}

/** Charges whose transaction has ended without that the contract said what became of them. */
async function applyLost(trx: Trx, batch: Batch, refs: readonly string[]): Promise<void> {
  const charges = refs.flatMap((ref) => batch.charge(ref) ?? []).filter(({ status }) => status === 'sending');
  if (charges.length === 0) return;
  const ids = [...new Set(charges.flatMap(({ transactionId }) => transactionId ?? []))] as OperatorTransactionId[];
  const transactions = new Map((await listTransactions(trx, ids)).map((row) => [row.id as string, row]));
  for (const charge of charges) {
    const transaction = transactions.get(charge.transactionId ?? '');
    if (!transaction) continue;
    if (isOver(transaction)) await loseCharge(trx, batch, charge, transaction);
    else if (transaction.status === 'confirmed' && !(await isTold(trx, charge, transaction.hash))) {
      const message = `Transaction ${transaction.hash} collected it, and nothing was seen of what became of that.`;
      await openIncident(trx, 'subscription.unexplained', charge.id, message, batch.now);
      await loseCharge(trx, batch, charge, transaction);
    }
    if (transaction.succeeded === false) {
      const message = `Transaction ${transaction.hash} of the operator, which collects charges, was reverted.`;
      await openIncident(trx, 'subscription.reverted', transaction.id, message, batch.now);
    }
  }
}

/** It is sent again, by another transaction: the number keeps it from being taken twice. */
async function loseCharge(
  trx: Trx,
  batch: Batch,
  charge: Charge,
  { hash, status }: OperatorTransaction,
): Promise<void> {
  batch.note({ chargeId: charge.id, outcome: 'lost', failureCode: null, txHash: hash });
  const until = status === 'dropped' ? batch.now : after(batch.now, await patienceWith(trx, charge));
  batch.moveCharge(charge.id, { kind: 'deferred', until, code: null });
}

/** How long a charge waits that was reverted, in milliseconds: what nothing can be done about must not cost gas for ever. */
async function patienceWith(trx: Trx, { id }: Charge): Promise<number> {
  const { lost } = await trx
    .selectFrom('charge_attempts')
    .select((eb) => eb.fn.countAll<bigint>().as('lost'))
    .where('charge_id', '=', id)
    .where('outcome', '=', 'lost')
    .executeTakeFirstOrThrow();
  const doublings = Math.min(Math.max(Number(lost) - LOSSES_UNTIL_ALONE, 0), DOUBLINGS_MAX);
  return REVERTED_MS * 2 ** doublings;
}

/** Whether the contract's word on a charge is stored and will be applied by itself. */
async function isTold(trx: Trx, { subscriptionId, mandateId, number }: Charge, txHash: string): Promise<boolean> {
  const told = await trx
    .selectFrom('collector_events')
    .select('id')
    .where('subscription_id', '=', subscriptionId)
    .where('mandate_id', '=', mandateId)
    .where('number', '=', BigInt(number))
    .where('tx_hash', '=', txHash)
    .where('canonical', '=', true)
    .limit(1)
    .executeTakeFirst();
  return told !== undefined;
}
