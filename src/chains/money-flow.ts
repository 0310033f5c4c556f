import { min } from '../lib/money.ts';
import type { Transfer } from '../ports/chain.ts';

type Moved = Pick<Transfer, 'from' | 'to' | 'units'>;

/** What an address has sent to another: how much of it may still be passed on, and how much is. */
type Sent = { readonly from: Stop; readonly to: Stop; left: bigint; passed: bigint };

/** An address. `far`: how many ways it is from where the flow ends; `next`: which of its ways is tried. */
type Stop = { readonly ways: Sent[]; far: number; next: number };

/** How many steps have been taken, and how many had been when a grain of them was last full. */
type Spent = { steps: number; told: number };

/** So many steps take 2 to 3 ms. One batch of answers may have fifty payouts, each of which takes its first grain. */
export const GRAIN_STEPS = 200_000;

/**
 * The maximum flow from an address to these over the transfers of a transaction, in base units, and at the most so much
 * to each: how much of what it has sent can have come to them. What others had of their own adds nothing to it. By
 * shortest ways whose lengths are kept (Ahuja and Orlin, 1991), large amounts first (capacity scaling): a stranger's
 * contract may make thousands of transfers within a payout, and the shape in which it makes them is theirs to choose.
 * To measure all lengths anew for each longer way took three times as long. In the worst shapes the steps grow with the
 * square of the transfers, so it pauses after each grain of them; who asks goes on or gives up. Pure.
 */
export function* flowBetween(
  moved: readonly Moved[],
  from: string,
  to: ReadonlyMap<string, bigint>,
): Generator<void, bigint> {
  // Of most payouts nothing is passed on.
  if (to.size === 0 || !moved.some((each) => each.from === from)) return 0n;
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
  const spent = { steps: 0, told: 0 };
  let flow = 0n;
  for (let least = largestPower(moved); least > 0n; least /= 2n) {
    const held = measure(all, sink, least, spent);
    // Where nothing can be passed on, a measure is all that is done, once for each power.
    yield* pauseIfDue(spent);
    flow += yield* fill(source, sink, { all, least, spent, held });
  }
  return flow;
}

function* pauseIfDue(spent: Spent): Generator<void, void> {
  if (spent.steps - spent.told < GRAIN_STEPS) return;
  spent.told = spent.steps;
  yield;
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

/**
 * Finds how far each is from the sink by ways with so much room at least, and returns how many are so far. What can not
 * reach it is farther than any way is long.
 */
function measure(all: readonly Stop[], sink: Stop, least: bigint, spent: Spent): number[] {
  for (const stop of all) {
    stop.far = all.length;
    stop.next = 0;
  }
  sink.far = 0;
  // What is found is looked at in its turn: a list may grow while it is walked.
  const found = [sink];
  for (const at of found) {
    spent.steps += at.ways.length;
    for (const sent of at.ways) {
      const end = endOf(sent, at);
      if (end.far < all.length || roomOf(sent, end) < least) continue;
      end.far = at.far + 1;
      found.push(end);
    }
  }
  spent.steps += all.length;
  const held = new Array<number>(all.length + 1).fill(0);
  for (const { far } of all) held[far] = (held[far] ?? 0) + 1;
  return held;
}

type Step = { readonly at: Stop; readonly sent: Sent };

/** Ways with so much room at least count; `held`: how many stops are so far from the sink. */
type Filling = { readonly all: readonly Stop[]; readonly least: bigint; readonly spent: Spent; held: number[] };

/** Passes on what ways have room for, shortest first, and returns how much that is. No recursion: ways may be long. */
function* fill(source: Stop, sink: Stop, filling: Filling): Generator<void, bigint> {
  const { all, least, spent } = filling;
  let [flow, moved] = [0n, 0];
  const steps: Step[] = [];
  let at = source;
  while (source.far < all.length) {
    spent.steps += 1;
    if (spent.steps - spent.told >= GRAIN_STEPS) yield* pauseIfDue(spent);
    if (at === sink) {
      // Each is looked at for its room, passes on, and may be full.
      spent.steps += 4 * steps.length;
      flow += passAlong(steps);
      // From the first one on that is full, another way is tried.
      const full = steps.findIndex((step) => roomOf(step.sent, step.at) < least);
      at = steps[full]?.at ?? source;
      steps.length = full;
      continue;
    }
    const sent = at.ways[at.next];
    if (sent === undefined) {
      // Where none is as far as it was any more, all that are farther have lost the sink.
      if (moveAway(at, filling)) return flow;
      at = steps.pop()?.at ?? source;
      moved += 1;
      if (moved % all.length > 0) continue;
      // Where many have lost it, each would move away by small steps.
      filling.held = measure(all, sink, least, spent);
      steps.length = 0;
      at = source;
      continue;
    }
    const end = endOf(sent, at);
    if (end.far + 1 !== at.far || roomOf(sent, at) < least) at.next += 1;
    else {
      steps.push({ at, sent });
      at = end;
    }
  }
  return flow;
}

/** Measures a stop again that no way leads on from; whether none is left that is as far as it was. */
function moveAway(at: Stop, { least, held, spent }: Filling): boolean {
  const before = at.far;
  at.far = held.length - 1;
  at.next = 0;
  spent.steps += at.ways.length;
  for (const sent of at.ways) {
    const end = endOf(sent, at);
    if (end.far + 1 < at.far && roomOf(sent, at) >= least) at.far = end.far + 1;
  }
  held[before] = (held[before] ?? 0) - 1;
  held[at.far] = (held[at.far] ?? 0) + 1;
  return held[before] === 0;
}

/** As much as all of them have room for. */
function passAlong(steps: readonly Step[]): bigint {
  const [first] = steps;
  if (first === undefined) return 0n;
  let units = roomOf(first.sent, first.at);
  for (const { at, sent } of steps) units = min(units, roomOf(sent, at));
  for (const { at, sent } of steps) pass(sent, at, units);
  return units;
}
