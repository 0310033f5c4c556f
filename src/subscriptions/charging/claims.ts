import { randomUUID } from 'node:crypto';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Charges } from '../../../generated/db.ts';
import { listTransactions, type OperatorTransactionId } from '../../chains/operator/queries.ts';
import { isAny } from '../../db/is-any.ts';
import type { Db, Trx } from '../../lib/db-types.ts';
import { toCharge } from '../charge-queries.ts';
import type { Charge } from '../schedule/charge.ts';

/** The purpose of an operator transaction that collects charges. */
export const COLLECT_PURPOSE = 'collect';

/** Charges claimed by one run. The lease ends after a minute, and with any change of the charge. */
export type Claim = { readonly lease: string; readonly charges: readonly Charge[] };

/**
 * Claims due charges, oldest first, whose periods have begun by the time of the newest block. Skips locked and claimed
 * ones. A lease that is never released expires after a minute of database time.
 * See decision subscriptions/leases-end-with-any-change.
 */
export async function claimCharges(
  db: Db,
  {
    network,
    worker,
    begun,
    now,
    limit,
  }: {
    readonly network: string;
    readonly worker: string;
    readonly begun: Date;
    readonly now: Date;
    readonly limit: number;
  },
): Promise<Claim> {
  const lease = `${worker} ${randomUUID()}`;
  const { rows } = await sql<Selectable<Charges>>`
    update charges set locked_by = ${lease}, locked_until = clock_timestamp() + interval '60 seconds'
     where id in (select id from charges
                   where status = 'due' and network = ${network} and due_at <= ${now} and period_start <= ${begun}
                     and (locked_until is null or locked_until < clock_timestamp())
                   order by due_at, id limit ${limit} for no key update skip locked)
    returning *`.execute(db);
  return { lease, charges: rows.map(toCharge) };
}

/** Which of these locked charges are still under this lease. */
export async function findClaimed(trx: Trx, { lease, charges }: Claim): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from charges
     where id = any (${charges.map(({ id }) => id)}::text[]) and locked_by = ${lease} and status = 'due'`.execute(trx);
  return new Set(rows.map(({ id }) => id));
}

/** Releases the charges still under this lease, to be claimed again from `dueAt` on, or at once. */
export async function releaseCharges(db: Db | Trx, { lease, charges }: Claim, dueAt?: Date): Promise<void> {
  await sql`
    update charges set locked_by = null, locked_until = null ${dueAt ? sql`, due_at = ${dueAt}` : sql``}
     where id = any (${charges.map(({ id }) => id)}::text[]) and locked_by = ${lease} and status = 'due'`.execute(db);
}

/**
 * Which of these charges must wait, because their payments, which a reorg left without money, have it by an ordinary
 * transfer, or have something that is not counted yet: the customer would pay twice. Once that transfer is confirmed
 * its charge has succeeded; once it is gone the charge is sent.
 */
export async function listPaidOtherwise(db: Db, charges: readonly Charge[]): Promise<ReadonlySet<string>> {
  const paymentIds = charges.flatMap(({ paymentId }) => paymentId ?? []);
  if (paymentIds.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select p.charge_id as id from payments p
     where p.id = any (${paymentIds}::text[]) and (p.seen_e18 >= (p.amount_micro - p.tolerance_micro) * 1e12 or exists (
       select from credits c
        where c.payment_id = p.id and c.canonical and c.applied_at is null and c.parked_at is null))`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Whether a charge is due on one of these networks. */
export const isAnyChargeDue = (networks: readonly string[], now: Date): RawBuilder<boolean> =>
  isAny(sql`unnest(${[...networks]}::text[]) as n (name) cross join lateral (
    select from charges where status = 'due' and network = n.name and due_at <= ${now}
     order by due_at, id limit 1) first`);

/** When the next charge on these networks is due; null when none waits. */
export async function nextChargeDue(db: Db, networks: readonly string[]): Promise<Date | null> {
  const { rows } = await sql<{ due: Date | null }>`
    select min(first.due_at) as due from unnest(${[...networks]}::text[]) as n (name) cross join lateral (
      select due_at from charges where status = 'due' and network = n.name order by due_at limit 1) first`.execute(db);
  return rows[0]?.due ?? null;
}

/**
 * Splits a claim into parts to send in separate transactions. Charges whose last transaction was reverted as a whole
 * go in halves of that transaction; all others go together.
 * See decision subscriptions/reverted-batches-come-back-in-halves.
 */
export async function splitReverted(db: Db, claim: Claim): Promise<Claim[]> {
  const ids = [...new Set(claim.charges.flatMap(({ transactionId }) => transactionId ?? []))];
  if (ids.length === 0) return [claim];
  const sent = await listTransactions(db, ids as OperatorTransactionId[]);
  const reverted = new Set<string>(sent.filter(({ succeeded }) => succeeded === false).map(({ id }) => id));
  const batchOf = ({ transactionId }: Charge): string | null =>
    transactionId !== null && reverted.has(transactionId) ? transactionId : null;
  const groups = Map.groupBy(claim.charges, batchOf);
  return [...groups].flatMap(([batch, charges]) =>
    (batch === null ? [charges] : halves(charges)).map((part) => ({ ...claim, charges: part })),
  );
}

function halves(charges: readonly Charge[]): (readonly Charge[])[] {
  const half = Math.ceil(charges.length / 2);
  return half === charges.length ? [charges] : [charges.slice(0, half), charges.slice(half)];
}
