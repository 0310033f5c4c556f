import { isDeepStrictEqual } from 'node:util';

/** Bytes that are shown before and after the first difference. */
const BEFORE_BYTES = 12;
const AFTER_BYTES = 36;
/** The byte order mark, which some readers of text put in front or take away. */
const MARK = '\uFEFF';

export type Difference = { readonly offset: number; readonly sent: string; readonly received: string };

/** The first place where two texts differ as UTF-8, each with a little around it; undefined when they are the same. */
export function firstDifference(sent: Buffer, received: Buffer): Difference | undefined {
  if (sent.equals(received)) return undefined;
  const length = Math.min(sent.length, received.length);
  let offset = 0;
  while (offset < length && sent[offset] === received[offset]) offset += 1;
  return { offset, sent: excerptOf(sent, offset), received: excerptOf(received, offset) };
}

/** A few whole characters around a place. */
function excerptOf(bytes: Buffer, offset: number): string {
  const start = wholeCharacter(bytes, Math.max(0, offset - BEFORE_BYTES));
  const end = wholeCharacter(bytes, Math.min(bytes.length, offset + AFTER_BYTES));
  const text = bytes.subarray(start, end).toString('utf8');
  return `${start > 0 ? '…' : ''}${text}${end < bytes.length ? '…' : ''}`;
}

/** The place itself, or the first byte of the character that it lies in. */
function wholeCharacter(bytes: Buffer, place: number): number {
  let at = place;
  while (at > 0 && at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return at;
}

/** Whether two texts are JSON that says the same, whatever the order, the spaces and the escapes. */
export function isSameJson(sent: string, received: string): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(sent), JSON.parse(received.replace(MARK, '')));
  } catch {
    return false;
  }
}

/** The bytes that JSON had when we wrote it, if nothing but spaces and escapes were changed; undefined for what is no JSON. */
export function rewrite(received: string): Buffer | undefined {
  try {
    return Buffer.from(JSON.stringify(JSON.parse(received.replace(MARK, ''))), 'utf8');
  } catch {
    return undefined;
  }
}

/** What has probably happened to a body that says the same in other bytes. */
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
