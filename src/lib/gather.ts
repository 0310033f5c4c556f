const NOTHING = Buffer.alloc(0);

/** Gathers the bytes of a body that comes in chunks. */
export type Gathered = {
  /** Takes a chunk; returns how many bytes there are by now. */
  readonly add: (chunk: Uint8Array) => number;
  /** All of them. */
  readonly bytes: () => Buffer;
};

/**
 * One chunk, as most bodies are, is kept as it came; more are copied into one buffer that grows. Kept as they come,
 * chunks of a single byte would take 400 bytes of memory each, for as long as a hostile sender likes.
 */
export function gather(): Gathered {
  let held: Buffer = NOTHING;
  let length = 0;
  return {
    add: (chunk) => {
      const before = length;
      length += chunk.length;
      if (before === 0) held = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
      else {
        // A chunk that was kept is full, so nothing is ever written to it.
        if (length > held.length) held = enlarged(held, 2 * length);
        held.set(chunk, before);
      }
      return length;
    },
    bytes: () => held.subarray(0, length),
  };
}

function enlarged(bytes: Buffer, size: number): Buffer {
  const larger = Buffer.allocUnsafe(size);
  bytes.copy(larger);
  return larger;
}
