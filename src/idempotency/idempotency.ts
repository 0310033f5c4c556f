import { sql } from 'kysely';
import { type Once, sqlOnce } from '../db/once.ts';
import type { SealedColumn } from '../db/sealed-column.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { decrypt, encrypt, type KeyRing, type Place } from '../lib/envelope.ts';
import { AppError } from '../lib/errors.ts';
import type { Use } from './use.ts';

/** An answer as it was sent: its status and exact bytes. */
export type StoredAnswer = { readonly status: number; readonly body: Buffer };

/**
 * Stored answers of requests with a key, kept for a day and encrypted, because some show a secret. `take` and `claim`
 * return the answer stored under the key. They throw IDEMPOTENCY_KEY_REUSED if it belongs to a different request, and
 * IDEMPOTENCY_IN_PROGRESS while another request works under the key.
 */
export type Idempotency = {
  /** For bodies that hold a password. See decision idempotency/no-fast-hash-of-a-password. */
  readonly secret: Uint8Array;
  /** Locks the key until the transaction ends. Call it before any work of the request. */
  readonly take: (trx: Trx, use: Use) => Promise<StoredAnswer | undefined>;
  /**
   * Does the same for a key that is most likely free, without waiting: has the transaction fail if there is an answer
   * or another request works under the key, and calls back when neither is so. Returns what stores the answer. Where
   * nothing was sent before that, storing it is what finds out. See decision idempotency/one-statement-for-a-free-key.
   */
  readonly assumeFree: (trx: Trx, use: Use, confirm: () => void) => (answer: StoredAnswer) => void;
  /** Claims the key for a minute, for work outside a transaction. After that another request may repeat the work. */
  readonly claim: (db: Db, use: Use) => Promise<StoredAnswer | undefined>;
  /** Stores the answer under a locked or claimed key; does nothing if another request has taken over the claim. */
  readonly store: (db: Db | Trx, use: Use, answer: StoredAnswer) => Promise<void>;
  /** Releases a claim without an answer, unless another request has taken it over. */
  readonly release: (db: Db, use: Use) => Promise<void>;
};

/** Bodies are encrypted with the ring's current key. */
export function createIdempotency(ring: KeyRing, secret: Uint8Array): Idempotency {
  return {
    secret,
    take: async (trx, use) => answerFrom(ring, use, await takeKey(trx, use)),
    assumeFree: (trx, use, confirm) => {
      const isUnsent = trx.check(refuseUnlessFree(use), confirm);
      return ({ status, body }) => {
        const sealed = encrypt(ring, placeOf(use), body);
        if (isUnsent()) trx.later(storeIfFree(use, status, sealed), confirm);
        else trx.later(storeAnswer(use, status, sealed));
      };
    },
    claim: async (db, use) => {
      if (await claimKey(db, use)) return undefined;
      return answerFrom(ring, use, (await findKey(db, use)) ?? RUNNING);
    },
    store: async (db, use, answer) => {
      const storing = storeAnswer(use, answer.status, encrypt(ring, placeOf(use), answer.body));
      if ('later' in db) db.later(storing);
      else await db.executeQuery(storing.compile());
    },
    release: async (db, { id, requestId }) => {
      await db
        .deleteFrom('idempotency_keys')
        .where('id', '=', id)
        .where('request_id', '=', requestId)
        .where('status', 'is', null)
        .execute();
    },
  };
}

type Row = { readonly fingerprint: Buffer | null; readonly status: number | null; readonly body: Buffer | null };

const RUNNING: Row = { fingerprint: null, status: null, body: null };

const placeAt = (row: string, merchantId: string): Place => ({
  ...{ table: 'idempotency_keys', column: 'body' },
  ...{ row, tenant: merchantId },
});

const placeOf = ({ id, merchantId }: Use): Place => placeAt(id.toString('hex'), merchantId);

export const SEALED_ANSWERS: SealedColumn = { key: 'id', tenant: 'merchant_id', placeOf: placeAt };

function answerFrom(ring: KeyRing, use: Use, row: Row | undefined): StoredAnswer | undefined {
  if (!row) return undefined;
  if (row.status === null || !row.body) {
    throw new AppError(
      'IDEMPOTENCY_IN_PROGRESS',
      'A request with this Idempotency-Key is being worked on. Try again in a second to get its answer.',
      { retryAfterSeconds: 1 },
    );
  }
  if (!row.fingerprint?.equals(use.fingerprint)) {
    throw new AppError(
      'IDEMPOTENCY_KEY_REUSED',
      'This Idempotency-Key was used for a different request. Take a new key for a new request.',
    );
  }
  return { status: row.status, body: decrypt(ring, placeOf(use), row.body) };
}

/** Locks the key, then reads it, in one round trip. Two keys whose hashes share 64 bits merely exclude each other. */
async function takeKey(trx: Trx, { id }: Use): Promise<Row | undefined> {
  const { rows } = await sql<Row & { taken: boolean }>`
    select * from take_idempotency_key(${id}, ${id.readBigInt64BE(0)}, clock_timestamp())`.execute(trx);
  const [row] = rows;
  if (!row?.taken) return RUNNING;
  return row.fingerprint ? row : undefined;
}

/** Goes before what the work locks (`db/pieces.ts`): a repetition does not wait for that. */
const refuseUnlessFree = ({ id }: Use): Once => sqlOnce`
  select refuse_assumption() from take_idempotency_key(${id}, ${id.readBigInt64BE(0)}, clock_timestamp())
   where not taken or fingerprint is not null /* first */`;

/**
 * True if there was no row, or only an expired one. A claim lasts a minute, which is longer than any operation takes.
 * See decision idempotency/keys-end-by-the-clock-of-the-database.
 */
async function claimKey(db: Db, { id, merchantId, requestId, fingerprint }: Use): Promise<boolean> {
  const { rows } = await sql`
    insert into idempotency_keys as k (id, merchant_id, request_id, fingerprint, expires_at)
    values (${id}, ${merchantId}, ${requestId}, ${fingerprint}, clock_timestamp() + interval '1 minute')
    on conflict (id) do update set request_id = excluded.request_id, fingerprint = excluded.fingerprint,
      status = null, body = null, expires_at = excluded.expires_at
      where k.expires_at <= clock_timestamp()
    returning 1`.execute(db);
  return rows.length > 0;
}

const findKey = (db: Db, { id }: Use): Promise<Row | undefined> =>
  db.selectFrom('idempotency_keys').select(['fingerprint', 'status', 'body']).where('id', '=', id).executeTakeFirst();

/** Overwrites an expired row or the request's own claim. In hours, because a day of a time zone may have 23 of them. */
function storeAnswer(use: Use, status: number, body: Buffer): Once {
  const { id, merchantId, requestId, fingerprint } = use;
  return sqlOnce`
    insert into idempotency_keys as k (id, merchant_id, request_id, fingerprint, status, body, expires_at)
    values (${id}, ${merchantId}, ${requestId}, ${fingerprint}, ${status}, ${body},
            clock_timestamp() + interval '24 hours')
    on conflict (id) do update set request_id = excluded.request_id, fingerprint = excluded.fingerprint,
      status = excluded.status, body = excluded.body, expires_at = excluded.expires_at
      where k.expires_at <= clock_timestamp() or k.request_id = excluded.request_id`;
}

/**
 * The same under a key that is not locked, in a transaction that is refused unless the lock can be had now and no other
 * answer or claim is there. What the unique index finds was stored up to this moment.
 */
function storeIfFree(use: Use, status: number, body: Buffer): Once {
  const { id, merchantId, requestId, fingerprint } = use;
  return sqlOnce`
    insert into idempotency_keys as k (id, merchant_id, request_id, fingerprint, status, body, expires_at)
    values (${id}, ${merchantId}, ${requestId}, ${fingerprint}, ${status}, ${body},
            case when pg_try_advisory_xact_lock(${id.readBigInt64BE(0)}) then clock_timestamp() + interval '24 hours'
                 else (select now() from refuse_assumption()) end)
    on conflict (id) do update set request_id = excluded.request_id, fingerprint = excluded.fingerprint,
      status = excluded.status, body = excluded.body, expires_at = excluded.expires_at
      where k.expires_at <= clock_timestamp() or (select true from refuse_assumption())`;
}
