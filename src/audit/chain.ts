import { createHash, sign } from 'node:crypto';
import { sql } from 'kysely';
import { canonicalJson, type JsonObject } from '../lib/json.ts';
import { isSignedBy, type SigningKey } from '../lib/standard-webhooks.ts';

/** Where the chain stands: the place of an entry, counted from 1, and its hash. */
export type ChainHead = { readonly sequence: bigint; readonly hash: Buffer };

/** What the first entry has in the place of the hash before it. */
export const GENESIS: ChainHead = { sequence: 0n, hash: Buffer.alloc(32) };

/** What the key that signs the ends of the chain is derived for. */
export const CHECKPOINT_PURPOSE = 'audit checkpoints';

/** Every column of an entry under the name that its body gives it, read from `audit_log` as `a`. */
export const READABLE = sql`a.id, a.actor_type as "actorType", a.actor_id as "actorId", a.action, a.resource_type as "resourceType",
  a.resource_id as "resourceId", a.merchant_id as "merchantId", a.ip_address as "ipAddress", a.user_agent as "userAgent",
  a.request_id as "requestId", a.metadata,
  regexp_replace(to_char(a.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '000$', '') || 'Z' as timestamp`;

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

/** The bytes of an entry that are hashed: all of it as canonical JSON. */
export function entryBody(entry: ReadableEntry): Buffer {
  const { id, actorType, actorId, action, resourceType, resourceId } = entry;
  const { merchantId, ipAddress, userAgent, requestId, metadata, timestamp } = entry;
  const who = { actorType, actorId, ipAddress, userAgent, requestId };
  const what = { id, action, resourceType, resourceId, merchantId, metadata, timestamp };
  return Buffer.from(canonicalJson({ ...who, ...what }), 'utf8');
}

/** SHA-256 over `"audit-v1" 0x00`, the place in 8 bytes, the hash before it and the entry's bytes. */
export const chainHash = (sequence: bigint, previous: Buffer, body: Buffer): Buffer =>
  createHash('sha256').update('audit-v1\0').update(u64(sequence)).update(previous).update(body).digest();

/** The signature of the chain's end: Ed25519 over `"audit-checkpoint-v1" 0x00`, the place in 8 bytes and the hash. */
export const signHead = (key: SigningKey, head: ChainHead): Buffer => sign(null, headContent(head), key.privateKey);

/** Whether this end of the chain was signed with the private part of a public key of 32 bytes. */
export const isHeadSigned = (publicKey: Buffer, head: ChainHead, signature: Buffer): boolean =>
  isSignedBy(publicKey, headContent(head), signature);

const headContent = ({ sequence, hash }: ChainHead): Buffer =>
  Buffer.concat([Buffer.from('audit-checkpoint-v1\0'), u64(sequence), hash]);

function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(value);
  return bytes;
}
