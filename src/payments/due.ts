import { type RawBuilder, sql } from 'kysely';
import { isAny } from '../db/is-any.ts';
import type { Db } from '../lib/db-types.ts';
import { CREDITS_MAX } from './arrival.ts';
import { isDeep } from './depth.ts';
import { isSeconded, UNDER_SECONDED } from './opinion-queries.ts';
import type { PaymentRef } from './queries.ts';

/** The credits that wait to be applied, or to be confirmed: the queue that `jobs.ts` works through. */

/** Some of the payments of a queue, in the order of their ids. The next page is after `last`; null: there is none. */
export type DuePage = { readonly refs: readonly PaymentRef[]; readonly last: string | null };

const isToApply = sql<boolean>`(applied_at is null and parked_at is null)`;

const TO_APPLY = sql`select payment_id as id, seen_at from credits where ${isToApply}`;

const TO_CONFIRM = sql`
  select c.payment_id as id, c.seen_at from ${UNDER_SECONDED}
   where case when p.id is null then false else ${isDeep} and ${isSeconded} end`;

/**
 * The next `limit` payments with credits to apply, after one, as rows with their `id`. One probe of an index finds
 * each, so it does not matter how many credits a payment has: anybody can send thousands.
 */
const walkToApply = (after: string, limit: number): RawBuilder<unknown> => sql`
  with recursive walk as (
    (select payment_id as id, 1 as place from credits
      where ${isToApply} and payment_id > ${after} order by payment_id limit 1)
    union all
    select (select c.payment_id from credits c
             where ${isToApply} and c.payment_id > walk.id order by c.payment_id limit 1), place + 1
      from walk where walk.id is not null and place < ${limit}
  )
  select id from walk where id is not null`;

/** Those of the next `limit` payments with credits to apply that match `condition`, which is asked once a payment. */
export async function listToApply(
  db: Db,
  { after, limit }: { readonly after: string; readonly limit: number },
  condition: RawBuilder<boolean>,
): Promise<DuePage> {
  const { rows } = await sql<Judged>`
    select p.id, ${condition} as matches
      from (${walkToApply(after, limit)}) due join payments p on p.id = due.id order by p.id`.execute(db);
  return toPage(rows, limit);
}

/**
 * Those of the next `limit` payments with credits to apply or to confirm, without parked ones, that match `condition`
 * and not `except`. Both are asked once a payment.
 */
export async function listDuePayments(
  db: Db,
  { after, limit }: { readonly after: string; readonly limit: number },
  { condition, except }: { readonly condition: RawBuilder<boolean>; readonly except: RawBuilder<boolean> },
): Promise<DuePage> {
  const { rows } = await sql<Judged>`
    select p.id, ${condition} and not ${except} as matches
      from (select id from (${walkToApply(after, limit)}) to_apply
            union
            select id from (${TO_CONFIRM}) to_confirm where id > ${after}
             order by id limit ${limit}) due join payments p on p.id = due.id
     order by p.id`.execute(db);
  return toPage(rows, limit);
}

/** Whether payment `p` has no more credits to apply than one transaction takes in. */
export const hasFewToApply = sql<boolean>`(
  (select count(*) from (select from credits c
                          where c.payment_id = p.id and ${isToApply} limit ${CREDITS_MAX + 1}) c) <= ${CREDITS_MAX})`;

type Judged = { readonly id: string; readonly matches: boolean };

const toPage = (rows: readonly Judged[], limit: number): DuePage => ({
  refs: rows.filter(({ matches }) => matches).map(({ id }) => ({ id })),
  last: rows.length < limit ? null : (rows.at(-1)?.id ?? null),
});

/** The last payment by its id, which a clock may have made that is ahead of ours; '' before the first. */
export async function findLastPayment(db: Db): Promise<string> {
  const { rows } = await sql<{ id: string }>`select id from payments order by id desc limit 1`.execute(db);
  return rows[0]?.id ?? '';
}

/** Since when the oldest credit to apply or to confirm has been waiting; null when there is none. */
export async function oldestDueCredit(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ oldest: Date | null }>`
    select least((select min(seen_at) from (${TO_APPLY}) to_apply),
                 (select min(seen_at) from (${TO_CONFIRM}) to_confirm)) as oldest`.execute(db);
  return rows[0]?.oldest ?? null;
}

/** Whether any credit is to be applied or to be confirmed. */
export const isAnyDue = sql<boolean>`(
  ${isAny(sql`credits where ${isToApply} order by payment_id`)} or exists (${TO_CONFIRM}))`;
