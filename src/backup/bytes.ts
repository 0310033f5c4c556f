/** Reads a stream of bytes in the portions that its reader asks for. */
export type ByteReader = {
  /** Exactly `count` bytes. Throws CutShort where the stream has fewer. */
  readonly take: (count: number) => Promise<Buffer>;
  /** The next bytes: `count`, or fewer where the stream ends. */
  readonly takeUpTo: (count: number) => Promise<Buffer>;
  readonly isAtEnd: () => Promise<boolean>;
};

/** The stream ended where more had to come. */
export class CutShort extends Error {
  override readonly name = 'CutShort';
}

/** Reads `source` once, from its beginning. */
export function readBytes(source: AsyncIterable<Uint8Array>): ByteReader {
  const chunks = source[Symbol.asyncIterator]();
  let parts: Buffer[] = [];
  let held = 0;
  const pull = async (count: number): Promise<void> => {
    while (held < count) {
      const { value, done } = await chunks.next();
      if (done) return;
      const part = Buffer.from(value.buffer, value.byteOffset, value.length);
      parts.push(part);
      held += part.length;
    }
  };
  const takeUpTo = async (count: number): Promise<Buffer> => {
    await pull(count);
    const all = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    const taken = all.subarray(0, count);
    parts = all.length > count ? [all.subarray(count)] : [];
    held -= taken.length;
    return taken;
  };
  return {
    takeUpTo,
    take: async (count) => {
      const taken = await takeUpTo(count);
      if (taken.length < count) throw new CutShort(`${count} bytes were to come, and ${taken.length} did`);
      return taken;
    },
    isAtEnd: async () => {
      await pull(1);
      return held === 0;
    },
  };
}
