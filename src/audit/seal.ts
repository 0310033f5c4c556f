import { type RawBuilder, sql } from 'kysely';
import { inTransaction } from '../db/transaction.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import type { SigningKey } from '../lib/standard-webhooks.ts';
import { type ChainHead, entryBody, READABLE, type ReadableEntry, signHead } from './chain.ts';

type Waiting = ReadableEntry & { readonly waiting: bigint };

/**
 * Gives up to `limit` entries that wait their places in the chain, in the order in which they were found, and signs where it ends then, in
 * one transaction. Returns how many; 0 when none waits or another process is at it.
 */
export async function sealAudit(db: Db, key: SigningKey, limit: number, real: Date): Promise<number> {
  return inTransaction(db, async (trx) => {
    // A statement of its own: what the next ones see is then everything that whoever had the lock before has committed.
    const lock = await one<{ taken: boolean }>(
      trx,
      sql`select pg_try_advisory_xact_lock(hashtext('seal_audit'), 0) as taken`,
    );
    if (!lock.taken) return 0;
    const { rows } = await sql<Waiting>`
      select u.id as waiting, ${READABLE} from unsealed_audit_entries u join audit_log a on a.id = u.entry_id
       order by u.id limit ${limit}`.execute(trx);
    if (rows.length > 0) await saveCheckpoint(trx, key, await seal(trx, rows), real);
    return rows.length;
  });
}

const seal = (trx: Trx, rows: readonly Waiting[]): Promise<ChainHead> =>
  one<ChainHead>(
    trx,
    sql`select sequence, hash from seal_audit(${rows.map(({ waiting }) => waiting)}::bigint[], ${rows.map(entryBody)}::bytea[])`,
  );

async function saveCheckpoint(trx: Trx, key: SigningKey, head: ChainHead, real: Date): Promise<void> {
  await trx
    .insertInto('audit_checkpoints')
    .values({
      sequence: head.sequence,
      hash: head.hash,
      public_key: key.publicKey,
      signature: signHead(key, head),
      created_at: real,
    })
    .execute();
}

async function one<T>(trx: Trx, query: RawBuilder<unknown>): Promise<T> {
  const { rows } = await query.execute(trx);
  if (rows[0] === undefined) throw new Error('a row that always comes did not');
  return rows[0] as T;
}
