import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../lib/db-types.ts';
import type { PageWindow } from '../lib/paging.ts';
import { bounds, divide, floorMonth, GRAIN, matches, type Part, type Range, readTotal, type Tallied } from './total.ts';

/** Fewer rows are passed over as fast as days are found. */
const SKIPPED_MIN = 500;

/**
 * The window of a page with the days that lie before it as a whole left out by their counts, so that no more rows are
 * passed over than one day has. The same rows as without it. `within`: see `countOf`; a list without a range needs
 * none. Skips nothing behind a cursor, and where the tallies don't know the filter.
 */
export async function skipDays(
  db: Db | Trx,
  tallied: Tallied | undefined,
  { to }: Range,
  page: PageWindow,
  within?: (part: Part) => RawBuilder<unknown>,
): Promise<PageWindow> {
  if (!tallied || !('offset' in page) || page.offset < SKIPPED_MIN) return page;
  const { days, parts } = divide({ to });
  const [newest] = parts;
  const first = newest && within ? await readTotal(db, sql`(select count(*) from ${within(newest)})`) : 0;
  if (page.offset < first) return page;
  const day = await findDay(db, tallied, days?.to, page.offset - first);
  // Behind the last there is no day, and no row before the beginning of time.
  return {
    ...page,
    skipped: day ? { from: day.to, rows: page.offset - day.offset } : { from: new Date(0), rows: page.offset },
  };
}

/** The day of the row that so many rows come before; undefined behind the last. Months first, then the days of one. */
async function findDay(db: Db | Trx, tallied: Tallied, to: Date | undefined, offset: number) {
  const which = matches(tallied);
  const whole = { to: to && floorMonth(to) };
  // Of the month in which the range ends, its days.
  const ending = to
    ? sql`
      union all
      select start, ${sql.lit(GRAIN.day)}, count from tallies
       where ${which} and grain = ${sql.lit(GRAIN.day)} ${bounds('start', { from: whole.to, to })}
      union all
      select day, ${sql.lit(GRAIN.day)}, count from tally_deltas
       where ${which} ${bounds('day', { from: whole.to, to })}`
    : sql``;
  const { rows } = await sql<{ next: string; before: bigint }>`
    with units as (
      select start, grain, sum(count) as n from (
        select start, grain, count from tallies
         where ${which} and grain = ${sql.lit(GRAIN.month)} ${bounds('start', whole)}
        union all
        select date_trunc('month', day::timestamp)::date, ${sql.lit(GRAIN.month)}, count from tally_deltas
         where ${which} ${bounds('day', whole)}${ending}) as counted
       group by start, grain
    ), unit as (
      select * from (
        select start, grain, n, sum(n) over (order by start desc) - n as before from units) as placed
       where before <= ${offset}::bigint and before + n > ${offset}::bigint limit 1
    ), month as (
      select start, (start + interval '1 month')::date as next, before from unit where grain = ${sql.lit(GRAIN.month)}
    ), days as (
      select start, sum(count) as n from (
        select start, count from tallies
         where ${which} and grain = ${sql.lit(GRAIN.day)}
           and start >= (select start from month) and start < (select next from month)
        union all
        select day, count from tally_deltas
         where ${which} and day >= (select start from month) and day < (select next from month)) as counted
       group by start
    ), placed as (
      select d.start, d.n, m.before + sum(d.n) over (order by d.start desc) - d.n as before
        from days d cross join month m
      union all
      select start, n, before from unit where grain = ${sql.lit(GRAIN.day)}
    )
    select (start + 1)::text as next, before::bigint as before from placed
     where before <= ${offset}::bigint and before + n > ${offset}::bigint limit 1`.execute(db);
  const [row] = rows;
  return row && { to: new Date(`${row.next}T00:00:00Z`), offset: offset - Number(row.before) };
}
