import { sql } from 'kysely';
import { inTransaction } from '../db/transaction.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { canonicalJson, type JsonObject } from '../lib/json.ts';
import type { SigningKey } from '../lib/standard-webhooks.ts';
import { type ChainHead, oneRow, signHead } from './chain.ts';

/** The numbers of waiting entries in their queue, as the database writes an array (null: none); their metadata. */
type Waiting = { readonly numbers: string | null; readonly metadata: JsonObject[] };

/**
 * Seals up to `limit` waiting entries: appends them to the chain in the order of their queue and signs a checkpoint at
 * its new end, in one transaction (decision audit/a-batch-and-its-checkpoint-are-one-commit). Returns how many; 0 when
 * none waits or another process is sealing.
 */
export async function sealAudit(db: Db, key: SigningKey, limit: number, real: Date): Promise<number> {
  return inTransaction(db, async (trx) => {
    // A statement of its own, so that the next ones see everything that the lock's previous holder has committed.
    const lock = await oneRow<{ taken: boolean }>(
      trx,
      sql`select pg_try_advisory_xact_lock(hashtext('seal_audit'), 0) as taken`,
    );
    if (!lock.taken) return 0;
    const waiting = await oneRow<Waiting>(
      trx,
      sql`
      select array_agg(w.number)::text as numbers, coalesce(json_agg(w.metadata), '[]') as metadata
        from (select u.id as number, a.metadata from unsealed_audit_entries u join audit_log a on a.id = u.entry_id
               order by u.id limit ${limit}) w`,
    );
    if (waiting.numbers === null) return 0;
    await saveCheckpoint(trx, key, await seal(trx, waiting), real);
    return waiting.metadata.length;
  });
}

/** The database writes the bytes of `entryBody` itself, and can write everything but metadata in canonical form. */
const seal = (trx: Trx, { numbers, metadata }: Waiting): Promise<ChainHead> =>
  oneRow<ChainHead>(
    trx,
    sql`select sequence, hash from seal_audit_entries(${numbers}::bigint[], ${canonicalJson(metadata)}::json)`,
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
