import { type RawBuilder, sql } from 'kysely';
import { inTransaction } from '../db/transaction.ts';
import type { Db } from '../lib/db-types.ts';
import { FAILING_AFTER_MS, IN_FLIGHT_FEW, IN_FLIGHT_MAX } from './delivery.ts';

/** The lease of a claimed delivery: far longer than an attempt may take. */
export const LEASE_SECONDS = 60;

export type Claimed = {
  readonly id: string;
  readonly eventId: string;
  readonly merchantId: string;
  readonly url: string;
  /** Counts from 1. Together with the worker's name it fences the result. */
  readonly attempt: number;
  /** The slot of its merchant that it is in flight in, from 1. */
  readonly slot: number;
  /** The exact bytes to send. */
  readonly body: Buffer;
  /** The keys that sign, newest first. */
  readonly keyIds: readonly string[];
  /** Since when every attempt at the endpoint has failed, as far as is known; null when the last one succeeded. */
  readonly failingSince: Date | null;
};

export type ClaimOptions = {
  readonly worker: string;
  /** How many more deliveries the worker can send at once. */
  readonly free: number;
  /** The turns begin after this merchant, so that every merchant gets one; `''` begins at the first. */
  readonly afterMerchant: string;
  /** After whom the turns began in the first of the claims that have found nothing; absent: this is the first. */
  readonly circleFrom?: string;
  /** Who gets few slots, because slow endpoints take most of the process; absent: only who fails. */
  readonly few?: Few;
  /** Business time, which decides what is due. */
  readonly now: Date;
  /** Wall time, which decides which keys still sign. */
  readonly real: Date;
};

/** The merchants whose endpoint was slow lately, or all. See decision webhooks/few-slots-in-a-crowd. */
export type Few = readonly string[] | 'all';

/** What is due is looked for among so many deliveries that have been due the longest. */
const HEAD_MAX = 500;
/** In a queue longer than that, so many further merchants are looked at in each claim. */
export const WALK_MAX = 200;

export type Claim = {
  readonly claimed: readonly Claimed[];
  /** After whom the turns of the next claim begin. */
  readonly afterMerchant: string;
  /** The claims of this circle have not looked at every merchant of a long queue yet: the next one goes on there. */
  readonly isPartial: boolean;
};

/**
 * Leases up to `free` due deliveries in a transaction of its own: merchants take turns, each gets its oldest deliveries
 * and never more than its free slots. The first statement of the transaction locks the endpoints of those merchants and
 * skips locked ones. The second statement therefore sees everything that earlier claims of these merchants committed,
 * and counts their slots exactly, however many claims run at once. They are sent in one piece. See decision
 * webhooks/claims-by-time.
 */
export async function claimDeliveries(db: Db, options: ClaimOptions): Promise<Claim> {
  const { merchants: head, isLong } = await findHead(db, options.now);
  if (head.length === 0) return { claimed: [], afterMerchant: '', isPartial: false };
  const { afterMerchant: after, circleFrom = after, free } = options;
  const walked = isLong ? await walkAround(db, after) : [];
  const circle = [...head.filter((id) => id > after), ...head.filter((id) => id <= after)];
  const { merchants, claimed } = await leaseInTurn(db, [...new Set([...walked, ...circle])], options);
  // A worker may be full before the last of them had its turn, and the last one served may have got a part of its
  // slots: it gets the others first in the next claim. The only one served has had its turn.
  const isFull = claimed.length === free;
  const served = new Set(claimed.map(({ merchantId }) => merchantId));
  const inTurn = merchants.filter((id) => served.has(id));
  const last = (isFull ? (inTurn.at(-2) ?? inTurn.at(-1)) : merchants.at(-1)) ?? '';
  const endOfWalk = walked[WALK_MAX - 1];
  const isCut = (isFull || merchants.length === free) && walked.includes(last);
  return {
    claimed,
    afterMerchant: endOfWalk === undefined || isCut ? last : endOfWalk,
    isPartial: endOfWalk !== undefined && !isPassed(circleFrom, after, endOfWalk),
  };
}

/** Whether a walk after one merchant up to another passes a third: one that is not behind its start goes around. */
const isPassed = (merchant: string, after: string, end: string): boolean =>
  after < end ? after < merchant && merchant <= end : after < merchant || merchant <= end;

/**
 * The merchants of what has been due the longest, in flight or not, by id, and whether more than that is due. To leave
 * out what is in flight would cost a look-up for each; where it fills the head, the walk gets to everyone else.
 */
async function findHead(
  db: Db,
  now: Date,
): Promise<{ readonly merchants: readonly string[]; readonly isLong: boolean }> {
  const { rows } = await sql<{ merchant_id: string; deliveries: number }>`
    select merchant_id, count(*)::int as deliveries from (
      select d.merchant_id from webhook_deliveries d
       where ${isDue(now)} order by d.next_attempt_at limit ${HEAD_MAX}) head
     group by merchant_id order by merchant_id`.execute(db);
  const deliveries = rows.reduce((sum, row) => sum + row.deliveries, 0);
  return { merchants: rows.map((row) => row.merchant_id), isLong: deliveries === HEAD_MAX };
}

/** The next merchants after one, and then those from the first one on. */
async function walkAround(db: Db, after: string): Promise<readonly string[]> {
  const behind = await walkMerchants(db, after);
  if (behind.length === WALK_MAX || after === '') return behind;
  const before = (await walkMerchants(db, '')).filter((id) => !behind.includes(id));
  return [...behind, ...before].slice(0, WALK_MAX);
}

/**
 * The next merchants with a pending delivery, due or not, after one. One index probe finds each, so the length of their
 * queues does not matter. Fewer than asked for: the walk is at its end.
 */
export async function walkMerchants(db: Db, after: string): Promise<string[]> {
  const { rows } = await sql<{ merchant_id: string }>`
    with recursive walk as (
      (select merchant_id, 1 as place from webhook_deliveries
        where status = 'pending' and merchant_id > ${after} order by merchant_id limit 1)
      union all
      select (select d.merchant_id from webhook_deliveries d
               where d.status = 'pending' and d.merchant_id > walk.merchant_id order by d.merchant_id limit 1),
             place + 1
        from walk where walk.merchant_id is not null and place < ${WALK_MAX}
    )
    select merchant_id from walk where merchant_id is not null order by place`.execute(db);
  return rows.map((row) => row.merchant_id);
}

type Leased = { readonly merchants: readonly string[]; readonly claimed: readonly Claimed[] };

/** Leases due deliveries of the first of these merchants that can be locked. `merchants` are those, in their order. */
async function leaseInTurn(db: Db, merchants: readonly string[], options: ClaimOptions): Promise<Leased> {
  let locked: readonly string[] = [];
  let claimed: readonly Claimed[] = [];
  await inTransaction(db, async (trx) => {
    trx.later(lockMerchants(merchants, options), ({ rows }) => {
      locked = (rows as { merchants: string[] }[])[0]?.merchants ?? [];
    });
    trx.later(lease(options), ({ rows }) => {
      claimed = rows as Claimed[];
    });
  });
  return { merchants: locked, claimed };
}

/**
 * Locks the first of these merchants that have due deliveries and free slots, and notes them for the next statement,
 * which is sent before this one is answered. Not `exists`: for that the planner scans the table from its start and
 * hopes for an early hit, which never comes when everything is delivered.
 */
const lockMerchants = (merchants: readonly string[], { free, now, few }: ClaimOptions) => sql`
  with locked as (
    select e.merchant_id, turn.place
      from unnest(${[...merchants]}::text[]) with ordinality as turn (merchant_id, place)
      join webhook_endpoints e on e.merchant_id = turn.merchant_id and e.status = 'enabled'
     cross join lateral ${inFlight} as flight
     where ${slotsOf(now, few)} > cardinality(flight.ids)
       and (select d.id from webhook_deliveries d
             where d.merchant_id = e.merchant_id and ${isDue(now)} and d.id <> all (flight.ids)
             order by d.next_attempt_at limit 1) is not null
     order by turn.place limit ${free} for no key update of e skip locked
  ), turns as (
    select coalesce(array_agg(merchant_id order by place), '{}') as merchants from locked
  )
  select merchants, set_config('kasi.locked_merchants', merchants::text, true) from turns`;

const LOCKED = sql`current_setting('kasi.locked_merchants')::text[]`;

/**
 * Puts the oldest due deliveries of locked merchants into free slots. A slot whose lease has ended is taken last: it
 * says how many attempts its delivery has had. Each endpoint is looked up on its own (`limit 1`): a join that goes
 * through the endpoints would give the slots of a full worker in their order, and not in the order of the turns. What
 * is claimed ahead is sent in the order of the answer: the oldest of each merchant, then the second of each.
 */
const lease = ({ worker, free, now, real, few }: ClaimOptions) => sql`
  with free as materialized (
    select e.merchant_id, e.url, e.failing_since, flight.ids, flight.lost, array(
             select slot from generate_series(1, ${IN_FLIGHT_MAX}::int) as slot where slot <> all (flight.slots)
              order by slot = any (flight.lost), slot
              limit greatest(0, ${slotsOf(now, few)} - cardinality(flight.ids))) as slots, array(
             select id from webhook_keys
              where merchant_id = e.merchant_id and (retires_at is null or retires_at > ${real})
              order by retires_at is not null, created_at desc, id desc) as key_ids
      from unnest(${LOCKED}) as turn (merchant_id)
     cross join lateral (
       select * from webhook_endpoints where merchant_id = turn.merchant_id and status = 'enabled' limit 1) e
     cross join lateral ${inFlight} as flight
  ), due as materialized (
    select d.*, e.url, e.failing_since, e.key_ids, e.slots[d.place] as slot
      from free e cross join lateral (
        select head.*, row_number() over (order by next_attempt_at) as place from (
          select d.id, d.event_id, d.merchant_id, d.next_attempt_at, 1 + greatest(d.attempts,
                   case when e.lost <> '{}' then (select max(attempt) from webhook_slots
                     where merchant_id = e.merchant_id and delivery_id = d.id) end) as attempt
            from webhook_deliveries d
           where d.merchant_id = e.merchant_id and ${isDue(now)} and d.id <> all (e.ids)
           order by d.next_attempt_at limit cardinality(e.slots)) head
      ) d
     limit ${free}
  ), leased as (
    insert into webhook_slots (merchant_id, slot, delivery_id, attempt, worker, ends_at)
    select merchant_id, slot, id, attempt, ${worker}, clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
      from due
        on conflict (merchant_id, slot) do update
       set delivery_id = excluded.delivery_id, attempt = excluded.attempt, worker = excluded.worker,
           ends_at = excluded.ends_at
    returning delivery_id
  )
  select due.id, due.event_id as "eventId", due.merchant_id as "merchantId", due.url, events.body, due.attempt,
         due.slot, due.failing_since as "failingSince", due.key_ids as "keyIds"
    from leased join due on due.id = leased.delivery_id join events on events.id = due.event_id
   order by due.place, due.next_attempt_at`;

/** Leases by rows are those of test calls and of workers of the release before. Expects the delivery as `d`. */
const isUnlocked = sql`(d.locked_until is null or d.locked_until < clock_timestamp())`;

const isOutOfSlots = sql`not exists (select from webhook_slots s
  where s.merchant_id = d.merchant_id and s.delivery_id = d.id and s.ends_at > clock_timestamp())`;

/** Whether a delivery is not in flight. Leases are database time. Expects the delivery as `d`. */
export const isFree = sql`${isUnlocked} and ${isOutOfSlots}`;

/** Due, business time, and not leased by its row. Expects the delivery as `d`. */
const isDue = (now: Date) => sql`d.status = 'pending' and not d.is_test and d.next_attempt_at <= ${now}
  and ${isUnlocked}`;

/** Whether any delivery is due and not in flight. */
export const isAnyDue = (now: Date): RawBuilder<boolean> => sql`(
  select true from webhook_deliveries d where ${isDue(now)} and ${isOutOfSlots} order by d.next_attempt_at limit 1
  ) is true`;

/** How many deliveries of a merchant may be in flight. Expects the endpoint as `e`. */
const slotsOf = (
  now: Date,
  few: Few = [],
) => sql`case when e.failing_since < ${new Date(now.getTime() - FAILING_AFTER_MS)}
  or ${few === 'all'}::boolean or e.merchant_id = any (${few === 'all' ? [] : [...few]}::text[])
  then ${IN_FLIGHT_FEW}::int else ${IN_FLIGHT_MAX}::int end`;

/** A merchant's taken slots, their deliveries, and slots whose lease has ended. Expects the endpoint as `e`. */
const inFlight = sql`(
  select coalesce(array_agg(slot) filter (where ends_at > statement_timestamp()), '{}') as slots,
         coalesce(array_agg(delivery_id) filter (where ends_at > statement_timestamp()), '{}') as ids,
         coalesce(array_agg(slot) filter (where ends_at <= statement_timestamp()), '{}') as lost
    from webhook_slots where merchant_id = e.merchant_id)`;
