import { sql } from 'kysely';
import type { Db } from '../../src/lib/db-types.ts';

type Difference = { readonly row: string };

/** Where tallies and deltas together are not what the rows are, of any list, day, month or in all; as of one moment. */
export async function findUncounted(db: Db): Promise<string[]> {
  const { rows } = await sql<Difference>`
    select format('%s of %s, %s from %s, %s: %s rows and %s missing',
                  list, owner, grain, start, slice, sum(count), sum(amount)) as row
      from (
        select r.list, r.owner, g.grain, g.start, r.slice, 1 as count, r.amount
          from tallied_rows r cross join lateral tally_grains((r.at at time zone 'UTC')::date) g
        union all
        select d.list, d.owner, g.grain, g.start, d.slice, -d.count, -d.amount
          from tally_deltas d cross join lateral tally_grains(d.day) g
        union all
        select list, owner, grain, start, slice, -count, -amount from tallies
      ) as counted
     group by list, owner, grain, start, slice having sum(count) <> 0 or sum(amount) <> 0
     order by list, owner, grain, start limit 20`.execute(db);
  return rows.map(({ row }) => row);
}
