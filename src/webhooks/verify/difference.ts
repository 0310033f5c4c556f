import { isDeepStrictEqual } from 'node:util';

/** Bytes that are shown before and after the first difference. */
const BEFORE_BYTES = 12;
const AFTER_BYTES = 36;
/** The byte order mark, which some text readers add or remove. */
const MARK = '\uFEFF';

export type Difference = { readonly offset: number; readonly sent: string; readonly received: string };

/** The first byte where two UTF-8 texts differ, with an excerpt of each around it; undefined when they are equal. */
export function firstDifference(sent: Buffer, received: Buffer): Difference | undefined {
  if (sent.equals(received)) return undefined;
  const length = Math.min(sent.length, received.length);
  let offset = 0;
  while (offset < length && sent[offset] === received[offset]) offset += 1;
  return { offset, sent: excerptOf(sent, offset), received: excerptOf(received, offset) };
}

/** A few whole characters around an offset. */
function excerptOf(bytes: Buffer, offset: number): string {
  const start = wholeCharacter(bytes, Math.max(0, offset - BEFORE_BYTES));
  const end = wholeCharacter(bytes, Math.min(bytes.length, offset + AFTER_BYTES));
  const text = bytes.subarray(start, end).toString('utf8');
  return `${start > 0 ? '…' : ''}${text}${end < bytes.length ? '…' : ''}`;
}

/** The first byte of the character that `place` lies in. */
function wholeCharacter(bytes: Buffer, place: number): number {
  let at = place;
  while (at > 0 && at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return at;
}

/** Whether two texts are the same JSON value, regardless of key order, whitespace and escapes. */
export function isSameJson(sent: string, received: string): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(sent), JSON.parse(received.replace(MARK, '')));
  } catch {
    return false;
  }
}

/**
 * The bytes that we would have written for this JSON: the original if only whitespace and escapes changed. Undefined if
 * it isn't JSON.
 */
export function rewrite(received: string): Buffer | undefined {
  try {
    return Buffer.from(JSON.stringify(JSON.parse(received.replace(MARK, ''))), 'utf8');
  } catch {
    return undefined;
  }
}

/** What probably happened to a body that has the same value in other bytes. */
export function guessCause(sent: string, received: string): string {
  if (received.startsWith(MARK)) return 'a byte order mark was put in front';
  if (received.trim() === sent) return 'spaces or a line end were added around it';
  if (withoutSpaces(received) === withoutSpaces(sent))
    return 'a parser has read it and written it anew, with other spaces';
  if (/\\u[0-9a-fA-F]{4}|\\\//.test(received) && !/\\u[0-9a-fA-F]{4}|\\\//.test(sent))
    return 'a parser has read it and written it anew, with escapes that were not there';
  return 'a parser has read it and written it anew';
}

const withoutSpaces = (text: string): string => text.replace(/\s/g, '');
