import { sql } from 'kysely';
import type { Db } from '../../src/lib/db-types.ts';

/** What a day counts into. */
const GRAINS = sql`(values (0::smallint, '-infinity'::date), (1::smallint, date_trunc('month', d.day::timestamp)::date),
                          (2::smallint, d.day)) as g (grain, start)`;

type Difference = { readonly row: string };

/** Where tallies and deltas together are not what the rows are, of any list, day, month or in all; as of one moment. */
export async function findUncounted(db: Db): Promise<string[]> {
  const { rows } = await sql<Difference>`
    select format('%s of %s, %s from %s, %s: %s rows and %s missing',
                  list, owner, grain, start, slice, sum(count), sum(amount)) as row
      from (
        select d.list, d.owner, g.grain, g.start, d.slice, 1 as count, d.amount
          from (select *, (at at time zone 'UTC')::date as day from tallied_rows) d cross join lateral ${GRAINS}
         where g.start is not null
        union all
        select d.list, d.owner, g.grain, g.start, d.slice, -d.count, -d.amount
          from tally_deltas d cross join lateral ${GRAINS} where g.start is not null
        union all
        select list, owner, grain, start, slice, -count, -amount from tallies
      ) as counted
     group by list, owner, grain, start, slice having sum(count) <> 0 or sum(amount) <> 0
     order by list, owner, grain, start limit 20`.execute(db);
  return rows.map(({ row }) => row);
}
