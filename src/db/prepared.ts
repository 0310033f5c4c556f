import { sql } from 'kysely';
import type pg from 'pg';
import { openDescriptions, type SharedColumns, toStatement } from './described.ts';
import type { Lanes, Way } from './lanes.ts';
import { isBoundary, openLine, openWire, pieceOf, type Sending } from './pieces.ts';
import { SESSION_MEANING } from './session-limits.ts';

/** Further texts are sent unprepared: lists of varying length must not fill the backends' memory. */
const PREPARED_MAX = 300;
/** So many of them are of lists: their filters, ranges and pages together make a thousand texts, as a caller likes. */
const LISTED_MAX = 150;
/** A text with more values than this seldom repeats. */
const VALUES_MAX = 40;
const MARK = '/* varying */';
/**
 * Marks a statement whose text varies with what a caller asks for: it is sent unprepared, so that the many texts of one
 * list don't take the names of others, and is planned for its values.
 */
export const VARYING = sql.raw(MARK);
const LISTED_MARK = '/* listed */';
/** Marks a statement of a list, of which the first texts are prepared, so that no list takes the names of others. */
export const LISTED = sql.raw(LISTED_MARK);
/** Whether a statement with so many values may be prepared. */
export const isPreparable = (text: string, values: number): boolean =>
  values > 0 && values <= VALUES_MAX && !text.includes(MARK);
/** PostgreSQL's error for a prepared statement whose table has been altered since. */
const STALE_PLAN = '0A000';

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;

export type Namer = {
  /** How a prepared client sends pieces. */
  readonly wayOf: (client: pg.ClientBase) => Way;
  /** Comes after `expectAnswers`, which gives pg the callback that it wants with a query object. */
  readonly prepare: (client: pg.ClientBase) => void;
  /**
   * Sends statements of a prepared client outside of a transaction as one piece, so that PostgreSQL commits them
   * together. After one that fails, all have its error; those before it keep their results.
   */
  readonly together: (
    client: pg.ClientBase,
    queries: readonly Text[],
  ) => Promise<PromiseSettledResult<pg.QueryResult>[]>;
};

type Text = { readonly text: string; readonly values: unknown[] };

/**
 * Names each statement by its text, so that PostgreSQL parses and plans it once per connection instead of once per use.
 * See decision db/prepared-by-name. After a migration by another process has made a plan stale, all names change, and
 * the statement is sent again under its new one. In a transaction, which the error has ended, `inTransaction` begins
 * anew. Whole transactions go over `lanes` where one has room.
 */
export function createNamer(lanes?: Lanes): Namer {
  const ways = new WeakMap<pg.ClientBase, Way>();
  const lines = new WeakMap<pg.ClientBase, (queries: readonly Text[]) => Promise<pg.QueryResult>[]>();
  const columns: SharedColumns = new Map();
  const { nameOf, renameAll } = openNames(() => columns.clear());

  return {
    wayOf: (client) => ways.get(client) as Way,
    together: (client, queries) => Promise.allSettled(lines.get(client)?.(queries) ?? []),
    prepare: (client) => {
      const query = client.query.bind(client) as (config: unknown, values?: unknown) => Promise<unknown>;
      const { _types: types } = client as unknown as { readonly _types: unknown };
      const descriptions = openDescriptions(columns);
      const wire = openWire(client, descriptions);
      const isDefault = askForLevel(client, query);
      // Each statement says itself what became of it.
      const piece: Sending['piece'] = (statements, areAlone = false) => query(pieceOf(statements, wire, { areAlone }));
      ways.set(client, { wire, query, isDefault });
      const line = openLine({
        piece, // Each statement says itself what became of it.
        whole: async (statements) => {
          const isDone = await lanes?.send(statements);
          return isDone === true || piece(statements);
        },
        isDefault,
      });
      const run = async (text: string, values: readonly unknown[], isRepeated = false): Promise<unknown> => {
        const name = isBoundary(text) || isPreparable(text, values.length) ? nameOf(text) : undefined;
        const isAlone = !line.isOpen();
        try {
          return await line.add(toStatement({ name, text, values: values as unknown[] }, types));
        } catch (error) {
          if (codeOf(error) !== STALE_PLAN || name === undefined) throw error;
          renameAll(text, name);
          if (!isAlone || isRepeated) throw error; // A transaction begins anew.
          return run(text, values, true);
        }
      };
      lines.set(client, (queries) => {
        const toNamed = ({ text, values }: Text) => ({ name: nameOf(text), text, values });
        return line.addTogether(queries.map((each) => toStatement(toNamed(each), types)));
      });
      client.query = ((text: unknown, values?: unknown, ...rest: unknown[]) => {
        if (typeof text === 'string' && Array.isArray(values) && rest.length === 0) {
          if (values.length > 0 || isBoundary(text)) return run(text, values);
        }
        const given = [values, ...rest].filter((part) => part !== undefined) as [unknown];
        return line.addAlone(() => query(text, ...given));
      }) as typeof client.query;
    },
  };
}

/**
 * Asks a new session for the level at which it begins transactions, before anything else, and returns whether that is
 * known to be the one that all code relies on. A session has asked for it, but a pooler may have left that out, and the
 * next transaction may go to a session that began at another. Behind one it is another process that answers than the
 * connection was told of, and nothing is known.
 */
function askForLevel(client: pg.ClientBase, query: (text: string) => Promise<unknown>): () => boolean {
  let isKnown = false;
  query(`select current_setting('default_transaction_isolation') as level, pg_backend_pid() as process`).then(
    (found) => {
      const [row] = (found as pg.QueryResult<{ level: string; process: number }>).rows;
      const { processID } = client as unknown as { readonly processID: number | null };
      isKnown = row?.level === SESSION_MEANING.default_transaction_isolation && row.process === processID;
    },
    () => undefined,
  );
  return () => isKnown;
}

/** The name of each text; undefined for a text that gets none. */
function openNames(onRename: () => void) {
  const names = new Map<string, string>();
  let generation = 0;
  let listed = 0;

  const nameOf = (text: string): string | undefined => {
    const known = names.get(text);
    if (known !== undefined || names.size >= PREPARED_MAX) return known;
    const isListed = text.includes(LISTED_MARK);
    if (isListed && listed >= LISTED_MAX) return undefined;
    if (isListed) listed += 1;
    const name = `k${generation}_${names.size}`;
    names.set(text, name);
    return name;
  };

  /** After a stale plan all names change; of statements that fail together, the first renames all. */
  const renameAll = (text: string, name: string): void => {
    if (names.get(text) !== name) return;
    names.clear();
    listed = 0;
    generation += 1;
    onRename();
  };

  return { nameOf, renameAll };
}
