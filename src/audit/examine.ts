import { canonicalJson, type Json, type JsonObject } from '../lib/json.ts';
import { type ChainHead, chainHash, entryBody, isHeadSigned, type ReadableEntry } from './chain.ts';
import type { ChainRow } from './verify-queries.ts';

/** The first fault that was found. */
export type AuditFinding = {
  /** The sequence number in the chain; null for an entry that is not in it. */
  readonly sequence: bigint | null;
  /** Null when the entry itself is missing. */
  readonly entryId: string | null;
  readonly message: string;
};

/** How far the chain has been verified. */
export type Walk = {
  head: ChainHead;
  checkpoints: number;
  /** The last sequence number with a checkpoint. */
  signed: bigint;
};

/** What the verifier trusts from outside the database. */
export type Trusted = {
  /** The accepted public keys, 32 bytes each. */
  readonly keys: readonly Buffer[];
  /** A position noted earlier, outside the database: it must still exist with this hash. */
  readonly known?: ChainHead;
};

/**
 * Verifies the next entry against its predecessor, the log and its checkpoint; advances `walk` when it finds no fault.
 */
export function examineEntry(walk: Walk, row: ChainRow, trusted: Trusted): AuditFinding | null {
  const expected = walk.head.sequence + 1n;
  if (row.sequence !== expected) return { sequence: expected, entryId: null, message: 'is missing in the chain' };
  const fault = faultOf(walk, row, trusted);
  if (fault !== null) return { sequence: row.sequence, entryId: row.entryId, message: fault };
  walk.head = { sequence: row.sequence, hash: row.hash };
  if (row.checkpoint) {
    walk.checkpoints += 1;
    walk.signed = row.sequence;
  }
  return null;
}

function faultOf(walk: Walk, row: ChainRow, { keys, known }: Trusted): string | null {
  if (!chainHash(row.sequence, walk.head.hash, row.body).equals(row.hash)) {
    return `does not follow from the entry before it: its bytes, its place or its hash are not those that were sealed`;
  }
  if (known?.sequence === row.sequence && !known.hash.equals(row.hash)) {
    return 'or one before it was changed and the chain written anew: you know it by another hash';
  }
  if (!row.entry) return 'is in the chain and gone from the log';
  if (!entryBody(row.entry).equals(row.body)) {
    return `was changed since it was written: ${differences(row.entry, row.body)}`;
  }
  return checkpointFault(walk, row, keys);
}

function checkpointFault(walk: Walk, { sequence, hash, checkpoint }: ChainRow, keys: readonly Buffer[]): string | null {
  if (!checkpoint) return null;
  const since = `or one since entry ${walk.signed + 1n}`;
  if (!checkpoint.hash.equals(hash)) {
    return `${since} was changed and the chain written anew: its checkpoint was signed for another hash`;
  }
  const ours = keys.some((key) => key.equals(checkpoint.publicKey));
  if (ours && isHeadSigned(checkpoint.publicKey, { sequence, hash }, checkpoint.signature)) return null;
  return `${since} may have been changed: its checkpoint is ${ours ? 'not signed by the key that it names' : 'signed by a key that is not ours'}`;
}

/** The fields whose values differ from the sealed bytes. */
function differences(entry: ReadableEntry, body: Buffer): string {
  const sealed = parse(body);
  const fields = Object.entries(entry as unknown as JsonObject).filter(
    ([name, value]) => canonicalJson(value) !== canonicalJson(sealed[name] ?? null),
  );
  return fields.map(([name]) => name).join(', ') || 'the way in which it is written';
}

function parse(body: Buffer): JsonObject {
  try {
    const value = JSON.parse(body.toString('utf8')) as Json;
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
  } catch {
    return {}; // Then every field differs.
  }
}
