import { type AliasedRawBuilder, type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { type KeyType, type Page, type PageWindow, parseCursor, type Skipped, toCursor } from '../lib/paging.ts';
import { LISTED } from './prepared.ts';

/** The order of a list, by which its cursors find a row again. Its keys together are unique and never null. */
export type Order = {
  /** Stands in cursors, so that one of another list is recognised. */
  readonly list: string;
  readonly direction: 'asc' | 'desc';
  readonly keys: readonly OrderKey[];
};

export type OrderKey = {
  readonly sql: RawBuilder<unknown>;
  readonly type: KeyType;
  /** Stands for it in cursors where the key itself is nobody's business, and finds it again. */
  readonly alias?: { readonly sql: RawBuilder<string>; readonly find: (text: string) => RawBuilder<unknown> };
};

/** The order of most lists and their indexes. `table` is the alias in the query, where it needs one. */
export const newestFirst = (
  list: string,
  { table, at = 'created_at', id = 'text' }: { table?: string; at?: string; id?: KeyType } = {},
): Order => {
  const column = (name: string) => sql.ref(table === undefined ? name : `${table}.${name}`);
  return {
    list,
    direction: 'desc',
    keys: [
      { sql: column(at), type: 'time' },
      { sql: column('id'), type: id },
    ],
  };
};

/** What each row of a window carries beside its columns: its keys as a record in text. */
export type Keyed = { readonly cursor_keys: string };

/** Rows under a condition. They may come in any order; `way` is the direction in which they are read. */
type Select = (condition: RawBuilder<SqlBool>, way: RawBuilder<unknown>) => Expression<unknown>;

/** The parts of a statement that reads one window of a list. */
export type WindowSql = {
  /** A column to select. */
  readonly keys: AliasedRawBuilder<string, 'cursor_keys'>;
  /** What the cursor leaves of the list. */
  readonly condition: RawBuilder<SqlBool>;
  /**
   * Whether a row, by its column `id`, is in the window. `select` selects `id` and `created_at` of the rows of the list
   * under the condition; an index can answer that, so what is passed over is not read. The ids come as an array: a join
   * with them would be planned for their values each time.
   */
  readonly isOnPage: (id: string, select: Select) => RawBuilder<SqlBool>;
  /** The order alone, for a statement around the one that finds the rows. */
  readonly sorted: RawBuilder<unknown>;
  /** Order, offset and limit: the end of the statement. */
  readonly tail: RawBuilder<unknown>;
  /** The page that the rows of the statement make. */
  readonly pageOf: <Row extends Keyed, Item>(
    rows: readonly Row[],
    toItem: (row: Row) => Item,
    /** How many rows the window has, where some of them are not shown. */
    found?: number,
  ) => Page<Item>;
};

/**
 * Reads a window of a list by its order. A row comparison in the order of the index begins behind the cursor at any
 * depth. In front of a cursor the index is read backwards. Throws VALIDATION_ERROR for a wrong cursor.
 */
export function windowSql(order: Order, window: PageWindow): WindowSql {
  const { direction, bound } = startOf(order, window);
  const columns = order.keys.map(({ sql: column }) => column);
  const way = sql.raw(direction);
  const skipped = 'offset' in window ? window.skipped : undefined;
  const offset = 'offset' in window ? window.offset - (skipped?.rows ?? 0) : 0;
  const limit = window.limit + 1;
  const sorted = sql.join(columns.map((column) => sql`${column} ${way}`));
  return {
    keys: sql<string>`row(${sql.join(order.keys.map(shownKey))})`.as('cursor_keys'),
    condition: conditionOf(columns, { direction, bound }, skipped),
    isOnPage: (id, select) => {
      const { first, rows, passed } = sourceOf(select, columns, { direction, bound, offset }, skipped);
      const ordered = sql`order by found.created_at ${way}, found.id ${way}`;
      return sql<SqlBool>`${sql.ref(id)} = any (array(${LISTED}
      ${first} select found.id from ${planned(rows, ordered, passed + limit)} as found
       ${ordered} limit ${limit} offset ${passed}))`;
    },
    sorted: sql`order by ${sorted}`,
    tail: sql`order by ${sorted} limit ${limit} offset ${offset}`,
    pageOf: (rows, toItem, found = rows.length) => {
      // Of a page that is read only to where its days end, one row less would seem to be the last.
      const isMore = found > window.limit || skipped?.page?.isMore === true;
      return pageOf(order, window, rows, toItem, isMore);
    },
  };
}

/** More rows than the last are passed over faster without another limit around them. */
const PLANNED = [32, 128, 512] as const;
const PLANNED_MAX = PLANNED[2];

/**
 * Rows under a limit that stands in the text. For one that is a value, PostgreSQL plans as for a tenth of the list, and
 * so plans each time for the value, which takes longer than reading the page. Few limits make few texts.
 */
function planned(rows: RawBuilder<unknown>, ordered: RawBuilder<unknown>, end: number): RawBuilder<unknown> {
  if (end > PLANNED_MAX) return rows;
  return sql`(select found.created_at, found.id from ${rows} as found ${ordered} limit ${readUpTo(end)})`;
}

/** A limit that is no less than `end`, and stands in the text where few texts are enough. */
export function readUpTo(end: number): RawBuilder<unknown> {
  const rounded = PLANNED.find((most) => end <= most);
  return rounded === undefined ? sql`${end}` : sql.lit(rounded);
}

function conditionOf(
  columns: readonly RawBuilder<unknown>[],
  { direction, bound }: Omit<Start, 'offset'>,
  skipped: Skipped | undefined,
): RawBuilder<SqlBool> {
  if (skipped?.from) {
    if (direction === 'asc') return sql<SqlBool>`${columns[0]} >= ${skipped.from}`;
    const until = skipped.page ? sql`and ${columns[0]} >= ${skipped.page.until}` : sql``;
    return sql<SqlBool>`${columns[0]} < ${skipped.from} ${until}`;
  }
  if (bound.length === 0) return sql<SqlBool>`true`;
  return sql<SqlBool>`(${sql.join(columns)}) ${sql.raw(direction === 'desc' ? '<' : '>')} (${sql.join(bound)})`;
}

/** Where a window begins, and in which direction its statement reads. */
type Start = {
  readonly direction: 'asc' | 'desc';
  /** The values of the cursor, typed, in the order of the keys. */
  readonly bound: readonly RawBuilder<unknown>[];
  readonly offset: number;
};

/** What is read to find the rows of a window, and how many of it come before the first. */
type Source = { readonly first: RawBuilder<unknown>; readonly rows: RawBuilder<unknown>; readonly passed: number };

function sourceOf(
  select: Select,
  columns: readonly RawBuilder<unknown>[],
  start: Start,
  skipped: Skipped | undefined,
): Source {
  const { behind, page } = skipped ?? {};
  const passed = start.offset;
  const way = sql.raw(start.direction);
  if (page?.days) {
    const [at] = columns;
    const within = sql<SqlBool>`${at} >= day.start and ${at} < day.start + interval '24 hours'`;
    const days = sql`unnest(${[...page.days]}::timestamptz[]) as day (start)`;
    return { first: sql``, rows: sql`${days} cross join lateral (${select(within, way)})`, passed };
  }
  if (behind && behind.rows < passed - NEARER_MIN) return fromFirst(select, columns, behind);
  return { first: sql``, rows: sql`(${select(conditionOf(columns, start, skipped), way)})`, passed };
}

/** Its statement is planned each time, which takes longer than passing over fewer rows. */
const NEARER_MIN = 2_000;

/** The first row of a page is found from the end of its day, and the others by its keys. */
function fromFirst(
  select: Select,
  columns: readonly RawBuilder<unknown>[],
  { rows, from }: NonNullable<Skipped['behind']>,
): Source {
  const [at] = columns;
  const ordered = sql`order by found.created_at, found.id`;
  const first = sql`with first as materialized (
        select found.created_at, found.id from (${select(sql`${at} >= ${from}`, sql.raw('asc'))}) as found
         ${ordered} limit 1 offset ${rows})`;
  // A list that ends at a moment is read from there on, unless its time alone is compared, too.
  const condition = sql<SqlBool>`${at} <= (select created_at from first)
     and (${sql.join(columns)}) <= (select created_at, id from first)`;
  return { first, rows: sql`(${select(condition, sql.raw('desc'))})`, passed: 0 };
}

function startOf(order: Order, window: PageWindow): Omit<Start, 'offset'> {
  if ('offset' in window) return { direction: order.direction, bound: [] };
  const types = order.keys.map(({ type, alias }) => (alias ? 'text' : type));
  const isBefore = 'before' in window;
  const keys = isBefore
    ? parseCursor('before', window.before, order.list, types)
    : parseCursor('after', window.after, order.list, types);
  const opposite = order.direction === 'desc' ? 'asc' : 'desc';
  return {
    direction: isBefore ? opposite : order.direction,
    bound: order.keys.map(({ type, alias }, place) => {
      const text = keys[place] ?? '';
      return alias ? alias.find(text) : typedValue(text, type);
    }),
  };
}

function pageOf<Row extends Keyed, Item>(
  { list }: Order,
  window: PageWindow,
  read: readonly Row[],
  toItem: (row: Row) => Item,
  isMore: boolean,
): Page<Item> {
  const isBefore = 'before' in window;
  const shown = read.slice(0, window.limit);
  const rows = isBefore ? shown.toReversed() : shown;
  const cursorOf = (row: Row | undefined): string | null => (row ? toCursor(list, partsOf(row.cursor_keys)) : null);
  const isFirst = isBefore ? !isMore : 'offset' in window && window.offset === 0;
  const isLast = isBefore ? false : !isMore;
  return {
    rows: rows.map(toItem),
    next: isLast ? null : cursorOf(rows.at(-1)),
    previous: isFirst ? null : cursorOf(rows[0]),
  };
}

/**
 * A record becomes text only where a row is shown, not where a page by number skips it. It keeps the microseconds,
 * which a date of JavaScript has not.
 */
function shownKey({ sql: column, type, alias }: OrderKey): RawBuilder<unknown> {
  return alias?.sql ?? (type === 'time' ? sql`${column} at time zone 'UTC'` : column);
}

/** The parts of a record whose texts hold neither quotes nor backslashes: `("2026-01-01 10:00:00.5",pay_1)`. */
const partsOf = (record: string): string[] =>
  [...record.matchAll(/"([^"]*)"|[^,()"]+/g)].map(([part, quoted]) => quoted ?? part);

function typedValue(key: string, type: KeyType): RawBuilder<unknown> {
  switch (type) {
    case 'time':
      return sql`${`${key}Z`}::timestamptz`;
    case 'integer':
      return sql`${key}::bigint`;
    case 'boolean':
      return sql`${key}::boolean`;
    case 'text':
      return sql`${key}`;
  }
}
