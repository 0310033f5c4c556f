import type { ByteReader } from './bytes.ts';
import { BackupRefusal } from './refusal.ts';

/**
 * What a backup holds, before it is compressed and sealed: frames of a kind (1), a length (4) and so many bytes. A
 * manifest, then each table with its rows as `copy` writes them, then what was there in all.
 */
export type Frame =
  | { readonly kind: 'manifest'; readonly value: Manifest }
  | { readonly kind: 'table'; readonly value: TableStart }
  | { readonly kind: 'rows'; readonly value: Buffer }
  | { readonly kind: 'table end'; readonly value: TableEnd }
  | { readonly kind: 'end'; readonly value: Summary };

export type Manifest = {
  readonly takenAt: string;
  /** Every migration that was run, in order of their names. */
  readonly migrations: readonly string[];
  readonly postgres: string;
  /** The position in the write-ahead log that the copy is of at the earliest. */
  readonly wal: string;
};

export type TableStart = { readonly name: string; readonly columns: readonly string[] };

/** `sha256` of the bytes of its rows, in hex. */
export type TableEnd = {
  readonly name: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
};

export type Summary = {
  readonly tables: readonly TableEnd[];
  /** The last value that each sequence gave out; null: none yet. */
  readonly sequences: readonly { readonly name: string; readonly last: string | null }[];
  /** The newest entry of the audit log's chain as `<sequence>:<hash>`; null: there is none. */
  readonly witness: string | null;
};

const KINDS = ['manifest', 'table', 'rows', 'table end', 'end'] as const;
const ROWS_MAX = 64 * 1024 * 1024;

/** The bytes of a frame. */
export function writeFrame({ kind, value }: Frame): Buffer {
  const bytes = Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value));
  const start = Buffer.alloc(5);
  start[0] = KINDS.indexOf(kind);
  start.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([start, bytes]);
}

/** The next frame. The bytes are proven, so one that is not as it should be was written by another release. */
export async function readFrame(bytes: ByteReader): Promise<Frame> {
  const start = await bytes.take(5);
  const kind = KINDS[start[0] ?? KINDS.length];
  const length = start.readUInt32BE(1);
  if (!kind || length > ROWS_MAX) throw new BackupRefusal('It holds what this release does not know: use a newer one.');
  const value = await bytes.take(length);
  return { kind, value: kind === 'rows' ? value : JSON.parse(value.toString('utf8')) } as Frame;
}
