import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { compressFile, type Encoding, unpackBrotli } from './compress.ts';
import { REDOC, withoutForeignLogo } from './redoc.ts';

/** A file as it is sent: compressed or not, with the hash of what it says. */
export type DocFile = { readonly body: Buffer; readonly hash: string };

/** Reads the file at a path below `generated/`; undefined when there is none. */
export type ReadDocFile = (path: string, encoding: Encoding | undefined) => Promise<DocFile | undefined>;

const FOLDER = join(import.meta.dirname, '../../generated');
/** The documents of the contract; everything else is below `docs/`. */
const DOCUMENTS = ['openapi.json', 'openapi.client.json'];
/** The address that all of them are written with. */
const WRITTEN_URL = 'http://localhost:3000';
const ASSETS = 'docs/assets/';
/** Redoc stays in its package; pages name it with the hash of what we send. */
const REDOC_PATH = /^docs\/assets\/redoc\.([0-9a-f]{12})\.js$/;
export const REDOC_NAME = `${ASSETS}redoc.js`;
const HASH_LENGTH = 12;
/**
 * More than everything in both encodings, three and a quarter megabytes: with less room, whoever asks for all files in
 * turn would have each compressed anew every time.
 */
const KEPT_BYTES_MAX = 4_000_000;

/**
 * The files of the documentation and the documents of the contract. They name `publicUrl`, where the service is
 * reached, wherever they were written with another address. Nothing is read before it is asked for; what was compressed
 * is kept, four megabytes at most. Nothing but the first request for a file works on the event loop.
 */
export function docFiles(publicUrl: string): ReadDocFile {
  const compressed = keepCompressed((path) => load(path, publicUrl));
  let names: Promise<ReadonlySet<string>> | undefined;
  return async (path, encoding) => {
    names ??= listFiles();
    const [, wanted] = REDOC_PATH.exec(path) ?? [];
    const name = wanted === undefined ? path : REDOC_NAME;
    if (!(await names).has(name)) return undefined;
    // To unpack what is kept is cheap, and happens beside the event loop; to read, address and hash it is neither.
    const file = await compressed(name, encoding ?? 'br');
    if (wanted !== undefined && wanted !== file.hash) return undefined;
    return encoding === undefined ? { ...file, body: await unpackBrotli(file.body) } : file;
  };
}

async function listFiles(): Promise<ReadonlySet<string>> {
  const found = await readdir(join(FOLDER, 'docs'), { recursive: true, withFileTypes: true });
  const files = found.filter((each) => each.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return new Set([...DOCUMENTS, REDOC_NAME, ...files.map((file) => file.slice(FOLDER.length + 1))]);
}

async function load(path: string, publicUrl: string): Promise<DocFile> {
  const file = path === REDOC_NAME ? findRedoc() : join(FOLDER, path);
  const text = await readFile(file, 'utf8');
  const body = Buffer.from(path === REDOC_NAME ? withoutForeignLogo(text) : addressed(text, path, publicUrl));
  return { body, hash: createHash('sha256').update(body).digest('hex').slice(0, HASH_LENGTH) };
}

/** The package of operators holds that one file, instead of the packages around it. */
function findRedoc(): string {
  const packed = join(FOLDER, REDOC_NAME);
  return existsSync(packed) ? packed : createRequire(import.meta.url).resolve(REDOC);
}

/** What has a hash in its name is the same wherever it is served. */
function addressed(text: string, path: string, publicUrl: string): string {
  if (publicUrl === WRITTEN_URL || path.startsWith(ASSETS)) return text;
  return text.replaceAll(WRITTEN_URL, () => spelled(publicUrl, path));
}

/** An address as it is written in files of that kind. */
function spelled(address: string, path: string): string {
  if (path.endsWith('.json')) return JSON.stringify(address).slice(1, -1);
  if (!path.endsWith('.html')) return address;
  return address.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

type Kept = { readonly file: Promise<DocFile>; bytes: number };

/** Compresses each file once, also for those who ask at the same time, and forgets what was not used for longest. */
function keepCompressed(read: (path: string) => Promise<DocFile>) {
  const kept = new Map<string, Kept>();
  const compress = async (path: string, encoding: Encoding): Promise<DocFile> => {
    const { body, hash } = await read(path);
    return { body: await compressFile(body, encoding), hash };
  };
  return async (path: string, encoding: Encoding): Promise<DocFile> => {
    const key = `${encoding} ${path}`;
    const entry = kept.get(key) ?? { file: compress(path, encoding), bytes: 0 };
    kept.delete(key);
    kept.set(key, entry);
    try {
      const file = await entry.file;
      entry.bytes = file.body.length;
      makeRoom(kept);
      return file;
    } catch (error) {
      kept.delete(key);
      throw error;
    }
  };
}

function makeRoom(kept: Map<string, Kept>): void {
  let all = [...kept.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  for (const [key, { bytes }] of kept) {
    if (all <= KEPT_BYTES_MAX) return;
    kept.delete(key);
    all -= bytes;
  }
}
