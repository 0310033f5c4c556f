/** The longest body that is read of a webhook. Events are far shorter. */
export const BODY_MAX = 1024 * 1024;

/** The bytes of a body; null, and no more is read, once it is longer than an event can be. */
export async function bytesOfStream(stream: ReadableStream<Uint8Array>): Promise<Uint8Array | null> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  for (let length = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return joined(chunks, length);
    length += value.length;
    if (length > BODY_MAX) {
      // Not awaited: whoever sends may not let go.
      reader.cancel().catch(() => undefined);
      return null;
    }
    chunks.push(value);
  }
}

/** The same of what Node iterates over. */
export async function bytesOfChunks(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > BODY_MAX) return null;
    chunks.push(chunk);
  }
  return joined(chunks, length);
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
