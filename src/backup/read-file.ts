import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import type { KeyRing } from '../lib/envelope.ts';
import { messageOf } from '../lib/errors.ts';
import { readBytes } from './bytes.ts';
import { countRows, type Progress } from './dump.ts';
import { type Frame, type Manifest, readFrame, type Summary, type TableStart } from './frames.ts';
import { BackupRefusal } from './refusal.ts';
import { type Header, openFile } from './sealed-file.ts';

/** What a file holds, in the order in which it is read. Each table's rows are to be read before the next one. */
export type Contents = {
  readonly header: Header;
  readonly manifest: Manifest;
  readonly tables: AsyncGenerator<{ readonly table: TableStart; readonly rows: AsyncGenerator<Buffer> }, Summary>;
};

const READ_BYTES = 1024 * 1024;

/** Opens a backup. Throws BackupRefusal for what is none or was sealed by another key, and later for a damaged one. */
export async function openBackup(file: string, ring: KeyRing): Promise<Contents> {
  const { header, plain } = await openFile(ring, readBytesOf(file));
  const decompressed = Readable.from(plain, { objectMode: false }).compose(createZstdDecompress());
  const next = nextFrame(decompressed as AsyncIterable<Buffer>);
  const manifest = await next();
  if (manifest.kind !== 'manifest') throw unexpected(manifest);
  return { header, manifest: manifest.value, tables: readTables(next) };
}

/** A name that leads to no file or to one of another account is mended otherwise than a disk that fails. */
const OF_THE_NAME = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG']);

async function* readBytesOf(file: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(file, { highWaterMark: READ_BYTES });
  } catch (error) {
    const cure = OF_THE_NAME.has((error as NodeJS.ErrnoException).code ?? '')
      ? 'Name a backup that this account may read.'
      : 'Look at the disk that it lies on, or take another copy of the file.';
    throw new BackupRefusal(`The file ${file} can not be read: ${messageOf(error)}. ${cure}`);
  }
}

type Next = () => Promise<Frame>;

function nextFrame(source: AsyncIterable<Buffer>): Next {
  const bytes = readBytes(source);
  return async () => {
    const frame = await readFrame(bytes);
    // Reads to the end of the file, which proves its last part.
    if (frame.kind === 'end' && !(await bytes.isAtEnd())) throw new BackupRefusal('Something stands behind its end.');
    return frame;
  };
}

async function* readTables(next: Next): Contents['tables'] {
  for (;;) {
    const frame = await next();
    if (frame.kind === 'end') return frame.value;
    if (frame.kind !== 'table') throw unexpected(frame);
    yield { table: frame.value, rows: readRows(frame.value, next) };
  }
}

async function* readRows({ name }: TableStart, next: Next): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let rows = 0;
  for (;;) {
    const frame = await next();
    if (frame.kind === 'rows') {
      hash.update(frame.value);
      rows += countRows(frame.value);
      yield frame.value;
    } else if (frame.kind === 'table end') {
      if (frame.value.rows === rows && frame.value.sha256 === hash.digest('hex')) return;
      throw new BackupRefusal(`The rows of ${name} in it are not those that were read: take another backup.`);
    } else throw unexpected(frame);
  }
}

const unexpected = ({ kind }: Frame): BackupRefusal =>
  new BackupRefusal(`It holds a "${kind}" where none belongs: use the release that wrote it, or a newer one.`);

export type Checking = {
  /** Told that the file is there, and sealed by this key. */
  readonly onOpen?: () => void;
  readonly onTable?: Progress;
};

/** What a whole file holds, every byte of it proven and read. */
export async function checkBackup(
  file: string,
  ring: KeyRing,
  { onOpen, onTable }: Checking = {},
): Promise<Omit<Contents, 'tables'> & { summary: Summary }> {
  const { header, manifest, tables } = await openBackup(file, ring);
  onOpen?.();
  let bytes = 0;
  for (let number = 0; ; number += 1) {
    const { value, done } = await tables.next();
    if (done) return { header, manifest, summary: value };
    for await (const { length } of value.rows) {
      bytes += length;
      onTable?.({ did: 'proven', number, of: null, bytes });
    }
  }
}
