import { sql } from 'kysely';
import type { Db } from '../lib/db-types.ts';
import { oneRow, READABLE, type ReadableEntry } from './chain.ts';

/** The last sequence number of the chain and of the checkpoints; 0 for none. */
export type Ends = { readonly chain: bigint; readonly signed: bigint };

/** An entry of the chain, with the log's present version of it and the checkpoint at its position. */
export type ChainRow = {
  readonly sequence: bigint;
  readonly entryId: string;
  readonly body: Buffer;
  readonly hash: Buffer;
  readonly checkpoint: { readonly hash: Buffer; readonly publicKey: Buffer; readonly signature: Buffer } | null;
  /** Null when it is missing from the log. */
  readonly entry: ReadableEntry | null;
};

/** Both ends, from one snapshot. */
export const readEnds = (db: Db): Promise<Ends> =>
  oneRow<Ends>(
    db,
    sql`select coalesce((select max(sequence) from audit_chain), 0) as chain,
               coalesce((select max(sequence) from audit_checkpoints), 0) as signed`,
  );

type RawRow = ReadableEntry & {
  readonly sequence: bigint;
  readonly entryId: string;
  readonly body: Buffer;
  readonly hash: Buffer;
  readonly signedHash: Buffer | null;
  readonly publicKey: Buffer;
  readonly signature: Buffer;
};

/** The next entries of the chain after a sequence number, in order. */
export async function readPage(db: Db, after: bigint, until: bigint, limit: number): Promise<ChainRow[]> {
  const { rows } = await sql<RawRow>`
    select c.sequence, c.entry_id as "entryId", c.body, c.hash,
           p.hash as "signedHash", p.public_key as "publicKey", p.signature, ${READABLE}
      from audit_chain c
      left join audit_checkpoints p on p.sequence = c.sequence
      left join audit_log a on a.id = c.entry_id
     where c.sequence > ${after} and c.sequence <= ${until} order by c.sequence limit ${limit}`.execute(db);
  return rows.map(({ sequence, entryId, body, hash, signedHash, publicKey, signature, ...entry }) => ({
    sequence,
    entryId,
    body,
    hash,
    checkpoint: signedHash && { hash: signedHash, publicKey, signature },
    entry: (entry.id as string | null) === null ? null : entry,
  }));
}

const UNCHAINED_PAGE = 5000;

/**
 * The first entry of the log that is neither in the chain nor waiting to be sealed. `onPage` hears how many were seen.
 */
export async function findUnchained(db: Db, onPage: (looked: bigint) => void): Promise<string | null> {
  let looked = 0n;
  for (let after = ''; ; ) {
    onPage(looked);
    const page = await oneRow<{ count: bigint; last: string | null; unchained: string | null }>(
      db,
      sql`select count(*) as count, max(id) as last, min(id) filter (where unchained) as unchained from (
            select a.id, c.entry_id is null and not exists (
                     select from unsealed_audit_entries u where u.entry_id = a.id) as unchained
              from audit_log a left join audit_chain c on c.entry_id = a.id
             where a.id > ${after} order by a.id limit ${UNCHAINED_PAGE}) page`,
    );
    if (page.unchained !== null || page.last === null) return page.unchained;
    after = page.last;
    looked += page.count;
  }
}

type Unsealed = { readonly entryId: string | null; readonly isWritten: boolean; readonly count: bigint };

/**
 * How many entries wait to be sealed, and the first of them; `isWritten` is false when that one is gone from the log.
 */
export const countUnsealed = (db: Db): Promise<Unsealed> =>
  oneRow<Unsealed>(
    db,
    sql`select first.entry_id as "entryId", a.id is not null as "isWritten",
               (select count(*) from unsealed_audit_entries) as count
          from (select 1) always
          left join (select entry_id from unsealed_audit_entries order by id limit 1) first on true
          left join audit_log a on a.id = first.entry_id`,
  );
