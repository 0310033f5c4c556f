import { sql } from 'kysely';
import type { Db } from '../../lib/db-types.ts';
import type { StoredMandate } from '../mandates/mandate.ts';
import { findMandates } from '../mandates/queries.ts';
import type { Charge } from '../schedule/charge.ts';

/** A charge, and a former mandate of its subscription of which it is not settled that it has not paid for that. */
export type Earlier = {
  readonly charge: Charge;
  readonly mandate: StoredMandate;
  readonly isRevoked: boolean;
  /** The block of its revocation, once that is confirmed. */
  readonly deepIn: string | null;
};

/**
 * The former mandates of the subscriptions of these charges, without those that are settled below the charge's number;
 * of those that are revoked the first `limit` of each charge, confirmed ones first. A reorg that takes a revocation
 * unsettles its mandate, and so does a collection that was seen although a node had denied it. Mandates and events are
 * put together by grouping, and not by a join: an index has the events of a subscription only, and each mandate of one
 * that has thousands would look through all of them.
 */
export async function listEarlier(
  db: Db,
  network: string,
  charges: readonly Charge[],
  limit: number,
): Promise<readonly Earlier[]> {
  const replaced = await listReplaced(db, charges);
  if (replaced.size === 0) return [];
  const asked = charges
    .filter(({ subscriptionId }) => replaced.has(subscriptionId))
    .map(({ id, subscriptionId, number }) => ({ id, subscription: subscriptionId, number }));
  type Found = { readonly charge: string; readonly mandate: string; readonly revoked: boolean; readonly deep: string };
  const { rows } = await sql<Found>`
    with asked as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb)
        as asked (id text, subscription text, number bigint)
    ), known as (
      select asked.id as charge, asked.number, m.id as mandate, true as is_former, m.settled_in, m.settled_number,
             null as hash, null::bigint as height, null::bigint as taken
        from asked join subscriptions s on s.id = asked.subscription
        join mandates m on m.subscription_id = s.id and m.id is distinct from s.mandate_id
       union all
      select asked.id, asked.number, e.mandate_id, false, null, null, case e.kind when 'revoked' then e.block_hash end,
             case e.kind when 'revoked' then e.block_number end, case e.kind when 'collected' then e.number end
        from asked join collector_events e on e.subscription_id = asked.subscription
       where e.kind in ('revoked', 'collected') and e.canonical
    ), former as (
      select charge, mandate, max(hash) is not null as revoked,
             case when max(height) <= (select confirmed_height from chain_cursors where network = ${network})
               then max(hash) end as deep
        from known group by charge, number, mandate
      having bool_or(is_former)
         and (max(settled_in) = max(hash) and greatest(max(settled_number), max(taken)) < number) is not true
    ), ranked as (
      select *, row_number() over (partition by charge, revoked order by deep is null, mandate) as rank from former
    )
    select charge, mandate, revoked, deep from ranked where not revoked or rank <= ${limit}`.execute(db);
  if (rows.length === 0) return [];
  const mandates = await findMandates(db, [...new Set(rows.map(({ mandate }) => mandate))]);
  const [byId, chargeOf] = [indexed(mandates), indexed(charges)];
  return rows.map(({ charge, mandate, revoked: isRevoked, deep: deepIn }) => ({
    ...{ charge: chargeOf.get(charge)!, mandate: byId.get(mandate)!, isRevoked, deepIn },
  }));
}

/** The subscriptions of these charges that have had another mandate: few, so most claims ask no more. */
async function listReplaced(db: Db, charges: readonly Charge[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select s.id from subscriptions s
     where s.id = any (${charges.map(({ subscriptionId }) => subscriptionId)}::text[]) and exists (
       select from mandates m where m.subscription_id = s.id and m.id is distinct from s.mandate_id)`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

const indexed = <T extends { readonly id: string }>(rows: readonly T[]): ReadonlyMap<string, T> =>
  new Map(rows.map((row) => [row.id, row]));

/** What the chain has charged by a mandate that is revoked for ever, in the block `deepIn`. */
export type Settled = { readonly id: string; readonly lastNumber: number; readonly deepIn: string };

/** Notes it; leaves out what another transaction has locked, which is read again. */
export async function noteSettled(db: Db, settled: readonly Settled[]): Promise<void> {
  if (settled.length === 0) return;
  await sql`
    update mandates m set settled_number = s."lastNumber", settled_in = s."deepIn"
      from jsonb_to_recordset(${JSON.stringify(settled)}::jsonb) as s (id text, "lastNumber" bigint, "deepIn" text)
     where m.id = s.id and m.id in (
       select id from mandates where id = any (${settled.map(({ id }) => id)}::text[])
          for no key update skip locked)`.execute(db);
}
