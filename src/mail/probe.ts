import { type RawBuilder, sql } from 'kysely';

/** Of so many merchants one is chosen. */
const MERCHANTS_MAX = 500;
/** So many mails that have met trouble are added up of each; more say nothing more. */
const MET_MAX = 100;

/** Due and not under way. Leases are database time. */
export const isDue = (now: Date): RawBuilder<boolean> => sql`status = 'pending' and next_attempt_at <= ${now}
  and (locked_until is null or locked_until < clock_timestamp())`;

/**
 * Locks the due mail that says most about a server in trouble: one that has not met trouble twice itself, of the
 * merchant whose mails meet least; of no merchant last. Reads a few mails of each merchant, by the order of
 * `mails_to_send`: a server that is away leaves hundreds of thousands, and nothing is sent until a probe was claimed.
 * What locks it finds it by its id: by the conditions alone the planner would read all that is due, for each of them.
 */
export const selectProbe = (now: Date): RawBuilder<unknown> => sql`
  with recursive walk as (
    (select merchant_id, 1 as place from mails
      where status = 'pending' and merchant_id is not null order by merchant_id limit 1)
    union all
    select (select m.merchant_id from mails m
             where m.status = 'pending' and m.merchant_id > walk.merchant_id order by m.merchant_id limit 1), place + 1
      from walk where walk.merchant_id is not null and place < ${MERCHANTS_MAX}
  ), probes as (
    select probe.id, probe.troubles >= 2 as often, met.troubles as met
      from walk
     cross join lateral (
       select coalesce(sum(troubles), 0) as troubles from (
         select troubles from mails
          where status = 'pending' and merchant_id = walk.merchant_id and troubles > 0 limit ${MET_MAX}) tried) met
     cross join lateral (
       ${firstOf(sql`merchant_id = walk.merchant_id and troubles = 0`, sql`next_attempt_at, id`, now)} union all
       ${firstOf(sql`merchant_id = walk.merchant_id and troubles = 1`, sql`next_attempt_at, id`, now)} union all
       ${firstOf(sql`merchant_id = walk.merchant_id and troubles >= 2`, sql`troubles, next_attempt_at, id`, now)}) probe
    union all
    select probe.id, probe.troubles >= 2, null
      from ${firstOf(sql`merchant_id is null`, sql`troubles, next_attempt_at, id`, now)} probe
  )
  select mails.id from probes join mails on mails.id = probes.id
   where case when mails.id is null then false else ${isDue(now)} end
   order by often, met nulls last, next_attempt_at, mails.id limit 1 for update of mails skip locked`;

const firstOf = (whose: RawBuilder<unknown>, order: RawBuilder<unknown>, now: Date): RawBuilder<unknown> => sql`
  (select id, troubles from mails where ${whose} and ${isDue(now)} order by ${order} limit 1)`;
