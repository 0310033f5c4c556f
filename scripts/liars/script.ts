import { emptyList, inventTransfer, laggingHead, missingBlock, otherFork, shortList, staleFinality } from './lies.ts';
import type { Call, Lie, Outage } from './proxy.ts';

/** What a lie can refer to. */
export type Scene = {
  /** The height of the chain when the lie begins. */
  readonly head: number;
  readonly token: string;
  /** A deposit address that nobody pays. */
  readonly decoy: string;
};

/** A lie, which of the two endpoints tells it, and the incident that has to name it. */
export type ScriptedLie = {
  readonly name: string;
  readonly by: 'first' | 'second';
  readonly lie?: (call: Call, scene: Scene) => Lie;
  readonly fail?: (calls: readonly Call[]) => Outage;
  readonly kind: 'chain.endpoint' | 'chain.disagreement';
  /** What the incident says of it; it also names the endpoint. */
  readonly says: RegExp;
  /** Only the watcher meets it, so the watcher has to ask the liar. */
  readonly watched?: true;
  /** It takes more than a few seconds to be named; a short run leaves it out. */
  readonly slow?: true;
};

const DECOY_UNITS = 5_000_000_000n;
const HANG_MS = 3_000;
const NOT_ACCOUNTED = /logs of block \d+ .* that do not account for its header/;

/**
 * An endpoint that contradicted itself is forgiven after half a minute; so the two by which it does come late, and the
 * slow ones of that sort last.
 */
export const LIES: readonly ScriptedLie[] = [
  {
    ...{ name: 'HTTP 429', by: 'first', watched: true, fail: () => ({ status: 429, retryAfter: '1' }) },
    ...{ kind: 'chain.endpoint', says: /429 Too Many Requests/ },
  },
  { name: 'another fork', by: 'second', lie: otherFork, kind: 'chain.disagreement', says: /has 0xf0f0/ },
  {
    ...{ name: 'invented transfers', by: 'first', watched: true },
    lie: (call, { token, decoy }) => inventTransfer(call, token, decoy, DECOY_UNITS),
    ...{ kind: 'chain.disagreement', says: /lists no such transfer/ },
  },
  {
    ...{ name: 'a head that lags', by: 'second', watched: true, slow: true },
    lie: (call, { head }) => laggingHead(call, head),
    ...{ kind: 'chain.endpoint', says: /is \d+ blocks behind the scan/ },
  },
  {
    ...{ name: 'HTTP 503', by: 'first', watched: true, fail: () => ({ status: 503 }) },
    ...{ kind: 'chain.endpoint', says: /HTTP 503/ },
  },
  {
    ...{ name: 'silence', by: 'second', watched: true, slow: true, fail: () => ({ hangMs: HANG_MS }) },
    ...{ kind: 'chain.endpoint', says: /can not be reached|did not answer/ },
  },
  { name: 'empty lists', by: 'first', watched: true, lie: emptyList, kind: 'chain.endpoint', says: NOT_ACCOUNTED },
  {
    ...{ name: 'missing blocks', by: 'second', watched: true, lie: missingBlock },
    ...{ kind: 'chain.endpoint', says: /shows block \d+ and has no block \d+/ },
  },
  {
    ...{ name: 'short lists', by: 'first', watched: true, slow: true, lie: shortList },
    ...{ kind: 'chain.endpoint', says: NOT_ACCOUNTED },
  },
  {
    ...{ name: 'stale finality', by: 'second', slow: true, lie: staleFinality },
    ...{ kind: 'chain.endpoint', says: /calls block 1 final/ },
  },
];
