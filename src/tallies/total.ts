import { type RawBuilder, sql } from 'kysely';
import { LISTED, VARYING } from '../db/prepared.ts';
import { DAY_MS } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import type { PageWindow, Total } from '../lib/paging.ts';

/**
 * The lists that are tallied, and what a slice of each names, in order. The view `tallied_rows` and the triggers of
 * migrations 0120, 0132 and 0188 fill them.
 */
export const TALLIES = {
  payments: ['status', 'source', 'currency', 'exception', 'waiting'],
  pruned_payments: [],
  entries: [],
  deliveries: ['status'],
  audit: ['actorType', 'resourceType', 'action'],
  links: ['disabled', 'announced'],
  link_expiries: [],
  link_payments: [],
  plans: ['active'],
  subscriptions: ['status', 'leaving'],
  merchants: ['status'],
  withdrawals: ['status'],
  refunds: ['status'],
  movements: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type TallyList = keyof typeof TALLIES;

/** A name that is left out, or undefined, takes all. */
export type Slice<L extends TallyList = TallyList> = {
  readonly [N in (typeof TALLIES)[L][number]]?: string | undefined;
};

/** Which rows of which owners. */
export type Tallied<L extends TallyList = TallyList> = {
  readonly list: L;
  /** An expression where they are columns of the statement around it. */
  readonly owners: readonly string[] | RawBuilder<readonly string[]>;
  /** One, or several that have no row in common. */
  readonly slice?: Slice<L> | readonly Slice<L>[];
  /** Rows that the slice counts too few or too many so far: selects `day` and `count`. */
  readonly corrected?: RawBuilder<unknown>;
};

/** From and to are moments, the second exclusive; where one is missing, there is no bound. */
export type Range = { readonly from?: Date | undefined; readonly to?: Date | undefined };

export const GRAIN = { all: 0, month: 1, day: 2 } as const;

/** The part of a day between two moments, the second exclusive. */
export type Part = { readonly from: Date; readonly to: Date };

/** Such a part whose rows are counted already. */
export type CountedPart = Part & { readonly count: number };

type Span = { readonly grain: number; readonly from?: Date | undefined; readonly to?: Date | undefined };

/** A sum over whole days, as an expression: what is rolled up, and what is not yet. It reads a few rows a slice. */
export function sumOf(what: 'count' | 'amount', tallied: Tallied, days: Range = {}): RawBuilder<bigint> {
  const column = sql.ref(what);
  const kept = spansOf(days).map(
    ({ grain, from, to }) => sql`
      select ${column} as n from tallies
       where ${matches(tallied)} and grain = ${sql.lit(grain)} ${bounds('start', { from, to })}`,
  );
  return sql<bigint>`(select coalesce(sum(n), 0)::bigint from (${sql.join(kept, sql` union all `)}
      union all
      select ${column} from ${notedOf(tallied)} ${bounds('day', days)}) as summed)`;
}

/** What is not in the tallies yet, up to the condition of its rows. */
export const notedOf = (tallied: Tallied): RawBuilder<unknown> =>
  tallied.corrected
    ? sql`(select day, count from tally_deltas where ${matches(tallied)}
        union all ${tallied.corrected}) as noted where true`
    : sql`tally_deltas where ${matches(tallied)}`;

/**
 * How many rows match, exactly, as an expression. The days that the range covers come from the tallies; `within` are
 * the rows of the day at either end of it that it covers in part, which an index has to find.
 */
function countOf(
  tallied: Tallied,
  range: Range,
  within: (part: Part) => RawBuilder<unknown>,
  counted?: CountedPart,
): RawBuilder<bigint> {
  const { days, parts } = divide(range);
  const countIn = (part: Part) =>
    counted && isSame(part, counted) ? sql`${counted.count}::bigint` : countOfPart(tallied, part, within);
  const terms = [sql`0::bigint`, ...(days ? [sumOf('count', tallied, days)] : []), ...parts.map(countIn)];
  return sql<bigint>`(${sql.join(terms, sql` + `)})`;
}

/** How many rows a part of a day has: of a longer part, the rows of the day less those that are not in it. */
export function countOfPart(
  tallied: Tallied,
  part: Part,
  within: (part: Part) => RawBuilder<unknown>,
): RawBuilder<bigint> {
  const day = { from: floorDay(part.from), to: ceilDay(part.to) };
  const isLonger = part.to.getTime() - part.from.getTime() > DAY_MS / 2;
  const rests = [
    { from: day.from, to: part.from },
    { from: part.to, to: day.to },
  ].filter(({ from, to }) => from < to);
  const [rest, other] = rests;
  if (!isLonger || !rest || other) return sql<bigint>`(select count(*) from ${within(part)})`;
  return sql<bigint>`(${sumOf('count', tallied, day)} - (select count(*) from ${within(rest)}))`;
}

const isSame = (one: Part, other: Part): boolean =>
  one.from.getTime() === other.from.getTime() && one.to.getTime() === other.to.getTime();

/** What no tally knows is counted so far. */
const COUNTED_MAX = 10_000;

/**
 * How many of `rows` there are, what follows `from` in SQL: where no tally knows. Counts up to 10,000, or up to the end
 * of the page if that is later, so that a page says whether another follows.
 */
export async function countUpTo(db: Db | Trx, rows: RawBuilder<unknown>, page: PageWindow): Promise<Total> {
  const most = countedMax(page);
  const count = await readTotal(
    db,
    sql`${VARYING} (select count(*) from (select from ${rows} limit ${most + 1}) as r)`,
  );
  return totalOf(count, most);
}

/** Up to how many are counted for a page; `totalOf` takes the count of one more. */
export const countedMax = (page: PageWindow): number =>
  Math.max(COUNTED_MAX, ('offset' in page ? page.offset : 0) + page.limit + 1);

/** The total that a count of at most one more than `most` says. */
export const totalOf = (count: number, most: number): Total => (count > most ? { atLeast: most } : count);

/** The number that such an expression comes to. */
export async function readTotal(db: Db | Trx, count: RawBuilder<bigint>): Promise<number> {
  const { rows } = await sql<{ total: bigint }>`select ${LISTED} ${count} as total`.execute(db);
  return Number(rows[0]?.total ?? 0n);
}

/** How many rows match, exactly; see `countOf`. `counted` is a part that need not be counted again. */
export const countTallied = (
  db: Db | Trx,
  tallied: Tallied,
  range: Range,
  within: (part: Part) => RawBuilder<unknown>,
  counted?: CountedPart,
): Promise<number> =>
  readTotal(db, sql`${range.from || range.to ? VARYING : sql``} ${countOf(tallied, range, within, counted)}`);

/** The whole days of a range, and what is left of it at its ends. */
export function divide({ from, to }: Range): { readonly days: Range | null; readonly parts: Part[] } {
  if (from && to && to <= from) return { days: null, parts: [] };
  const first = from && ceilDay(from);
  const last = to && floorDay(to);
  if (from && to && first && last && first > last) return { days: null, parts: [{ from, to }] };
  const head = from && first && from < first ? [{ from, to: first }] : [];
  const tail = to && last && last < to ? [{ from: last, to }] : [];
  const days = first && last && first >= last ? null : { from: first, to: last };
  return { days, parts: [...tail, ...head] };
}

/** Whole months where the days make such, and the days around them. */
function spansOf({ from, to }: Range): Span[] {
  if (!from && !to) return [{ grain: GRAIN.all }];
  const first = from && ceilMonth(from);
  const last = to && floorMonth(to);
  if (first && last && first >= last) return [{ grain: GRAIN.day, from, to }];
  return [
    ...(from && first && from < first ? [{ grain: GRAIN.day, from, to: first }] : []),
    { grain: GRAIN.month, from: first, to: last },
    ...(to && last && last < to ? [{ grain: GRAIN.day, from: last, to }] : []),
  ];
}

/** The rows of these owners and slices, in either table. */
export function matches({ list, owners, slice = {} }: Tallied): RawBuilder<unknown> {
  const slices: readonly Slice[] = 'length' in slice ? (slice as readonly Slice[]) : [slice as Slice];
  const sliced =
    // A filter that asks for all slices compares none, which saves a third of the time of a deep page.
    slices.some(asksForAll)
      ? sql``
      : sql`and (${sql.join(
          slices.map((one) => isOf(list, one)),
          sql` or `,
        )})`;
  return sql`list = ${sql.lit(list)} and ${ownedBy(owners)} ${sliced}`;
}

/** The rows of one owner come in the order of their index, so that they are added up without a sort. */
function ownedBy(owners: Tallied['owners']): RawBuilder<unknown> {
  if (!Array.isArray(owners)) return sql`owner = any (${owners}::text[])`;
  const [owner] = owners;
  return owners.length === 1
    ? sql`owner = ${unfolded(owner, 'text')}`
    : sql`owner = any (${unfolded([...owners], 'text[]')}::text[])`;
}

const asksForAll = (slice: Slice): boolean => Object.values(slice).every((value) => value === undefined);

/** A value that no plan hangs on, so that PostgreSQL plans the statement once for all of them. */
const unfolded = (value: unknown, type: 'text' | 'text[]' | 'date') => sql`(select ${value}::${sql.raw(type)})`;

/**
 * Filters by one part have a text each; all others of a list share one, so that few are prepared. It is left out where
 * all are asked for.
 */
function isOf(list: TallyList, slice: Slice): RawBuilder<unknown> {
  const named: Readonly<Record<string, string | undefined>> = slice;
  const parts = TALLIES[list].map((name, index) => {
    const value = named[name];
    const asked = unfolded(value ?? null, 'text');
    return { value, asked, isAsked: sql`slice[${sql.lit(index + 1)}] = ${asked}` };
  });
  const [only, ...others] = parts.filter(({ value }) => value !== undefined);
  if (only && others.length === 0) return only.isAsked;
  return sql.join(
    parts.map(({ asked, isAsked }) => sql`(${asked} is null or ${isAsked})`),
    sql` and `,
  );
}

/** Conditions on a column that holds days. */
export const bounds = (column: 'start' | 'day', { from, to }: Range): RawBuilder<unknown> => sql`
  ${from ? sql`and ${sql.ref(column)} >= ${unfolded(dateOf(from), 'date')}` : sql``}
  ${to ? sql`and ${sql.ref(column)} < ${unfolded(dateOf(to), 'date')}` : sql``}`;

/** JavaScript knows days that PostgreSQL doesn't, and writes those of other years than four digits differently. */
function dateOf(day: Date): string {
  const year = day.getUTCFullYear();
  if (year < 1) return '-infinity';
  return year > 9999 ? 'infinity' : day.toISOString().slice(0, 10);
}

/** The first moment of the UTC day. */
export const floorDay = (at: Date): Date => new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS);
const ceilDay = (at: Date): Date => new Date(Math.ceil(at.getTime() / DAY_MS) * DAY_MS);
/** The first moment of the UTC month. */
export const floorMonth = (day: Date): Date => new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth()));
const ceilMonth = (day: Date): Date => {
  const floor = floorMonth(day);
  return floor < day ? new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1)) : floor;
};
