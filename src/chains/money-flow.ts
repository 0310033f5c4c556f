import { min } from '../lib/money.ts';
import type { Transfer } from '../ports/chain.ts';

type Moved = Pick<Transfer, 'from' | 'to' | 'units'>;

/** What may still go from each to each. */
type Capacities = Map<string, Map<string, bigint>>;

/**
 * How much of what one has sent can have come to another, by whatever way, and `most` at the most. It goes path by
 * path, each for as much as its narrowest transfer; what was sent by a way may be sent by another one instead. So what
 * others had of their own counts nothing, however they move it. Pure.
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
