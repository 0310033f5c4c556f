import { createHash, randomBytes } from 'node:crypto';

const CODES = 10;
/**
 * 80 bits, too many to guess offline, so a fast hash is enough. See decision identity/recovery-codes-use-a-fast-hash.
 */
const CODE_BYTES = 10;
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const LENGTH = (CODE_BYTES * 8) / 5;
const GROUP = /.{4}(?!$)/g;

/** Ten codes for when the authenticator app is unavailable, in groups that are easy to copy: `4k7t-9pzw-2mdx-e6hv`. */
export const newRecoveryCodes = (): string[] => Array.from({ length: CODES }, newCode);

function newCode(): string {
  const digits = BigInt(`0x${randomBytes(CODE_BYTES).toString('hex')}`);
  const letters = Array.from({ length: LENGTH }, (_, place) => ALPHABET[Number((digits >> BigInt(place * 5)) & 31n)]);
  return letters.join('').replace(GROUP, '$&-');
}

/**
 * The stored hash of a holder's recovery code, 32 bytes; undefined if the text can't be a code. Ignores case, spaces
 * and hyphens, and reads O as 0, I and L as 1: no code contains those letters.
 */
export function hashRecoveryCode(holderId: string, typed: string): Buffer | undefined {
  const code = typed.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1');
  if (code.length !== LENGTH || [...code].some((letter) => !ALPHABET.includes(letter))) return undefined;
  return createHash('sha256').update(`kasi recovery code\0${holderId}\0${code}`, 'utf8').digest();
}
