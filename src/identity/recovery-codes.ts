import { createHash, randomBytes } from 'node:crypto';

const CODES = 10;
/** 80 bits: nobody can try them all, so a fast hash keeps them as well as a slow one. */
const CODE_BYTES = 10;
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const LENGTH = (CODE_BYTES * 8) / 5;
const GROUP = /.{4}(?!$)/g;

/** Ten codes for a second factor that is out of reach, as people write them down: `4k7t-9pzw-2mdx-e6hv`. */
export const newRecoveryCodes = (): string[] => Array.from({ length: CODES }, newCode);

function newCode(): string {
  const digits = BigInt(`0x${randomBytes(CODE_BYTES).toString('hex')}`);
  const letters = Array.from({ length: LENGTH }, (_, place) => ALPHABET[Number((digits >> BigInt(place * 5)) & 31n)]);
  return letters.join('').replace(GROUP, '$&-');
}

/**
 * What is stored of a holder's code, 32 bytes; undefined for what can't be one. Case, spaces and hyphens don't matter, nor whether somebody
 * took a 0 for an O or a 1 for an I or L, which no code has.
 */
export function hashRecoveryCode(holderId: string, typed: string): Buffer | undefined {
  const code = typed.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1');
  if (code.length !== LENGTH || [...code].some((letter) => !ALPHABET.includes(letter))) return undefined;
  return createHash('sha256').update(`kasi recovery code\0${holderId}\0${code}`, 'utf8').digest();
}
