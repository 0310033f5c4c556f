import { sql } from 'kysely';
import { insertOnce, type Once } from '../db/once.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { canonicalJson, type JsonObject } from '../lib/json.ts';
import type { SigningKey } from '../lib/standard-webhooks.ts';
import { type ChainHead, GENESIS, oneRow, signHead } from './chain.ts';

/** How many were sealed, and where the chain ends now; nowhere when none was. */
type Sealed = ChainHead & { readonly sealed: number };

/** The bytes of an entry that waits are still to be made. */
type Unmade = { readonly sealed: null };

/** The numbers of waiting entries in their queue, as the database writes an array (null: none); their metadata. */
type Waiting = { readonly numbers: string | null; readonly metadata: JsonObject[] };

const insertCheckpoint = insertOnce('audit_checkpoints');

/**
 * Seals up to `limit` waiting entries: appends them to the chain in the order of their queue and signs a checkpoint at
 * its new end, in one transaction (decision audit/a-batch-and-its-checkpoint-are-one-commit). Returns how many; 0 when
 * none waits or another process is sealing.
 */
export async function sealAudit(db: Db, key: SigningKey, limit: number, real: Date): Promise<number> {
  return inTransaction(db, async (trx) => {
    const written = await oneRow<Sealed | Unmade>(
      trx,
      sql`select sealed, sequence, hash from seal_written_entries(${limit})`,
    );
    const ends = written.sealed === null ? await sealUnmade(trx, limit) : written;
    if (ends.sealed > 0) trx.later(checkpointOf(key, ends, real));
    return ends.sealed;
  });
}

/**
 * Seals a batch with entries of a release that had their bytes made at sealing; one may run beside this one. The
 * database can write everything but metadata in canonical form. The caller has the lock.
 */
async function sealUnmade(trx: Trx, limit: number): Promise<Sealed> {
  const { numbers, metadata } = await oneRow<Waiting>(
    trx,
    sql`
    select array_agg(w.number)::text as numbers, coalesce(json_agg(w.metadata), '[]') as metadata
      from (select u.id as number, a.metadata from unsealed_audit_entries u join audit_log a on a.id = u.entry_id
             order by u.id limit ${limit}) w`,
  );
  if (numbers === null) return { sealed: 0, ...GENESIS };
  const head = await oneRow<ChainHead>(
    trx,
    sql`select sequence, hash from seal_audit_entries(${numbers}::bigint[], ${canonicalJson(metadata)}::json)`,
  );
  return { sealed: metadata.length, ...head };
}

const checkpointOf = (key: SigningKey, head: ChainHead, real: Date): Once =>
  insertCheckpoint({
    sequence: head.sequence,
    hash: head.hash,
    public_key: key.publicKey,
    signature: signHead(key, head),
    created_at: real,
  });
