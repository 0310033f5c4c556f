import { createHash } from 'node:crypto';
import type { Call, Lie } from './proxy.ts';

type Logs = readonly { readonly address: string; readonly topics: readonly string[] }[];

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const WORD = 64;
const LAG = 50;

const word = (hex: string): string => `0x${hex.replace(/^0x/, '').toLowerCase().padStart(WORD, '0')}`;

/** Says yes so many times, then no. */
export function upTo(times: number): () => boolean {
  let said = 0;
  return () => {
    said += 1;
    return said <= times;
  };
}

/** The hash of the block whose logs are asked for; undefined for other questions. */
const blockAskedFor = ({ method, params }: Call): string | undefined =>
  method === 'eth_getLogs' ? (params[0] as { blockHash?: string } | undefined)?.blockHash : undefined;

/** A list of logs with a transfer in it that never happened: for the same block always the same one. */
export function inventTransfer(call: Call, token: string, to: string, units: bigint): Lie {
  const blockHash = blockAskedFor(call);
  if (blockHash === undefined) return undefined;
  const log = {
    ...{
      address: token,
      blockHash,
      transactionHash: `0x${createHash('sha256').update(`${blockHash} ${to}`).digest('hex')}`,
      removed: false,
    },
    topics: [TRANSFER, word(`0x${'c1'.repeat(20)}`), word(to)],
    data: word(units.toString(16)),
  };
  return { change: (logs) => [...(logs as Logs), log] };
}

/** An empty list of logs, as of a node that has not indexed the block yet. */
export const emptyList = (call: Call): Lie => (call.method === 'eth_getLogs' ? { result: [] } : undefined);

/** A list of logs that lacks the last one. */
export const shortList = (call: Call): Lie =>
  call.method === 'eth_getLogs' ? { change: (logs) => (logs as Logs).slice(0, -1) } : undefined;

const isBlock = ({ method, params }: Call, at: RegExp): boolean =>
  method === 'eth_getBlockByNumber' && at.test(String(params[0]));

/** The newest block, fifty blocks too old. */
export function laggingHead(call: Call, head: number): Lie {
  const at = `0x${Math.max(1, head - LAG).toString(16)}`;
  return isBlock(call, /^latest$/) ? { ask: { method: call.method, params: [at, false] } } : undefined;
}

/** Blocks of another fork, wherever one is asked for by its height. */
export const otherFork = (call: Call): Lie =>
  isBlock(call, /^0x[1-9a-f]/)
    ? { change: (block) => block && { ...(block as object), hash: `0x${'f0'.repeat(WORD / 2)}` } }
    : undefined;

/** No block where there is one. */
export const missingBlock = (call: Call): Lie => (isBlock(call, /^0x[1-9a-f]/) ? { result: null } : undefined);

/** A final block that stands still at the beginning. */
export const staleFinality = (call: Call): Lie =>
  isBlock(call, /^finalized$/) ? { ask: { method: call.method, params: ['0x1', false] } } : undefined;

/** What is held after the newest block instead of after the block that is asked for, the nth time that it is. */
export function stateOfNext(nth: number): (call: Call) => Lie {
  const asked = new Map<string, number>();
  return ({ method, params: [question, at] }) => {
    if (method !== 'eth_call' || (at as { blockHash?: string }).blockHash === undefined) return undefined;
    const key = JSON.stringify([question, at]);
    const times = (asked.get(key) ?? 0) + 1;
    asked.set(key, times);
    return times === nth ? { ask: { method, params: [question, 'latest'] } } : undefined;
  };
}
