import { type RawBuilder, sql } from 'kysely';

/**
 * Whether credit `c` of payment `p` lies deep enough on the network of cursor `u`: under the height that is confirmed
 * whatever it is worth, and under the depths that its worth asks for. Like for second opinions the payment's worth and
 * the transfer's count, so that a surplus does not slip through. What a miner made for itself has to mature. What waits
 * in the pool stands above every block. Written so that an index on `c.block_number` answers the first part.
 */
export const isDeep = sql<boolean>`(
  c.block_number <= u.confirmed_height and (c.matures_at is null or c.matures_at <= u.height)
  and (u.depths is null or not exists (
    select from jsonb_array_elements(u.depths) as d
     where greatest(p.amount_micro, div(c.value_e18, 1000000000000)) >= (d ->> 'from')::numeric
       and c.block_number > u.height - (d ->> 'confirmations')::bigint + 1)))`;

/**
 * The credits `c` that are applied, not confirmed, and under the height that is confirmed whatever they are worth, with
 * their payments `p` and cursors `u`. Walks the index of unconfirmed credits, oldest block first, so the cost follows
 * what is deep and not all that waits. What else is asked of them should stand in a `case when p.id is null`, so that
 * each payment is looked up by its id: with statistics from a time when none was confirming, the planner would join all
 * payments with the whole backlog. `which` is asked of credits alone, before their payments are looked up.
 */
export const underConfirmedHeight = (which: RawBuilder<boolean>): RawBuilder<unknown> => sql`
  chain_cursors u
   cross join lateral (
     select c.* from credits c
      where c.network = u.network and c.canonical and c.confirmed_at is null and c.block_number <= u.confirmed_height
        and c.applied_at is not null and ${which}
      order by c.block_number) c
    join payments p on p.id = c.payment_id`;
