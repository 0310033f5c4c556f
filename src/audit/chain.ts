import { createHash, sign } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../lib/db-types.ts';
import { canonicalJson, type JsonObject } from '../lib/json.ts';
import { isSignedBy, type SigningKey } from '../lib/standard-webhooks.ts';

/** A position in the chain: an entry's sequence number, counted from 1, and its hash. */
export type ChainHead = { readonly sequence: bigint; readonly hash: Buffer };

/** The first entry's predecessor: sequence 0 and a hash of zeros. */
export const GENESIS: ChainHead = { sequence: 0n, hash: Buffer.alloc(32) };

/** The purpose from which the key that signs checkpoints is derived. */
export const CHECKPOINT_PURPOSE = 'audit checkpoints';

/** Every column of an entry under its name in the body; `a` is `audit_log`. */
export const READABLE = sql`a.id, a.actor_type as "actorType", a.actor_id as "actorId", a.action,
  a.resource_type as "resourceType", a.resource_id as "resourceId", a.merchant_id as "merchantId",
  a.ip_address as "ipAddress", a.user_agent as "userAgent", a.request_id as "requestId", a.metadata,
  regexp_replace(to_char(a.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '000$', '') || 'Z'
    as timestamp`;

/** An entry as `READABLE` reads it. */
export type ReadableEntry = {
  readonly id: string;
  readonly actorType: string;
  readonly actorId: string;
  readonly action: string;
  readonly resourceType: string;
  readonly resourceId: string;
  readonly merchantId: string | null;
  readonly ipAddress: string;
  readonly userAgent: string;
  readonly requestId: string;
  readonly metadata: JsonObject;
  readonly timestamp: string;
};

/** The bytes of an entry that are hashed: the whole entry as canonical JSON (RFC 8785). */
export function entryBody(entry: ReadableEntry): Buffer {
  const { id, actorType, actorId, action, resourceType, resourceId } = entry;
  const { merchantId, ipAddress, userAgent, requestId, metadata, timestamp } = entry;
  const who = { actorType, actorId, ipAddress, userAgent, requestId };
  const what = { id, action, resourceType, resourceId, merchantId, metadata, timestamp };
  return Buffer.from(canonicalJson({ ...who, ...what }), 'utf8');
}

/** SHA-256 over `"audit-v1" 0x00`, the sequence number in 8 bytes, the previous hash and the entry's bytes. */
export const chainHash = (sequence: bigint, previous: Buffer, body: Buffer): Buffer =>
  createHash('sha256').update('audit-v1\0').update(u64(sequence)).update(previous).update(body).digest();

/** A checkpoint's signature: Ed25519 over `"audit-checkpoint-v1" 0x00`, the sequence number in 8 bytes and the hash. */
export const signHead = (key: SigningKey, head: ChainHead): Buffer => sign(null, headContent(head), key.privateKey);

/** Whether `signature` over this position was made with the private key of `publicKey` (32 bytes). */
export const isHeadSigned = (publicKey: Buffer, head: ChainHead, signature: Buffer): boolean =>
  isSignedBy(publicKey, headContent(head), signature);

const headContent = ({ sequence, hash }: ChainHead): Buffer =>
  Buffer.concat([Buffer.from('audit-checkpoint-v1\0'), u64(sequence), hash]);

/** The only row of a query that always returns one. */
export async function oneRow<T>(db: Db | Trx, query: RawBuilder<unknown>): Promise<T> {
  const { rows } = await query.execute(db);
  if (rows[0] === undefined) throw new Error('a row that always comes did not');
  return rows[0] as T;
}

function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(value);
  return bytes;
}
