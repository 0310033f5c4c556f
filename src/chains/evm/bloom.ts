import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Hex, keccak256 } from 'viem';
import { createConcurrencyLimit } from '../../lib/concurrency-limit.ts';
import type { RawLog } from './transfers.ts';

/** The filter in a block's header that has three bits set for each address and each topic of the block's logs. */
export type Bloom = Uint8Array;

const BYTES = 256;
const BIT_MASK = 2_047;
const HALF_FULL = (BYTES * 8) / 2;

/** The bits of a header; undefined where a chain has none. */
export function parseBloom(hex: string | undefined): Bloom | undefined {
  if (hex === undefined || hex === null) return undefined;
  const bytes = Buffer.from(hex.slice(2), 'hex');
  return bytes.length === BYTES ? bytes : undefined;
}

/** Whether a log with this address or topic may be in the block; when it may not, it is certain. */
export const mayHave = (bloom: Bloom, item: string): boolean =>
  bitsOf(item).every((bit) => ((bloom[BYTES - 1 - (bit >> 3)] ?? 0) & (1 << (bit & 7))) !== 0);

/** Each log has up to five hashes, which take 10 µs each. */
const LOGS_A_TURN = 200;
/** However many blocks are looked at, each turn of the event loop has one piece. */
const inTurn = createConcurrencyLimit(1, Number.POSITIVE_INFINITY);

/**
 * Whether the logs account for every bit. They may have more: some chains leave logs of their own out of the header. A
 * block can have thirty thousand logs of a stranger, so it gives way to the event loop.
 */
export async function accountsFor(logs: readonly RawLog[], bloom: Bloom): Promise<boolean> {
  const left = Uint8Array.from(bloom);
  for (let from = 0; from < logs.length; from += LOGS_A_TURN) {
    if (from > 0) await inTurn(() => nextTurn());
    for (const { address, topics } of logs.slice(from, from + LOGS_A_TURN)) {
      for (const item of [address, ...topics]) takeOff(left, item);
    }
    // A header has few bits: most long lists account for all of them soon.
    if (left.every((byte) => byte === 0)) return true;
  }
  return left.every((byte) => byte === 0);
}

function takeOff(left: Uint8Array, item: string): void {
  for (const bit of bitsOf(item)) {
    const at = BYTES - 1 - (bit >> 3);
    left[at] = (left[at] ?? 0) & ~(1 << (bit & 7));
  }
}

/** Whether so few bits are set that the filter tells something; those of busy chains are all but full. */
export function tellsSomething(bloom: Bloom): boolean {
  let set = 0;
  for (const byte of bloom) for (let rest = byte; rest !== 0; rest &= rest - 1) set += 1;
  return set < HALF_FULL;
}

/** The addresses and topics that are asked for are few and come back with every block. */
const known = new Map<string, readonly number[]>();
const KNOWN_MAX = 10_000;

function bitsOf(item: string): readonly number[] {
  const key = item.toLowerCase();
  const found = known.get(key);
  if (found !== undefined) return found;
  const hash = Buffer.from(keccak256(key as Hex).slice(2), 'hex');
  const bits = [0, 2, 4].map((at) => hash.readUInt16BE(at) & BIT_MASK);
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(key, bits);
  return bits;
}
