import { createHash } from 'node:crypto';
import type { Copying } from '../db/copying.ts';
import { copyOutOf, type Progress, type Reached } from './dump.ts';
import type { Summary, TableEnd, TableStart } from './frames.ts';
import type { Contents } from './read-file.ts';
import { BackupRefusal } from './refusal.ts';
import { listTables, quoteName, type Table } from './tables.ts';

/** Addresses of a wallet's account are counted; see decision backup/addresses-are-skipped. */
const COUNTED = 'bitcoin_deposit_index';
export const ADDRESSES_SKIPPED = 1000;

/**
 * Loads a backup into a database of its migrations, in one transaction, which `within` ends with something of its own.
 * Triggers and foreign keys are away meanwhile: the rows have passed them once. Then every table is read again, and has
 * to be what the backup says.
 */
export async function load(
  db: Copying,
  { tables: contents }: Pick<Contents, 'tables'>,
  { onTable, within }: { readonly onTable: Progress; readonly within: () => Promise<void> },
): Promise<Summary> {
  await db.query('begin');
  const tables = await listTables(db);
  const giveBack = await stripTables(db, tables);
  await db.query(`truncate ${tables.map(({ name }) => quoteName(name)).join(', ')}`);
  const { summary, loaded } = await loadTables(db, tables, contents, onTable);
  await giveBack((number, of) => onTable({ did: 'checked', number, of, bytes: bytesOf(summary.tables) }));
  await setSequences(db, summary);
  await compareAll(db, loaded, summary, onTable);
  await within();
  await db.query('commit');
  return summary;
}

/** Takes triggers and foreign keys away; what it returns brings them back and has every row checked by the keys. */
async function stripTables(
  db: Copying,
  tables: readonly Table[],
): Promise<(onKey: (number: number, of: number) => void) => Promise<void>> {
  const keys = await db.query<{ readonly drop: string; readonly add: string }>(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
           format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by conrelid::regclass::text, conname`);
  const each = async (action: 'disable' | 'enable'): Promise<void> => {
    for (const { name } of tables) await db.query(`alter table ${quoteName(name)} ${action} trigger user`);
  };
  await each('disable');
  for (const { drop } of keys) await db.query(drop);
  return async (onKey) => {
    for (const [i, { add }] of keys.entries()) {
      await db.query(add);
      onKey(i + 1, keys.length);
    }
    await each('enable');
  };
}

const bytesOf = (tables: readonly TableEnd[]): number => tables.reduce((sum, { bytes }) => sum + bytes, 0);

type Loaded = { readonly summary: Summary; readonly loaded: readonly TableStart[] };

async function loadTables(
  db: Copying,
  tables: readonly Table[],
  contents: Contents['tables'],
  onTable: Progress,
): Promise<Loaded> {
  const loaded: TableStart[] = [];
  const tell = counting('loaded', tables.length, () => loaded.length, onTable);
  const left = new Map(tables.map((table) => [table.name, table]));
  for (;;) {
    const { value, done } = await contents.next();
    if (done) {
      if (left.size > 0)
        throw new BackupRefusal(`It lacks the tables ${[...left.keys()].join(', ')}: take another backup.`);
      return { summary: value, loaded };
    }
    const { table, rows } = value;
    requireColumns(table, left.get(table.name));
    left.delete(table.name);
    // Frozen: nothing has to be read and written once more by the first vacuum.
    await db.copyIn(
      `copy ${quoteName(table.name)} (${table.columns.map(quoteName).join(', ')}) from stdin (freeze)`,
      told(rows, tell),
    );
    loaded.push(table);
    tell(0);
  }
}

/** Tells how far it is with every count of bytes that it hears of. */
function counting(did: Reached['did'], of: number, number: () => number, onTable: Progress): (more: number) => void {
  let bytes = 0;
  return (more) => {
    bytes += more;
    onTable({ did, number: number(), of, bytes });
  };
}

async function* told(rows: AsyncIterable<Buffer>, onBytes: (count: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of rows) {
    onBytes(chunk.length);
    yield chunk;
  }
}

/** The columns have the names that they had; of their types the migrations make sure. */
function requireColumns({ name, columns }: TableStart, here: Table | undefined): void {
  if (here && here.columns.toSorted().join() === columns.toSorted().join()) return;
  throw new BackupRefusal(
    `The table ${name} of the backup is not the one that its migrations make here: restore with the release that wrote it, ` +
      'and migrate afterwards.',
  );
}

async function setSequences(db: Copying, { sequences }: Summary): Promise<void> {
  for (const { name, last } of sequences) {
    if (last === null) continue;
    const skipped = name === COUNTED ? ADDRESSES_SKIPPED : 0;
    await db.query('select setval($1::regclass, $2::bigint + $3::int)', [`public.${quoteName(name)}`, last, skipped]);
  }
}

async function compareAll(
  db: Copying,
  loaded: readonly TableStart[],
  { tables }: Summary,
  onTable: Progress,
): Promise<void> {
  let compared = 0;
  const tell = counting('compared', tables.length, () => compared, onTable);
  for (const [i, table] of tables.entries()) {
    const start = loaded[i];
    if (start?.name !== table.name || (await hashTable(db, start, tell)) !== table.sha256) {
      throw new BackupRefusal(`What was loaded into ${table.name} does not read as it was written: nothing was kept.`);
    }
    compared += 1;
    tell(0);
  }
}

/** The hash of the bytes that `copy` writes of a table. */
export async function hashTable(
  db: Copying,
  table: Pick<Table, 'name' | 'columns'>,
  onBytes: (count: number) => void = () => undefined,
): Promise<TableEnd['sha256']> {
  const hash = createHash('sha256');
  for await (const chunk of told(db.copyOut(copyOutOf(table)) as AsyncIterable<Buffer>, onBytes)) hash.update(chunk);
  return hash.digest('hex');
}
