import { sql } from 'kysely';
import type pg from 'pg';
import { describedQuery, openDescriptions, type SharedColumns, terseWire } from './described.ts';

/** Further texts are sent unprepared: lists of varying length must not fill the backends' memory. */
const PREPARED_MAX = 300;
/** A text with more values than this seldom repeats. */
const VALUES_MAX = 40;
const MARK = '/* varying */';
/**
 * Marks a statement whose text varies with what a caller asks for: it is sent unprepared, so that the many texts of one
 * list don't take the names of others, and is planned for its values.
 */
export const VARYING = sql.raw(MARK);
/** Whether a statement with so many values may be prepared. */
export const isPreparable = (text: string, values: number): boolean =>
  values > 0 && values <= VALUES_MAX && !text.includes(MARK);
/** PostgreSQL's error for a prepared statement whose table has been altered since. */
const STALE_PLAN = '0A000';
/** The transaction has failed already. */
const ABORTED = '25P02';

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;

/**
 * Names each statement by its text, so that PostgreSQL parses and plans it once per connection instead of once per use.
 * See decision db/prepared-by-name. After a migration by another process has made a plan stale, all names change, and
 * the statement is sent again under its new one. In a transaction, which the error has ended, `inTransaction` begins
 * anew.
 */
export function createNamer(): {
  /** Comes after `expectAnswers`, which gives pg the callback that it wants with a query object. */
  readonly prepare: (client: pg.ClientBase) => void;
} {
  const names = new Map<string, string>();
  const columns: SharedColumns = new Map();
  let generation = 0;

  const nameOf = (text: string): string | undefined => {
    const known = names.get(text);
    if (known !== undefined || names.size >= PREPARED_MAX) return known;
    const name = `k${generation}_${names.size}`;
    names.set(text, name);
    return name;
  };

  return {
    prepare: (client) => {
      const query = client.query.bind(client) as (config: unknown, values?: unknown) => Promise<unknown>;
      const descriptions = openDescriptions(columns);
      const terse = terseWire(client);
      const named = async (text: string, values: readonly unknown[]): Promise<unknown> => {
        const name = nameOf(text);
        try {
          return await send(name, text, values);
        } catch (error) {
          if (codeOf(error) !== STALE_PLAN || name === undefined) throw error;
          // Of statements that fail together, the first renames all.
          if (names.get(text) === name) {
            names.clear();
            columns.clear();
            generation += 1;
          }
          return send(nameOf(text), text, values).catch((again: unknown) => {
            throw codeOf(again) === ABORTED ? error : again;
          });
        }
      };
      const send = (name: string | undefined, text: string, values: readonly unknown[]): Promise<unknown> =>
        name === undefined
          ? query(text, values)
          : query(describedQuery({ name, text, values: values as unknown[] }, descriptions, terse));
      client.query = ((text: unknown, values?: unknown, ...rest: unknown[]) =>
        typeof text === 'string' && Array.isArray(values) && isPreparable(text, values.length) && rest.length === 0
          ? named(text, values)
          : query(
              text,
              ...([values, ...rest].filter((part) => part !== undefined) as [unknown]),
            )) as typeof client.query;
    },
  };
}
