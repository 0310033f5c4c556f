import { sql } from 'kysely';
import type { Db } from '../../../src/lib/db-types.ts';

/** What the service says about a subscription. */
export type SubscriptionFacts = {
  readonly id: string;
  readonly status: string;
  readonly anchor: Date;
  readonly createdAt: Date;
  readonly cancelledAt: Date | null;
  readonly sequence: number;
  readonly charges: readonly ChargeFacts[];
  /** Its mandates, by id. */
  readonly mandates: readonly string[];
  /** By the last words, in order. */
  readonly events: readonly string[];
};

export type ChargeFacts = {
  readonly number: number;
  readonly status: string;
  readonly start: Date;
  readonly end: Date;
  readonly failure: string | null;
  readonly reason: string | null;
  readonly due: Date | null;
  readonly units: bigint | null;
  readonly mandate: string | null;
  /** Of its payment. */
  readonly payment: string | null;
  readonly received: bigint;
  /** The outcome of each attempt. */
  readonly tries: string | null;
};

/** Reads everything about all subscriptions, with plain statements. */
export async function readSubscriptions(db: Db): Promise<Map<string, SubscriptionFacts>> {
  const subscriptions = await sql<Omit<SubscriptionFacts, 'charges' | 'mandates' | 'events'>>`
    select id, status, anchor_at as anchor, created_at as "createdAt", cancelled_at as "cancelledAt",
           event_sequence as sequence from subscriptions`.execute(db);
  const charges = await sql<ChargeFacts & { of: string }>`
    select c.subscription_id as of, c.number, c.status, c.period_start as start, c.period_end as "end",
           c.failure_code as failure, c.void_reason as reason, c.due_at as due, c.units, c.mandate_id as mandate,
           p.status as payment,
           coalesce((select sum(amount_units) from credits where payment_id = p.id and canonical), 0) as received,
           (select string_agg(concat_ws(' ', started_at, outcome, failure_code, finished_at), '; ' order by attempt)
              from charge_attempts where charge_id = c.id) as tries
      from charges c left join payments p on p.id = c.payment_id and p.charge_id = c.id order by c.number`.execute(db);
  const mandates = await sql<{ of: string; id: string }>`select subscription_id as of, id from mandates`.execute(db);
  const events = await sql<{ of: string; type: string; sequence: number }>`
    select resource_id as of, replace(type, 'subscription.', '') as type, sequence from events
     where type like 'subscription.%' order by resource_id, sequence`.execute(db);
  const byCharge = Map.groupBy(charges.rows, ({ of }) => of);
  const byMandate = Map.groupBy(mandates.rows, ({ of }) => of);
  const byEvent = Map.groupBy(events.rows, ({ of }) => of);
  return new Map(
    subscriptions.rows.map((row) => [
      row.id,
      {
        ...row,
        charges: (byCharge.get(row.id) ?? []).map((charge) => ({ ...charge, received: BigInt(charge.received) })),
        mandates: (byMandate.get(row.id) ?? []).map(({ id }) => id),
        events: (byEvent.get(row.id) ?? []).map(({ type }) => type),
      },
    ]),
  );
}

/** What must not exist at rest: parked rows, and work that is still waiting. */
export async function listLeftovers(db: Db): Promise<string[]> {
  const { rows } = await sql<{ what: string }>`
    select 'incident: ' || kind || ' of ' || subject || ': ' || message as what from incidents where resolved_at is null
    union all select 'parked: ' || kind || ' of ' || subscription_id || ': ' || failure from collector_events
      where parked_at is not null
    union all select 'parked: credit ' || id || ': ' || failure from credits where parked_at is not null
    union all select 'payment ' || id || ' of a charge is ' || status from payments
      where charge_id is not null and status <> 'paid'`.execute(db);
  return rows.map(({ what }) => what);
}

/** Nonces of the operator that no transaction has, and what stands in for them. */
export async function examineNonces(db: Db, mined: number): Promise<string[]> {
  const { rows } = await sql<{ next: string; used: number; least: string; most: string; unfinished: number }>`
    select (select max(next_nonce) from operator_accounts) as next, count(distinct nonce)::int as used,
      min(nonce) as least,
           max(nonce) as most, count(*) filter (where status <> 'confirmed')::int as unfinished
      from operator_transactions`.execute(db);
  const { next, used, least, most, unfinished } = rows[0]!;
  const found = { used, least: Number(least), most: Number(most), next: Number(next), mined, unfinished };
  const whole = found.least === 0 && used === mined && found.most === mined - 1 && found.next === mined;
  return whole && unfinished === 0 ? [] : [`nonces of the operator: ${JSON.stringify(found)}`];
}
