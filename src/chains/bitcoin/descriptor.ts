/** The characters of a descriptor, in the order by which its checksum counts them (BIP380). */
const INPUT = '0123456789()[],\'/*abcdefgh@:$%{}IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~ijklmnopqrstuvwxyzABCDEFGH`#"\\ ';
const CHECKSUM = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const CHECKSUM_LENGTH = 8;
const GENERATOR = [0xf5_dee5_1989n, 0xa9_fdca_3312n, 0x1b_ab10_e32dn, 0x37_06b1_677an, 0x64_4d62_6ffdn];

/** The checksum of a descriptor without its own (BIP380); null when it has a character that no descriptor has. */
export function checksumOf(descriptor: string): string | null {
  const symbols: number[] = [];
  let groups: number[] = [];
  for (const character of descriptor) {
    const at = INPUT.indexOf(character);
    if (at < 0) return null;
    symbols.push(at & 31);
    groups.push(at >> 5);
    if (groups.length < 3) continue;
    symbols.push(groups.reduce((sum, group) => sum * 3 + group, 0));
    groups = [];
  }
  if (groups.length > 0) symbols.push(groups.reduce((sum, group) => sum * 3 + group, 0));
  const padded = [...symbols, ...Array<number>(CHECKSUM_LENGTH).fill(0)];
  const sum = padded.reduce(step, 1n) ^ 1n;
  return Array.from({ length: CHECKSUM_LENGTH }, (_, i) => {
    const shift = BigInt(5 * (CHECKSUM_LENGTH - 1 - i));
    return CHECKSUM[Number((sum >> shift) & 31n)];
  }).join('');
}

function step(sum: bigint, symbol: number): bigint {
  const top = sum >> 35n;
  const next = ((sum & 0x7_ffff_ffffn) << 5n) ^ BigInt(symbol);
  return GENERATOR.reduce((rest, each, bit) => ((top >> BigInt(bit)) & 1n ? rest ^ each : rest), next);
}

/** A descriptor without its checksum, which must be right where there is one; null when it is wrong. */
export function withoutChecksum(text: string): string | null {
  const at = text.indexOf('#');
  const [descriptor, checksum] = at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
  const right = checksumOf(descriptor);
  return right !== null && (checksum === null || checksum === right) ? descriptor : null;
}
