import { displayHash, doubleHash, InvalidDataError } from './bytes.ts';
import { type BitcoinChain, PARAMS } from './params.ts';

/** What a block's header says. Hashes are spelled as people write them. */
export type Header = {
  readonly hash: string;
  readonly parentHash: string;
  readonly merkleRoot: string;
  readonly time: Date;
  /** What the hash had to be below: the smaller, the more work it took. */
  readonly target: bigint;
};

export const HEADER_BYTES = 80;
/** Every so many blocks the work that a block takes is set anew, and by no more than this factor. */
const PERIOD = 2016;
const FACTOR_MAX = 4n;
/** Less work than this no block of the main chain has taken for years, a hundredth of today's. */
const EASIEST = 1n << 184n;

/** The header that these 80 bytes are. Throws InvalidDataError unless it has this hash, and took the work it claims. */
export function parseHeader(raw: Buffer, hash: string): Header {
  if (raw.length !== HEADER_BYTES) throw new InvalidDataError('its header is cut off');
  const own = displayHash(doubleHash(raw));
  if (own !== hash) throw new InvalidDataError(`it is another block, ${own}`);
  const target = targetOf(raw.readUInt32LE(72));
  if (BigInt(`0x${own}`) > target) throw new InvalidDataError('it lacks the work that it claims');
  return {
    hash,
    parentHash: displayHash(raw.subarray(4, 36)),
    merkleRoot: displayHash(raw.subarray(36, 68)),
    time: new Date(raw.readUInt32LE(68) * 1000),
    target,
  };
}

/** A number in the short form of headers: a byte for its length, three for its first digits. */
function targetOf(bits: number): bigint {
  const [length, digits] = [bits >>> 24, BigInt(bits & 0x7f_ffff)];
  return length <= 3 ? digits >> BigInt(8 * (3 - length)) : digits << BigInt(8 * (length - 3));
}

/**
 * What is wrong with the work of a block at `height`, seen from its parent; null where it is as the chain demands. Only
 * on the main chain does a block always cost what the network agreed on.
 */
export function findWorkFault(chain: BitcoinChain, height: number, header: Header, parent: Header): string | null {
  if (!PARAMS[chain].isCostly) return null;
  const easiest = height % PERIOD === 0 ? parent.target * FACTOR_MAX : parent.target;
  if (header.target <= easiest && header.target <= EASIEST) return null;
  return `block ${height} (${header.hash}) took less work than the chain demands`;
}
