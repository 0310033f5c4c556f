import type { Kysely, Transaction } from 'kysely';
import type { DB } from '../../generated/db.ts';

/** The database, for reads and for opening transactions. */
export type Db = Kysely<DB>;
/** A transaction. `Db` is not assignable to it, so a function that asks for one can only be called inside one. */
export type Trx = Transaction<DB>;
