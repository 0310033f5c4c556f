import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { decrypt, encrypt, type KeyRing, keyIdOf, type Place } from '../lib/envelope.ts';
import { type ByteReader, CutShort, readBytes } from './bytes.ts';
import { BackupRefusal } from './refusal.ts';

/**
 * The file of a backup:
 *
 *     "KASIBAK1" | length of the header (4) | header, JSON in the clear
 *     chunks: length (4) | ciphertext | tag (16)
 *
 * Each file has its own key, which the header holds in an envelope (`lib/envelope.ts`) that BACKUP_KEY opens. A chunk's
 * nonce is its number and whether it is the last one, so no chunk can be left out, moved, repeated or cut off; the
 * header's hash is authenticated with each. Nothing of a chunk is used before it was proven.
 */
const MAGIC = Buffer.from('KASIBAK1');
const KEY_BYTES = 32;
const TAG_BYTES = 16;
const CHUNK_BYTES = 256 * 1024;
const HEADER_MAX = 64 * 1024;
const FORMAT = 1;

/** What anybody may read of a file. */
export type Header = {
  readonly format: number;
  /** Of this file alone. */
  readonly id: string;
  readonly deployment: string;
  readonly mode: 'sandbox' | 'live';
  readonly takenAt: string;
  /** The newest migration of the database. */
  readonly head: string;
  readonly compression: 'zstd';
  /** The file's key, in hex. */
  readonly sealedKey: string;
};

const placeOf = ({ id, deployment }: Pick<Header, 'id' | 'deployment'>): Place => ({
  ...{ table: 'backup', column: 'key', row: id, tenant: deployment },
});

/** Yields the file: a header for `about`, and the sealed bytes of `plain`. */
export async function* sealFile(
  ring: KeyRing,
  about: Omit<Header, 'format' | 'compression' | 'sealedKey'>,
  plain: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  const fileKey = randomBytes(KEY_BYTES);
  const sealedKey = encrypt(ring, placeOf(about), fileKey).toString('hex');
  const header: Header = { format: FORMAT, ...about, compression: 'zstd', sealedKey };
  const text = Buffer.from(JSON.stringify(header));
  yield Buffer.concat([MAGIC, lengthOf(text.length), text]);
  const key = createSecretKey(fileKey);
  const authenticated = hashOf(text);
  const bytes = readBytes(plain);
  for (let number = 0; ; number += 1) {
    const chunk = await bytes.takeUpTo(CHUNK_BYTES);
    const isLast = await bytes.isAtEnd();
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number, isLast)).setAAD(authenticated);
    const ciphertext = Buffer.concat([cipher.update(chunk), cipher.final()]);
    yield Buffer.concat([lengthOf(ciphertext.length + TAG_BYTES), ciphertext, cipher.getAuthTag()]);
    if (isLast) return;
  }
}

export type OpenedFile = { readonly header: Header; readonly plain: AsyncGenerator<Buffer> };

/** Reads the header and whether `ring` opens the file. Throws BackupRefusal for a file that is not one of ours. */
export async function openFile(ring: KeyRing, source: AsyncIterable<Uint8Array>): Promise<OpenedFile> {
  const bytes = readBytes(source);
  const { header, text } = await readHeader(bytes);
  return { header, plain: openChunks(createSecretKey(openKey(ring, header)), hashOf(text), bytes) };
}

async function readHeader(bytes: ByteReader): Promise<{ readonly header: Header; readonly text: Buffer }> {
  const start = await bytes.takeUpTo(MAGIC.length + 4);
  if (start.length < MAGIC.length + 4 || !start.subarray(0, MAGIC.length).equals(MAGIC))
    throw new BackupRefusal('It is no backup of Kasi.');
  const length = start.readUInt32BE(MAGIC.length);
  const text = await bytes.takeUpTo(Math.min(length, HEADER_MAX));
  const header = text.length === length ? parseHeader(text) : undefined;
  if (!header) throw new BackupRefusal('Its header is damaged: take another copy of the file.');
  if (header.format !== FORMAT || header.compression !== 'zstd') {
    throw new BackupRefusal(
      `It has the format ${header.format}, and this release reads ${FORMAT}: use the release that wrote it, or a newer one.`,
    );
  }
  return { header, text };
}

function parseHeader(text: Buffer): Header | undefined {
  try {
    const found = JSON.parse(text.toString('utf8')) as Header;
    return typeof found.sealedKey === 'string' && typeof found.id === 'string' ? found : undefined;
  } catch {
    return undefined;
  }
}

function openKey(ring: KeyRing, header: Header): Buffer {
  const sealed = Buffer.from(header.sealedKey, 'hex');
  const id = keyIdOf(sealed);
  const own = ring.current.id.toString('hex');
  if (id !== own) {
    throw new BackupRefusal(
      `It was sealed with the key ${id}, and BACKUP_KEY is ${own}: set BACKUP_KEY to the key of that day.`,
    );
  }
  try {
    return decrypt(ring, placeOf(header), sealed);
  } catch {
    throw new BackupRefusal('Its header is not the one that was written: take another copy of the file.');
  }
}

/** Yields what was sealed, each chunk once it is proven. Throws BackupRefusal at the first that is not. */
async function* openChunks(key: KeyObject, authenticated: Buffer, bytes: ByteReader): AsyncGenerator<Buffer> {
  for (let number = 0; ; number += 1) {
    const sealed = await takeChunk(bytes, number);
    const isLast = await bytes.isAtEnd();
    const nonce = nonceOf(number, isLast);
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(authenticated).setAuthTag(sealed.subarray(-TAG_BYTES));
    yield proven(number, isLast, () =>
      Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]),
    );
    if (isLast) return;
  }
}

async function takeChunk(bytes: ByteReader, number: number): Promise<Buffer> {
  try {
    const length = (await bytes.take(4)).readUInt32BE();
    if (length >= TAG_BYTES && length <= CHUNK_BYTES + TAG_BYTES) return await bytes.take(length);
  } catch (error) {
    if (error instanceof CutShort) throw tooShort(number);
    throw error;
  }
  throw damaged(number);
}

function proven(number: number, isLast: boolean, open: () => Buffer): Buffer {
  try {
    return open();
  } catch {
    throw isLast
      ? new BackupRefusal(`It ends too early, or part ${number + 1} of it is damaged: take another copy of the file.`)
      : damaged(number);
  }
}

const tooShort = (number: number): BackupRefusal =>
  new BackupRefusal(`It ends in its part ${number + 1}, and more was written: take another copy of the file.`);

const damaged = (number: number): BackupRefusal =>
  new BackupRefusal(`Part ${number + 1} of it is not what was written there: take another copy of the file.`);

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(number), 3);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

function lengthOf(length: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  return bytes;
}

const hashOf = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();
