/** Text as the bytes that are sent. */
export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
