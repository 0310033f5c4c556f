import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import { type Copying, withCopying } from '../db/copying.ts';
import { withDatabase } from '../db/database.ts';
import { migrationNames } from '../db/migrate.ts';
import { requireSchema } from '../db/schema-state.ts';
import { listSealingKeys } from '../deployment/evidence.ts';
import { type Deployment, findDeployment } from '../deployment/identity.ts';
import { HOUR_MS, wallMs } from '../lib/clock.ts';
import { type KeyRing, keyIdOf } from '../lib/envelope.ts';
import { messageOf } from '../lib/errors.ts';
import { beginDump, type Progress } from './dump.ts';
import type { Manifest, Summary } from './frames.ts';
import { BackupRefusal } from './refusal.ts';
import { sealFile } from './sealed-file.ts';

/** Fast enough that the database is what one waits for. */
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };
const BUFFERED = 1024 * 1024;

export type BackupOptions = {
  /** Of the role that owns the tables. */
  readonly ownerUrl: string;
  readonly file: string;
  /** Of BACKUP_KEY. */
  readonly ring: KeyRing;
  readonly onTable?: Progress;
  readonly signal?: AbortSignal;
};

export type Written = {
  readonly manifest: Manifest;
  readonly summary: Summary;
  /** Of the file. */
  readonly bytes: number;
};

/**
 * Writes a copy of the database, of one moment, to a file that is not there yet. Under its own name there is a whole
 * file or none: it is written under another one, and renamed once it is on the disk. Throws BackupRefusal.
 */
export async function writeBackup({ ownerUrl, file, ring, onTable = ignore, signal }: BackupOptions): Promise<Written> {
  refuseTaken(file);
  const deployment = await withDatabase(ownerUrl, 'kasi-backup', async (db) => {
    await requireSchema(db, migrationNames());
    refuseMasterKey(ring, await listSealingKeys(db));
    return requireDeployment(await findDeployment(db), ring);
  });
  const part = `${file}.part-${process.pid}`;
  // Before anything is read: a stream would open it later, and could make it after it was removed.
  const handle = await openNew(part);
  let written: Pick<Written, 'manifest' | 'summary'>;
  try {
    written = await withCopying(
      ownerUrl,
      'kasi-backup',
      (db) => writeFile(db, handle, { ring, deployment, onTable, ...(signal && { signal }) }),
      { signal },
    );
    // Another backup may have come to that name meanwhile.
    refuseTaken(file);
    await rename(part, file);
  } catch (error) {
    // Closing can fail as well, on a full disk. The first error is the one to report.
    await handle.close().catch(() => undefined);
    await rm(part, { force: true }).catch(() => undefined);
    if (signal?.aborted) throw new BackupRefusal('The backup was aborted before its end, and nothing was kept.');
    throw describeDisk(error) ?? error;
  }
  return { ...written, bytes: await keepName(file) };
}

/** What a disk says that takes no more, or no more files of this size or this account. */
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const BROKEN = new Set(['EIO', 'EROFS', 'ESTALE']);

function describeDisk(error: unknown): BackupRefusal | null {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (!NO_ROOM.has(code) && !BROKEN.has(code)) return null;
  const cure = NO_ROOM.has(code) ? 'make room on that disk' : 'look at that disk';
  return new BackupRefusal(
    `The backup could not be written: ${messageOf(error)}. Nothing was kept: ${cure}, or name a file on another one.`,
  );
}

const ignore: Progress = () => undefined;

function refuseTaken(file: string): void {
  if (existsSync(file)) throw new BackupRefusal(`There is a file ${file}: give the backup another name.`);
}

/** A backup that runs writes all the time. */
const LEFT_AFTER_MS = 12 * HOUR_MS;

/** What killed backups have left in the folder of a file, whose parts are no backups. */
export async function listLeft(file: string): Promise<string[]> {
  const names = (await readdir(dirname(file))).filter((name) => /\.part-\d+$/.test(name));
  const parts = names.toSorted().map((name) => join(dirname(file), name));
  const ages = await Promise.all(parts.map(async (part) => wallMs() - (await stat(part)).mtimeMs));
  return parts.filter((_, at) => (ages[at] ?? 0) > LEFT_AFTER_MS);
}

/** Never one that is there: another backup may write it, whose process has the same number in another container. */
async function openNew(part: string): Promise<FileHandle> {
  try {
    return await open(part, 'wx', 0o600);
  } catch (error) {
    const cure =
      (error as NodeJS.ErrnoException).code === 'EEXIST'
        ? 'Another backup writes it, or one was killed: remove it if none runs, or give this backup another name.'
        : 'Give the backup a name in a folder that is there and can be written to.';
    throw new BackupRefusal(`${messageOf(error)}. ${cure}`);
  }
}

function requireDeployment(deployment: Deployment | undefined, ring: KeyRing): Deployment {
  if (!deployment) {
    throw new BackupRefusal(
      'No process has started on this database yet: there is nothing to keep. Check DATABASE_OWNER_URL.',
    );
  }
  refuseMasterKey(ring, [keyIdOf(deployment.sealedCanary)]);
  return deployment;
}

/** Whoever has the file and the master key has every secret in it, so one key must not be both. */
function refuseMasterKey({ current }: KeyRing, masters: readonly string[]): void {
  if (!masters.includes(current.id.toString('hex'))) return;
  throw new BackupRefusal(
    'BACKUP_KEY is the MASTER_KEY of this database: make it a key of its own (openssl rand -hex 32).',
  );
}

type Writing = Required<Pick<BackupOptions, 'ring' | 'onTable'>> & {
  readonly deployment: Deployment;
  readonly signal?: AbortSignal;
};

async function writeFile(db: Copying, handle: FileHandle, { ring, deployment, onTable, signal }: Writing) {
  const { manifest, read } = await beginDump(db);
  const about = {
    ...{ id: randomUUID(), deployment: deployment.id, mode: deployment.mode, takenAt: manifest.takenAt },
    head: manifest.migrations.at(-1) ?? '',
  };
  let summary: Summary | undefined;
  const frames = read(onTable, (ended) => {
    summary = ended;
  });
  await pipeline(
    Readable.from(frames, { objectMode: false, highWaterMark: BUFFERED }),
    createZstdCompress(ZSTD),
    (compressed: AsyncIterable<Buffer>) => sealFile(ring, about, compressed),
    handle.createWriteStream({ flush: true }),
    ...(signal ? [{ signal }] : []),
  );
  if (!summary) throw new Error('the copy ended before its end');
  return { manifest, summary };
}

/** A new name is on the disk once its folder is. Returns the size of the file; what fails here does not undo it. */
async function keepName(file: string): Promise<number> {
  try {
    const folder = await open(dirname(file), 'r');
    await folder.sync().finally(() => folder.close());
    return (await stat(file)).size;
  } catch (error) {
    throw new BackupRefusal(
      `${file} is whole, but its name may not be on the disk yet: ${messageOf(error)}. Look at that disk before you count on it.`,
    );
  }
}
