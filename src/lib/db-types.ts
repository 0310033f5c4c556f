import type { CompiledQuery, Kysely, QueryExecutorProvider, QueryResult, Transaction } from 'kysely';
import type { DB } from '../../generated/db.ts';
import type { WakeChannel } from './channels.ts';

/** A wake: wakes the listeners of a channel, with a payload for them. */
export type Wake = { readonly channel: WakeChannel; readonly payload: string };

/** The database, for reads and for opening transactions. */
export type Db = Kysely<DB> & {
  /**
   * Wakes listeners in every process soon; never if this process dies or the database is away. Neither waits nor
   * throws.
   */
  readonly ring: (wakes: readonly Wake[]) => void;
};

/** A transaction. `Db` is not assignable to it, so a function that takes a `Trx` can only be called inside one. */
export type Trx = Transaction<DB> & {
  /**
   * Runs a statement whose result nobody waits for: it goes with the next one that somebody does wait for, or with the
   * commit, in one piece. If it fails, the transaction fails with its error. `then` gets its result before the
   * transaction ends.
   */
  readonly later: (query: Compilable, then?: (result: QueryResult<unknown>) => void) => void;
  /** Wakes listeners after this transaction commits; if it rolls back, wakes none. */
  readonly wake: (channel: WakeChannel, payload?: string) => void;
};

type Compilable = { readonly compile: (provider: QueryExecutorProvider) => CompiledQuery<unknown> };
