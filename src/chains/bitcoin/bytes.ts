import { hash } from 'node:crypto';

/** What a node sent is not in the form of Bitcoin, or is not what its hash says. */
export class InvalidDataError extends Error {}

const HASH_BYTES = 32;
const inner = Buffer.alloc(HASH_BYTES);

/** SHA-256 twice, as everything in Bitcoin is named. */
export function doubleHash(data: Uint8Array): Buffer {
  const result = Buffer.allocUnsafe(HASH_BYTES);
  writeDoubleHash(result, 0, data);
  return result;
}

/**
 * Writes it to a place in a buffer. Node.js hands out a hash as text in half the time that it takes for a buffer, and a
 * block has twelve thousand.
 */
export function writeDoubleHash(target: Buffer, at: number, data: Uint8Array): void {
  inner.write(hash('sha256', data, 'binary'), 'binary');
  target.write(hash('sha256', inner, 'binary'), at, 'binary');
}

/** A hash as people and nodes write it: its bytes in reverse, in hex. */
export const displayHash = (bytes: Uint8Array): string => Buffer.from(bytes).reverse().toString('hex');

const BYTES_OF_SIZE: Readonly<Record<number, number>> = { 253: 2, 254: 4, 255: 8 };

/** Reads bytes in their order. Throws InvalidDataError at the end of them. */
export function createCursor(data: Buffer) {
  let at = 0;
  const skip = (count: number): number => {
    const from = at;
    at += count;
    if (!(at <= data.length)) throw new InvalidDataError('it ends too early');
    return from;
  };
  return {
    /** Where the next byte is. */
    at: (): number => at,
    isAtEnd: (): boolean => at === data.length,
    skip,
    take: (count: number): Buffer => {
      const from = skip(count);
      return data.subarray(from, at);
    },
    uint32: (): number => data.readUInt32LE(skip(4)),
    uint64: (): bigint => data.readBigUInt64LE(skip(8)),
    peek: (): number | undefined => data[at],
    /** A number of things, or of bytes, that follow. */
    size: (): number => {
      const first = data[skip(1)] as number;
      const bytes = BYTES_OF_SIZE[first];
      if (bytes === undefined) return first;
      if (bytes === 8) return Number(data.readBigUInt64LE(skip(8)));
      return data.readUIntLE(skip(bytes), bytes);
    },
  };
}

export type Cursor = ReturnType<typeof createCursor>;
