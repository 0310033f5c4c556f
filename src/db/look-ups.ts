import type { CompiledQuery, Kysely } from 'kysely';
import type pg from 'pg';
import type { DB } from '../../generated/db.ts';
import type { Compilable, Db, Trx } from '../lib/db-types.ts';
import type { Namer } from './prepared.ts';
import { isOutage } from './transaction.ts';

/** Of the pool's connections, those that look-ups take at once. */
const CONNECTIONS_MAX = 2;
/** How many go together, so that the first need not wait long for the last. */
const PIECE_MAX = 50;

type LookUp = {
  readonly query: CompiledQuery<unknown>;
  readonly resolve: (rows: unknown[]) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Sends the look-ups of one turn of the event loop together, and those that come meanwhile with the next piece. Each
 * fails by itself. See decision db/look-ups-go-together.
 */
export function createLookUps(pool: pg.Pool, namer: Namer, db: Kysely<DB>): Db['lookUp'] {
  const waiting: LookUp[] = [];
  let busy = 0;
  let isPlanned = false;
  const work = async (): Promise<void> => {
    busy += 1;
    try {
      const client = await pool.connect();
      let isWell = true;
      try {
        while (isWell && waiting.length > 0) isWell = await answer(client, waiting.splice(0, PIECE_MAX), namer);
      } finally {
        client.release(!isWell); // The pool itself may learn only later that the connection was lost.
      }
    } catch (error) {
      for (const { reject } of waiting.splice(0)) reject(error); // There is no connection to be had.
    }
    busy -= 1;
    plan();
  };
  const plan = (): void => {
    if (isPlanned || busy >= CONNECTIONS_MAX || waiting.length === 0) return;
    isPlanned = true;
    setImmediate(() => {
      isPlanned = false;
      if (waiting.length > 0) void work();
    });
  };
  return <T>(query: { readonly compile: (provider: Kysely<DB>) => CompiledQuery<T> }) =>
    new Promise<T[]>((resolve, reject) => {
      waiting.push({ query: query.compile(db), resolve: resolve as (rows: unknown[]) => void, reject });
      plan();
    });
}

/** A look-up; in a transaction a statement of it. */
export const lookUpOn = async <T>(db: Db | Trx, query: Compilable<T>): Promise<T[]> =>
  'lookUp' in db ? db.lookUp(query) : (await db.executeQuery(query.compile(db))).rows;

/** Answers a piece of look-ups; false if the connection was lost. */
async function answer(client: pg.PoolClient, piece: readonly LookUp[], namer: Namer): Promise<boolean> {
  const [first] = piece;
  if (first && piece.length === 1) return answerAlone(client, first);
  const results = await namer.together(
    client,
    piece.map(({ query }) => ({ text: query.sql, values: query.parameters as unknown[] })),
  );
  let isWell = true;
  for (const [at, { resolve, reject }] of piece.entries()) {
    const result = results[at];
    if (result?.status === 'fulfilled') resolve(result.value.rows);
    else if (!isWell || isOutage(result?.reason)) {
      isWell = false;
      reject(result?.reason);
    }
    // One has failed, or was skipped because another had.
    else isWell = await answerAlone(client, piece[at] as LookUp);
  }
  return isWell;
}

async function answerAlone(client: pg.PoolClient, { query, resolve, reject }: LookUp): Promise<boolean> {
  try {
    resolve((await client.query(query.sql, query.parameters as unknown[])).rows);
    return true;
  } catch (error) {
    reject(error);
    return !isOutage(error);
  }
}
