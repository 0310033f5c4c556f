import type { Kysely } from 'kysely';
import type pg from 'pg';
import type { DB } from '../../generated/db.ts';
import type { Db } from '../lib/db-types.ts';
import { telling, WORK } from '../lib/work.ts';

const OPENING = /^(begin|start transaction)\b/;

/** Tells of each statement of a connection. What opens a transaction is not sent by itself, and so not told. */
export function tellStatements(client: pg.ClientBase): void {
  const query = client.query as unknown as (text: unknown, ...rest: unknown[]) => Promise<unknown>;
  client.query = ((text: unknown, ...rest: unknown[]) =>
    typeof text !== 'string' || OPENING.test(text)
      ? query(text, ...rest)
      : telling(
          WORK.statement,
          () => ({ text }),
          () => query(text, ...rest),
        )) as typeof client.query;
}

/** Tells of each look-up by itself, although many go together. */
export const tellLookUps =
  (lookUp: Db['lookUp'], db: Kysely<DB>): Db['lookUp'] =>
  (query) =>
    telling(
      WORK.statement,
      () => ({ text: query.compile(db).sql }),
      () => lookUp(query),
    );
