import { randomFillSync } from 'node:crypto';
import { V7Generator } from 'uuidv7';

/** The prefix of each kind of id. */
export const PREFIXES = {
  merchant: 'mer',
  payment: 'pay',
  paymentLink: 'plink',
  checkoutSession: 'cs',
  credit: 'crd',
  event: 'evt',
  delivery: 'whd',
  webhookKey: 'whk',
  certification: 'crt',
  admin: 'adm',
  change: 'gch',
  log: 'log',
  session: 'ses',
  apiKey: 'key',
  journal: 'je',
  withdrawal: 'wd',
  refund: 'rfd',
  role: 'role',
  operatorTransaction: 'optx',
  plan: 'plan',
  subscription: 'sub',
  charge: 'chg',
  walletChallenge: 'wch',
  alert: 'alt',
  mail: 'mail',
} as const;

export type IdKind = keyof typeof PREFIXES;
/** An id of one kind; the compiler refuses to mix kinds. */
export type Id<K extends IdKind> = `${(typeof PREFIXES)[K]}_${string}`;

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const ROLLBACK_ALLOWED_MS = 10_000;
/** Random numbers are fetched so many at a time; the generator's own way fetches eight. */
const RANDOM_AHEAD = 256;

const random = new Uint32Array(RANDOM_AHEAD);
let used = RANDOM_AHEAD;
function nextUint32(): number {
  if (used === RANDOM_AHEAD) {
    randomFillSync(random);
    used = 0;
  }
  const number = random[used] as number;
  used += 1;
  return number;
}

const generator = new V7Generator({ nextUint32 });

/**
 * A new id: the prefix and a UUIDv7 (RFC 9562) of `now` in 26 characters of lower-case Crockford base32. Ids sort by
 * their time.
 */
export function newId<K extends IdKind>(kind: K, now: Date): Id<K> {
  const { bytes } = generator.generateOrResetCore(now.getTime(), ROLLBACK_ALLOWED_MS);
  return `${PREFIXES[kind]}_${crockford(bytes)}` as Id<K>;
}

/** The lowest id of `time`: every id made earlier is less. */
export function firstIdAt<K extends IdKind>(kind: K, time: Date): Id<K> {
  const bytes = new Uint8Array(16);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(time.getTime()) << 16n);
  return `${PREFIXES[kind]}_${crockford(bytes)}` as Id<K>;
}

/** So many characters behind the prefix are the time, 48 bits and two that are 0. */
const TIME_LENGTH = 10;
const CHARACTERS = /^([0-7][0-9a-hjkmnp-tv-z]{0,25})?$/;

/**
 * Between which moments, the second exclusive, something was made whose id begins so; null where no id does. `newId`
 * may have given it the time of an id that was made up to ten seconds ahead.
 */
export function madeBetween(kind: IdKind, beginning: string): { readonly from: Date; readonly to: Date } | null {
  const prefix = `${PREFIXES[kind]}_`;
  const rest = beginning.slice(prefix.length);
  if (!prefix.startsWith(beginning.slice(0, prefix.length)) || !CHARACTERS.test(rest)) return null;
  const timeOf = (filling: string): number =>
    [...rest.slice(0, TIME_LENGTH).padEnd(TIME_LENGTH, filling)].reduce(
      (sum, character) => sum * ALPHABET.length + ALPHABET.indexOf(character),
      0,
    );
  return { from: new Date(timeOf('0') - ROLLBACK_ALLOWED_MS), to: new Date(timeOf('z') + 1) };
}

/** Big-endian Crockford base32 of `bytes`, lower case, padded on the left to whole characters. */
export function crockford(bytes: Uint8Array): string {
  const length = Math.ceil((bytes.length * 8) / 5);
  let bits = length * 5 - bytes.length * 8;
  let buffer = 0;
  let text = '';
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET[(buffer >>> bits) & 31];
    }
    buffer &= (1 << bits) - 1;
  }
  return text;
}
