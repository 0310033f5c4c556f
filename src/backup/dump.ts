import { createHash } from 'node:crypto';
import type { Copying } from '../db/copying.ts';
import { type Manifest, type Summary, type TableEnd, writeFrame } from './frames.ts';
import { listTables, quoteName, type Table } from './tables.ts';

/** How far a copy is. */
export type Reached = {
  /** What was done with so many tables; of foreign keys, that the rows were checked by them. */
  readonly did: 'read' | 'proven' | 'loaded' | 'checked' | 'compared';
  readonly number: number;
  /** Null where it is not known before the end. */
  readonly of: number | null;
  /** Of all tables so far, the one that is not done included. */
  readonly bytes: number;
};

/** Told after each table, and again and again within one. */
export type Progress = (reached: Reached) => void;

export type Dump = {
  readonly manifest: Manifest;
  /** The frames; to be read once. `onEnd` is told what was there. */
  readonly read: (onTable: Progress, onEnd: (summary: Summary) => void) => AsyncGenerator<Buffer>;
};

/** Begins a copy of one moment: a transaction that only reads, in which everything is read. */
export async function beginDump(db: Copying): Promise<Dump> {
  const tables = await beginSnapshot(db);
  const manifest = await readManifest(db);
  return { manifest, read: (onTable, onEnd) => readAll(db, tables, manifest, { onTable, onEnd }) };
}

type Told = { readonly onTable: Progress; readonly onEnd: (summary: Summary) => void };

async function* readAll(
  db: Copying,
  tables: readonly Table[],
  manifest: Manifest,
  { onTable, onEnd }: Told,
): AsyncGenerator<Buffer> {
  yield writeFrame({ kind: 'manifest', value: manifest });
  const ends: TableEnd[] = [];
  let bytes = 0;
  const tell = (more: number): void => {
    bytes += more;
    onTable({ did: 'read', number: ends.length, of: tables.length, bytes });
  };
  for (const table of tables) {
    ends.push(yield* dumpTable(db, table, tell));
    tell(0);
  }
  const summary = { tables: ends, sequences: await readSequences(db), witness: await readWitness(db) };
  await db.query('commit');
  yield writeFrame({ kind: 'end', value: summary });
  onEnd(summary);
}

/**
 * Locks the tables before the snapshot is taken, which `lock table` does not do: a migration that rewrites a table
 * between the two would leave it empty for a snapshot that is older.
 */
async function beginSnapshot(db: Copying): Promise<readonly Table[]> {
  for (;;) {
    const before = await listTables(db);
    await db.query('begin transaction isolation level repeatable read, read only');
    const names = before.map(({ name }) => quoteName(name)).join(', ');
    await db.query(`lock table ${names} in access share mode`);
    const tables = await listTables(db);
    if (JSON.stringify(tables) === JSON.stringify(before)) return tables;
    await db.query('rollback');
  }
}

async function readManifest(db: Copying): Promise<Manifest> {
  const migrations = await db.query<{ name: string }>('select name from kysely_migration order by name');
  const [now] = await db.query<{ taken_at: string; postgres: string; wal: string }>(`
    select to_char(transaction_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as taken_at,
           current_setting('server_version') as postgres,
           (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end)::text as wal`);
  if (!now) throw new Error('the database does not say what time it is');
  const { taken_at: takenAt, postgres, wal } = now;
  return { takenAt, migrations: migrations.map(({ name }) => name), postgres, wal };
}

async function* dumpTable(
  db: Copying,
  { name, columns }: Table,
  onBytes: (count: number) => void,
): AsyncGenerator<Buffer, TableEnd> {
  yield writeFrame({ kind: 'table', value: { name, columns } });
  const hash = createHash('sha256');
  let [rows, bytes] = [0, 0];
  const stream = db.copyOut(copyOutOf({ name, columns }));
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
    rows += countRows(chunk);
    onBytes(chunk.length);
    yield writeFrame({ kind: 'rows', value: chunk });
  }
  const end = { name, rows, bytes, sha256: hash.digest('hex') };
  yield writeFrame({ kind: 'table end', value: end });
  return end;
}

const LINE_END = 10;

/** `copy` writes a row a line, and line ends within values as "\n" in two characters. */
export function countRows(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(LINE_END); at >= 0; at = chunk.indexOf(LINE_END, at + 1)) count += 1;
  return count;
}

/** The statement that writes the rows of a table, in the order in which they lie there. */
export const copyOutOf = ({ name, columns }: Pick<Table, 'name' | 'columns'>): string =>
  `copy ${quoteName(name)} (${columns.map(quoteName).join(', ')}) to stdout`;

/** Sequences are of no snapshot: read after the rows, they are at least as far. */
const readSequences = (db: Copying): Promise<Summary['sequences'][number][]> =>
  db.query(`select sequencename as name, last_value::text as last from pg_sequences
             where schemaname = 'public' order by sequencename`);

async function readWitness(db: Copying): Promise<string | null> {
  const [newest] = await db.query<{ witness: string }>(`
    select sequence || ':' || encode(hash, 'hex') as witness from audit_chain order by sequence desc limit 1`);
  return newest?.witness ?? null;
}
