import { min } from '../lib/money.ts';
import type { Transfer } from '../ports/chain.ts';

type Moved = Pick<Transfer, 'from' | 'to' | 'units'>;

/** What an address has sent to another: how much of it may still be passed on, and how much is. */
type Sent = { readonly from: Stop; readonly to: Stop; left: bigint; passed: bigint };

/** An address. `far`: how many ways it is from where the flow begins; `next`: which of its ways is tried. */
type Stop = { readonly ways: Sent[]; far: number; next: number };

/**
 * The maximum flow from an address to these over the transfers of a transaction, in base units, and at the most so much
 * to each: how much of what it has sent can have come to them. What others had of their own adds nothing to it. By
 * blocking flows (Dinitz, 1970), large amounts first (capacity scaling): a stranger's contract may make thousands of
 * transfers within a payout, and the shape in which it makes them is theirs to choose. Pure.
 */
export function flowBetween(moved: readonly Moved[], from: string, to: ReadonlyMap<string, bigint>): bigint {
  const stops = new Map<string, Stop>();
  const stopOf = (address: string): Stop => {
    const stop = stops.get(address) ?? newStop();
    stops.set(address, stop);
    return stop;
  };
  const [source, sink] = [stopOf(from), newStop()];
  for (const { from, to, units } of joined(moved)) join(stopOf(from), stopOf(to), units);
  for (const [address, most] of to) join(stopOf(address), sink, most);
  const all = [...stops.values(), sink];
  let flow = 0n;
  for (let least = largestPower(moved); least > 0n; least /= 2n) {
    while (measure(all, source, sink, least)) flow += fill(source, sink, least);
  }
  return flow;
}

const newStop = (): Stop => ({ ways: [], far: -1, next: 0 });

function join(from: Stop, to: Stop, left: bigint): void {
  const sent = { from, to, left, passed: 0n };
  from.ways.push(sent);
  to.ways.push(sent);
}

/** With one for each pair of addresses, and none to itself. */
function joined(moved: readonly Moved[]): Moved[] {
  const pairs = new Map<string, Moved>();
  for (const { from, to, units } of moved) {
    if (from === to) continue;
    const pair = `${from} ${to}`;
    pairs.set(pair, { from, to, units: units + (pairs.get(pair)?.units ?? 0n) });
  }
  return [...pairs.values()];
}

/** The largest power of two that can be passed at once. */
const largestPower = (moved: readonly Moved[]): bigint => {
  const all = moved.reduce((total, { units }) => total + units, 0n);
  return all === 0n ? 0n : 1n << BigInt(all.toString(2).length - 1);
};

const endOf = (sent: Sent, at: Stop): Stop => (sent.from === at ? sent.to : sent.from);

/** What was passed on may be taken back. */
const roomOf = (sent: Sent, at: Stop): bigint => (sent.from === at ? sent.left : sent.passed);

function pass(sent: Sent, at: Stop, units: bigint): void {
  const forth = sent.from === at ? units : -units;
  sent.left -= forth;
  sent.passed += forth;
}

/** Finds how far each is by ways with so much room at least; whether the sink can be reached. */
function measure(all: readonly Stop[], source: Stop, sink: Stop, least: bigint): boolean {
  for (const stop of all) Object.assign(stop, { far: -1, next: 0 });
  source.far = 0;
  // What is found is looked at in its turn: a list may grow while it is walked.
  const found = [source];
  for (const at of found) {
    if (at === sink) return true;
    for (const sent of at.ways) {
      const end = endOf(sent, at);
      if (end.far >= 0 || roomOf(sent, at) < least) continue;
      end.far = at.far + 1;
      found.push(end);
    }
  }
  return false;
}

type Step = { readonly at: Stop; readonly sent: Sent };

/** Passes on what the shortest ways have room for, and returns how much that is. No recursion: ways may be long. */
function fill(source: Stop, sink: Stop, least: bigint): bigint {
  let flow = 0n;
  const steps: Step[] = [];
  let at = source;
  while (true) {
    if (at === sink) {
      flow += passAlong(steps);
      // From the first one on that is full, another way is tried.
      const full = steps.findIndex((step) => roomOf(step.sent, step.at) < least);
      at = steps[full]?.at ?? source;
      steps.length = full;
      continue;
    }
    const sent = at.ways[at.next];
    if (sent !== undefined) {
      const end = endOf(sent, at);
      if (end.far !== at.far + 1 || roomOf(sent, at) < least) at.next += 1;
      else {
        steps.push({ at, sent });
        at = end;
      }
      continue;
    }
    const last = steps.pop();
    if (last === undefined) return flow;
    at = last.at;
    at.next += 1;
  }
}

/** As much as all of them have room for. */
function passAlong(steps: readonly Step[]): bigint {
  const rooms = steps.map(({ at, sent }) => roomOf(sent, at));
  const units = rooms.reduce((least, room) => min(least, room));
  for (const { at, sent } of steps) pass(sent, at, units);
  return units;
}
