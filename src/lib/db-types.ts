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
  /**
   * Reads a row or a few by their key, in one piece with what others look up at the same time. For statements that are
   * always quick: a slow one keeps the others waiting.
   */
  readonly lookUp: <T>(query: Compilable<T>) => Promise<T[]>;
  /** A number of a sequence that was taken ahead, if there is one. Numbers may be lost, and none comes twice. */
  readonly takeAhead: (sequence: Sequence) => Partial<TakenNumber> & Pick<TakenNumber, 'next'>;
  /** Gives back a number that was neither stored nor told to a client. It is lost if its server is gone. */
  readonly giveBack: (sequence: Sequence, taken: TakenNumber) => void;
  /** Where reads may be answered by standbys (`db/standby-reads.ts`): runs work that only reads, or that changes. */
  readonly standbys?: {
    readonly read: <T>(work: () => Promise<T>) => Promise<T>;
    readonly write: <T>(work: () => Promise<T>) => Promise<T>;
    /** How often a standby answered, and why it did not. */
    readonly counts: () => Readonly<Record<string, number>>;
  };
};

/** The sequences that give numbers to what the service makes itself; `serial` columns have their own. */
export type Sequence = 'bitcoin_deposit_index';

/** A number, and those that this process has taken for what comes next, as far as it has. */
export type TakenNumber = { readonly number: number; readonly next: readonly number[] };

/** A transaction. `Db` is not assignable to it, so a function that takes a `Trx` can only be called inside one. */
export type Trx = Transaction<DB> & {
  /**
   * Runs a statement whose result nobody waits for: it goes with the next one that somebody does wait for, or with the
   * commit, in one piece. If it fails, the transaction fails with its error. `then` gets its result before the
   * transaction ends.
   */
  readonly later: (query: Compilable, then?: (result: QueryResult<unknown>) => void) => void;
  /**
   * Runs a check as `later` does, but at the end of what is sent first. Where nothing was sent before the commit, it is
   * the last statement of all. Returns what takes the check back, and says whether it could: it has not been sent.
   */
  readonly check: (query: Compilable, then?: () => void) => () => boolean;
  /** Whether a check has yet to be sent, so that it will see what others commit until this transaction does. */
  readonly isUnchecked: () => boolean;
  /**
   * The next number of a sequence, mostly without asking the database. It is lost if this transaction rolls back,
   * unless for an assumption that was refused.
   */
  readonly number: (sequence: Sequence) => Promise<TakenNumber>;
  /** Wakes listeners after this transaction commits; if it rolls back, wakes none. */
  readonly wake: (channel: WakeChannel, payload?: string) => void;
};

export type Compilable<T = unknown> = { readonly compile: (provider: QueryExecutorProvider) => CompiledQuery<T> };
