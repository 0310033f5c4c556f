import { invalidField } from './errors.ts';

/** `page`, `limit`, `after` and `before` of a list, as the contract validated them. */
export type PageQuery = {
  readonly page?: number;
  readonly limit?: number;
  readonly after?: string;
  readonly before?: string;
};

/**
 * So many of the rows that come before a page are those of this moment and later, which need not be passed over. Rows
 * of the page are only of these days, where they are known; null: no earlier than the last of them, but with no gaps.
 * `isMore`: whether a row came after the page when its days were found; it may have left the filter before it is read.
 * `behind`, where it is known: how many rows from this moment on come after the first of the page.
 */
export type Skipped = {
  readonly rows: number;
  readonly from?: Date;
  readonly page?: { readonly until: Date; readonly days: readonly Date[] | null; readonly isMore: boolean };
  readonly behind?: { readonly rows: number; readonly from: Date };
};

/** Which rows a page takes: behind so many, behind a cursor, or in front of one. */
export type PageWindow =
  | { readonly limit: number; readonly offset: number; readonly skipped?: Skipped }
  | { readonly limit: number; readonly after: string }
  | { readonly limit: number; readonly before: string };

/** The rows of a page, in the order of the list, and the cursors to its neighbours; null at an end. */
export type Page<Row> = {
  readonly rows: readonly Row[];
  readonly next: string | null;
  readonly previous: string | null;
};

const LIMIT_DEFAULT = 20;

/** The window that a query asks for. Throws VALIDATION_ERROR where it asks for two. */
export function windowOf(query: PageQuery): PageWindow {
  const { page = 1, limit = LIMIT_DEFAULT, after, before } = query;
  if (after !== undefined && before !== undefined) {
    throw invalidField('before', 'cannot be combined with `after`. Send `after` to read on, or `before` to read back.');
  }
  const name = after === undefined ? 'before' : 'after';
  const cursor = after ?? before;
  if (cursor === undefined) return { limit, offset: (page - 1) * limit };
  // The contract's default puts a 1 where nothing was sent.
  if (page !== 1) {
    throw invalidField(
      'page',
      `cannot be combined with \`${name}\`: a cursor says where the page begins. Leave one out.`,
    );
  }
  return after === undefined ? { limit, before: cursor } : { limit, after: cursor };
}

/** How many items a list has; `atLeast`: more, which nobody counted. That is more than up to the end of the page. */
export type Total = number | { readonly atLeast: number };

/** The pagination object of every list; a page past the end has the true total. */
export function presentPagination(query: PageQuery, counted: Total, page: Omit<Page<unknown>, 'rows'>) {
  const { limit = LIMIT_DEFAULT, after, before } = query;
  const number = after === undefined && before === undefined ? (query.page ?? 1) : 0;
  const total = typeof counted === 'number' ? counted : counted.atLeast;
  const { next, previous } = page;
  const totalIsMinimum = typeof counted !== 'number';
  return { page: number, limit, total, totalPages: Math.ceil(total / limit), totalIsMinimum, next, previous };
}

/** What a list is ordered by. Values are written as PostgreSQL writes them; a time in UTC, to the microsecond. */
export type KeyType = 'time' | 'text' | 'integer' | 'boolean';

/** Without the year 0, which JavaScript has and PostgreSQL does not. */
const TIME = /^(?!0000)\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?$/;

/** JavaScript takes the 30th of February for a day of March. */
function isTime(value: string): boolean {
  const date = new Date(`${value.replace(' ', 'T')}Z`);
  return TIME.test(value) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value.slice(0, 10));
}

const FORMS: Readonly<Record<KeyType, (value: string) => boolean>> = {
  time: isTime,
  text: (value) => /^[\x21-\x7e]{1,200}$/.test(value),
  integer: (value) => /^-?\d{1,18}$/.test(value),
  boolean: (value) => value === 't' || value === 'f',
};

/** Names the place of a row in a list. It holds all that the list is ordered by, so the row itself is not needed. */
export const toCursor = (list: string, keys: readonly string[]): string =>
  Buffer.from(JSON.stringify([list, ...keys])).toString('base64url');

/** The keys in a cursor of this list. Throws VALIDATION_ERROR for a text that is none. */
export function parseCursor(
  field: 'after' | 'before',
  cursor: string,
  list: string,
  types: readonly KeyType[],
): readonly string[] {
  const [name, ...keys] = readTexts(cursor);
  if (name !== undefined && name !== list && keys.length > 0) {
    throw invalidField(field, `is a cursor of another list (${name}). Send one that this list returned.`);
  }
  if (name !== list || keys.length !== types.length || !types.every((type, place) => FORMS[type](keys[place] ?? ''))) {
    const cure = 'Send `pagination.next` or `pagination.previous` of an answer of this list as it came, or nothing.';
    throw invalidField(field, `is not a cursor. ${cure}`);
  }
  return keys;
}

function readTexts(cursor: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(value) && value.every((part) => typeof part === 'string') ? value : [];
  } catch {
    return [];
  }
}

/** A window of rows that are at hand, the greatest key first. */
export function pageOfRows<Row>(list: string, rows: readonly Row[], window: PageWindow, keyOf: (row: Row) => string) {
  const cursorOf = (row: Row | undefined): string | null => (row === undefined ? null : toCursor(list, [keyOf(row)]));
  const start = startIn(list, rows, window, keyOf);
  const end = 'before' in window ? start : start + window.limit;
  const first = 'before' in window ? Math.max(0, start - window.limit) : start;
  const shown = rows.slice(first, end);
  return {
    rows: shown,
    next: end < rows.length ? cursorOf(shown.at(-1)) : null,
    previous: first > 0 ? cursorOf(shown[0]) : null,
  } satisfies Page<Row>;
}

function startIn<Row>(list: string, rows: readonly Row[], window: PageWindow, keyOf: (row: Row) => string): number {
  if ('offset' in window) return window.offset;
  const isBefore = 'before' in window;
  const [key = ''] = isBefore
    ? parseCursor('before', window.before, list, ['text'])
    : parseCursor('after', window.after, list, ['text']);
  const place = rows.findIndex((row) => (isBefore ? keyOf(row) <= key : keyOf(row) < key));
  return place === -1 ? rows.length : place;
}
