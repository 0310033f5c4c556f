import { min } from '../lib/money.ts';
import type { Transfer } from '../ports/chain.ts';

type Moved = Pick<Transfer, 'from' | 'to' | 'units'>;

/** Residual capacities. */
type Capacities = Map<string, Map<string, bigint>>;

/**
 * The maximum flow between two addresses over the transfers of a transaction, in base units, `most` at the most: how
 * much of what one has sent can have come to the other. What others had of their own adds nothing to it. By shortest
 * augmenting paths (Edmonds and Karp, 1972). Pure.
 */
export function flowBetween(moved: readonly Moved[], from: string, to: string, most: bigint): bigint {
  const left: Capacities = new Map();
  for (const each of moved) add(left, each.from, each.to, each.units);
  let flow = 0n;
  while (flow < most) {
    const path = findPath(left, from, to);
    if (path === null) break;
    const carried = path.reduce((least, [a, b]) => min(least, left.get(a)?.get(b) ?? 0n), most - flow);
    for (const [a, b] of path) {
      add(left, a, b, -carried);
      add(left, b, a, carried);
    }
    flow += carried;
  }
  return flow;
}

function add(left: Capacities, from: string, to: string, units: bigint): void {
  const of = left.get(from) ?? new Map<string, bigint>();
  left.set(from, of.set(to, (of.get(to) ?? 0n) + units));
}

type Way = readonly (readonly [string, string])[];

/** A shortest way that carries something; null: there is none. */
function findPath(left: Capacities, from: string, to: string): Way | null {
  const cameFrom = new Map<string, string>([[from, from]]);
  // What is found is looked at in its turn: a list may grow while it is walked.
  const found = [from];
  for (const at of found) {
    if (at === to) break;
    for (const [next, units] of left.get(at) ?? []) {
      if (units <= 0n || cameFrom.has(next)) continue;
      cameFrom.set(next, at);
      found.push(next);
    }
  }
  if (!cameFrom.has(to)) return null;
  const path: [string, string][] = [];
  for (let at = to; at !== from; ) {
    const before = cameFrom.get(at) ?? from;
    path.unshift([before, at]);
    at = before;
  }
  return path;
}
