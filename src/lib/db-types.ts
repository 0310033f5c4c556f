import type { Kysely, Transaction } from 'kysely';
import type { DB } from '../../generated/db.ts';
import type { WakeChannel } from './channels.ts';

/** Somebody to wake: whoever listens on the channel, with what they are told. */
export type Wake = { readonly channel: WakeChannel; readonly payload: string };

/** The database, for reads and for opening transactions. */
export type Db = Kysely<DB> & {
  /** Wakes soon, in every process, or never when this process dies or the database is away. Waits for nothing and never throws. */
  readonly ring: (wakes: readonly Wake[]) => void;
};

/** A transaction. `Db` is not assignable to it, so a function that asks for one can only be called inside one. */
export type Trx = Transaction<DB> & {
  /** Wakes whoever listens once this transaction is committed; nobody when it is not. */
  readonly wake: (channel: WakeChannel, payload?: string) => void;
};
