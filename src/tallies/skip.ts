import { type RawBuilder, sql } from 'kysely';
import { LISTED } from '../db/prepared.ts';
import { DAY_MS } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import type { PageWindow, Skipped } from '../lib/paging.ts';
import {
  bounds,
  type CountedPart,
  countOfPart,
  divide,
  floorMonth,
  GRAIN,
  matches,
  notedOf,
  type Part,
  type Range,
  readTotal,
  type Tallied,
} from './total.ts';

/** Fewer rows are passed over as fast as days are found: in an index, and where each is read in its table. */
const PASSED_MAX = { inIndex: 5000, inTable: 500 } as const;
/** Days of a page that lie further apart than this, in the middle, are read one by one. */
const APART_MAX = 3;

const [ALL, MONTH, DAY] = [sql.lit(GRAIN.all), sql.lit(GRAIN.month), sql.lit(GRAIN.day)];

/** How the rows of a list are found. */
export type Found = {
  /** See `countOf`; a list without a range needs none. */
  readonly within?: (part: Part) => RawBuilder<unknown>;
  /** No index has just the rows of the filter: of a first page, too, only the days are read that have some. */
  readonly sparse?: boolean;
  /** An index has just the rows of the filter, and nothing else of them is read to pass over them, from either end. */
  readonly inIndex?: boolean;
  /** What `countNewest` said, where the total needs it, too. */
  readonly newest?: CountedPart | undefined;
};

/** A day, how many rows of the list come before it, and how many are its own. */
type Day = { readonly start: Date; readonly before: number; readonly rows: number };

/**
 * The window of a page with the days that lie before it as a whole left out by their counts, so that no more rows are
 * passed over than one day has, or half of a long one. The same rows as without it. Skips nothing behind a cursor, and
 * where the tallies don't know the filter.
 */
export async function skipDays(
  db: Db | Trx,
  tallied: Tallied | undefined,
  { from, to }: Range,
  page: PageWindow,
  how: Found = {},
): Promise<PageWindow> {
  if (!tallied || !mayBeSkipped(page, { from, to }, how)) return page;
  const { newest = await countNewest(db, tallied, { to }, page, how), sparse = false } = how;
  const first = newest?.count ?? 0;
  if (page.offset < first) return page;
  const { days } = divide({ to });
  const offset = page.offset - first;
  const next = offset + page.limit + 1;
  const numbers = { offset, end: sparse ? next : offset + 1 };
  const { found, whole } = await findDays(db, tallied, { from, to: days?.to }, numbers, isPassed({ from, to }, how));
  if (whole !== null) return { ...page, skipped: { rows: 0, behind: { rows: whole - offset - 1, from: new Date(0) } } };
  return { ...page, skipped: skippedBy(found, { offset, end: page.offset, from }, sparse ? next : null) };
}

/** The same for a list of whole days that begins with the oldest, and is in an index. Reads each day's count. */
export async function skipEarlierDays(
  db: Db | Trx,
  tallied: Tallied,
  range: { readonly from: Date; readonly to: Date },
  page: PageWindow,
): Promise<PageWindow> {
  if (!('offset' in page) || page.offset < PASSED_MAX.inIndex) return page;
  const { rows } = await sql<{ start: string; n: bigint }>`
    select ${LISTED} start::text as start, sum(count)::bigint as n from (
      select start, count from tallies where ${matches(tallied)} and grain = ${DAY} ${bounds('start', range)}
      union all
      select day, count from ${notedOf(tallied)} ${bounds('day', range)}) as counted
     group by counted.start order by counted.start`.execute(db);
  let passed = 0;
  for (const { start, n } of rows) {
    if (passed + Number(n) > page.offset)
      return { ...page, skipped: { from: new Date(`${start}T00:00:00Z`), rows: passed } };
    passed += Number(n);
  }
  return { ...page, skipped: { from: range.to, rows: passed } };
}

/** How many rows the last day of the range has, where it ends within one and a page needs it. */
export async function countNewest(
  db: Db | Trx,
  tallied: Tallied | undefined,
  { to }: Range,
  page: PageWindow,
  how: Found,
): Promise<CountedPart | undefined> {
  const [newest] = divide({ to }).parts;
  if (!tallied || !newest || !how.within || !mayBeSkipped(page, { to }, how)) return undefined;
  return { ...newest, count: await readTotal(db, countOfPart(tallied, newest, how.within)) };
}

const mayBeSkipped = (page: PageWindow, range: Range, how: Found): page is Extract<PageWindow, { offset: number }> =>
  'offset' in page &&
  (how.sparse === true || page.offset >= (isPassed(range, how) ? PASSED_MAX.inIndex : PASSED_MAX.inTable));

/** Whether rows are passed over in an index, from either end of the list. */
const isPassed = ({ from, to }: Range, { sparse, inIndex }: Found): boolean =>
  inIndex === true && sparse !== true && !from && !to;

/** A page, by how many rows of the whole days, and of all, come before it; the list has no rows before `from`. */
type Place = { readonly offset: number; readonly end: number; readonly from: Date | undefined };

/** Behind the last there is no day, and no row before the beginning of time. `next` is the row after a sparse page. */
function skippedBy(days: readonly Day[], { offset, end, from }: Place, next: number | null): Skipped {
  const [day] = days;
  const last = days.at(-1);
  if (!day || !last) return { from: new Date(0), rows: end };
  const passed = offset - day.before;
  // A day is counted as a whole, also where the list has only the rows of its end.
  const isWhole = ({ start }: Day): boolean => !from || from <= start;
  const skipped = { from: new Date(day.start.getTime() + DAY_MS), rows: end - passed };
  // Not of a sparse page: among rows that are filtered as they are read, the nearer end may have more to read.
  if (next === null) {
    return isWhole(day) ? { ...skipped, behind: { rows: day.rows - passed - 1, from: day.start } } : skipped;
  }
  const areApart = skipped.from.getTime() - last.start.getTime() > APART_MAX * days.length * DAY_MS;
  const isMore = isWhole(last) && last.before + last.rows >= next;
  return { ...skipped, page: { until: last.start, days: areApart ? days.map(({ start }) => start) : null, isMore } };
}

/** Which rows of a list a page has, by their numbers; the second exclusive. */
type Numbers = { readonly offset: number; readonly end: number };

/**
 * The days of these rows, the newest first; none behind the last row. Months first, then the days of those. Near the
 * end, where that is asked for, only how many rows the whole list has.
 */
async function findDays(
  db: Db | Trx,
  tallied: Tallied,
  { from, to }: Range,
  { offset, end }: Numbers,
  mayBeNear: boolean,
): Promise<{ readonly found: readonly Day[]; readonly whole: number | null }> {
  // No month before the range; of its first one all days, which come last.
  const months = { from: from && floorMonth(from), to: to && floorMonth(to) };
  const isAmong = sql`before < ${end}::bigint and before + n > ${offset}::bigint`;
  const whole = mayBeNear ? wholeNear(offset) : null;
  // `kept` is spelt once: with few enough values the statement is prepared. Its index is read each time, and its slices
  // are added up in the order of the index: with the rest of a union, all of them would be sorted.
  const { rows } = await sql<DayRow>`
    with ${LISTED} kept as not materialized (
      select start, grain, count from tallies where ${matches(tallied)}
    ), noted as materialized (
      select day, count from ${notedOf(tallied)}
    ), ${whole?.counted ?? sql``} units as (
      select start, grain, sum(count) as n from (
        select start, ${MONTH} as grain, sum(count)::bigint as count from kept
         where grain = ${MONTH} ${bounds('start', months)} group by start
        union all
        select date_trunc('month', day::timestamp)::date, ${MONTH}, count from noted
         where true ${bounds('day', months)}${to ? daysOf({ from: months.to, to }) : sql``}) as counted
       where ${whole ? sql`not ${whole.isNear}` : sql`true`} group by start, grain
    ), unit as (
      select * from (
        select start, grain, n, sum(n) over (order by start desc) - n as before from units) as placed
       where ${isAmong}
    ), month as (
      select start, (start + interval '1 month')::date as next, before from unit where grain = ${MONTH}
    ), days as (
      select m.start as month, m.before, d.start, sum(d.count) as n from month m cross join lateral (
        select start, sum(count)::bigint as count from kept
         where grain = ${DAY} and start >= m.start and start < m.next group by start
        union all
        select day, count from noted where day >= m.start and day < m.next) as d
       group by m.start, m.before, d.start
    ), placed as (
      select start, n, before + sum(n) over (partition by month order by start desc) - n as before from days
      union all
      select start, n, before from unit where grain = ${DAY}
      ${whole ? sql`union all select null, n, 0 from whole where ${whole.isNear}` : sql``}
    )
    select start::text as start, before::bigint as before, n::bigint as n from placed where ${isAmong}
     order by placed.start desc`.execute(db);
  return toDays(rows);
}

/** Of the month in which a range ends, its days, as more units. */
const daysOf = (range: Range): RawBuilder<unknown> => sql`
        union all
        select start, ${DAY}, count from kept where grain = ${DAY} ${bounds('start', range)}
        union all
        select day, ${DAY}, count from noted where true ${bounds('day', range)}`;

/** How many rows the whole list has, and whether that is near. Not part of a statement that does not ask. */
const wholeNear = (offset: number) => ({
  counted: sql`whole as materialized (
      select sum(count) as n from (
        select count from kept where grain = ${ALL} union all select count from noted) as counted
    ),`,
  isNear: sql`(select n <= ${offset + PASSED_MAX.inIndex}::bigint from whole)`,
});

type DayRow = { readonly start: string | null; readonly before: bigint; readonly n: bigint };

/** The row without a start is of the whole list. */
function toDays(rows: readonly DayRow[]) {
  const found = rows.flatMap(({ start, before, n }) =>
    start === null ? [] : [{ start: new Date(`${start}T00:00:00Z`), before: Number(before), rows: Number(n) }],
  );
  const whole = rows.find(({ start }) => start === null);
  return { found, whole: whole ? Number(whole.n) : null };
}
