import { setImmediate as nextTurn } from 'node:timers/promises';
import { monotonicMs, SECOND_MS } from '../lib/clock.ts';

/** How many attempts a process makes at once, besides those whose endpoint is slow. */
const CONCURRENCY = 256;
/** An attempt that has no answer for so long is only waited for. */
const SLOW_MS = SECOND_MS;
/** How many attempts a process makes at once, slow ones included: each keeps a connection and its event. */
const IN_FLIGHT_MAX = 1024;
/** As many are taken on ahead of their turn as end in this time, so that none waits for much longer. */
const AHEAD_MS = 50;
const AHEAD_MAX = 128;
/** So many are signed and sent before other work of the process has its turn: a signature takes 40 µs of it. */
const SENT_AT_ONCE = 16;

/** An attempt that was taken on. */
export type Attempt = {
  readonly merchantId: string;
  /** Never throws. */
  readonly make: () => Promise<void>;
};

/** The attempts of one process. */
export type Sending = {
  /** Takes attempts on, which begin in their order as soon as there is room. */
  readonly take: (attempts: readonly Attempt[]) => void;
  /** How many more it may take on now. None while enough wait, so that claims are large. */
  readonly room: () => number;
  /** How many it has taken on that have not ended. */
  readonly taken: () => number;
  /** How many of those have not begun. */
  readonly waiting: () => number;
  /** How many of those are slow. */
  readonly slow: () => number;
};

export type SendingEvents = {
  /** Called after each attempt that has ended. */
  readonly onEnd: () => void;
  /** Called with the merchants whose attempts have become slow. */
  readonly onSlow: (merchantIds: readonly string[]) => void;
  /** Called whenever there is room for more, also after waiting attempts have begun. */
  readonly onRoom: () => void;
};

/**
 * Makes a bounded number of attempts at once, and has the next ones at hand when some end, because it takes a while to
 * record what has ended and to claim more. See decisions webhooks/slow-attempts-are-waited-for and
 * webhooks/claimed-ahead.
 */
export function createSending({ onEnd, onSlow, onRoom }: SendingEvents): Sending {
  const waiting = new Set<Attempt>();
  const pace = createPace();
  let isBeginning = false;
  const beginSome = async (): Promise<void> => {
    if (isBeginning) return;
    isBeginning = true;
    let begun = 0;
    for (const attempt of waiting) {
      if (roomIn(flight, 0) <= 0) break;
      waiting.delete(attempt);
      begin(attempt);
      begun += 1;
      if (begun % SENT_AT_ONCE === 0) await nextTurn();
    }
    isBeginning = false;
    if (room() > 0) onRoom();
  };
  const flight = createFlight((slow) => {
    for (const _ of slow) pace.note(SLOW_MS);
    onSlow(slow.map(({ merchantId }) => merchantId));
    void beginSome();
  });
  const begin = (attempt: Attempt): void => {
    flight.add(attempt);
    void attempt.make().then(() => {
      const tookMs = flight.remove(attempt);
      if (tookMs !== undefined) pace.note(tookMs);
      void beginSome();
      onEnd();
    });
  };
  const room = (): number => (waiting.size > pace.ahead() / 2 ? 0 : roomIn(flight, pace.ahead()) - waiting.size);
  return {
    take: (attempts) => {
      for (const attempt of attempts) waiting.add(attempt);
      void beginSome();
    },
    room,
    waiting: () => waiting.size,
    taken: () => flight.all() + waiting.size,
    slow: () => flight.slow(),
  };
}

/** The attempts that have begun and not ended. */
type Flight = {
  readonly add: (attempt: Attempt) => void;
  /** Returns how many milliseconds it took; undefined when it was slow. */
  readonly remove: (attempt: Attempt) => number | undefined;
  readonly all: () => number;
  readonly slow: () => number;
};

const roomIn = (flight: Flight, ahead: number): number =>
  Math.min(CONCURRENCY + ahead - (flight.all() - flight.slow()), IN_FLIGHT_MAX - flight.all());

/** Calls `onSlow` with the attempts that have become slow. One timer serves all of them. */
function createFlight(onSlow: (attempts: readonly Attempt[]) => void): Flight {
  /** When each began, the oldest first. */
  const quick = new Map<Attempt, number>();
  const slow = new Set<Attempt>();
  let isWatched = false;
  const watch = (): void => {
    const [oldestMs] = quick.values();
    isWatched = oldestMs !== undefined;
    if (oldestMs !== undefined) setTimeout(look, oldestMs + SLOW_MS - monotonicMs()).unref();
  };
  const look = (): void => {
    const became: Attempt[] = [];
    for (const [attempt, sinceMs] of quick) {
      if (monotonicMs() - sinceMs < SLOW_MS) break;
      became.push(attempt);
    }
    for (const attempt of became) {
      quick.delete(attempt);
      slow.add(attempt);
    }
    watch();
    if (became.length > 0) onSlow(became);
  };
  return {
    add: (attempt) => {
      quick.set(attempt, monotonicMs());
      if (!isWatched) watch();
    },
    remove: (attempt) => {
      const sinceMs = quick.get(attempt);
      if (!quick.delete(attempt)) slow.delete(attempt);
      return sinceMs === undefined ? undefined : monotonicMs() - sinceMs;
    },
    all: () => quick.size + slow.size,
    slow: () => slow.size,
  };
}

/**
 * How many attempts make room within `AHEAD_MS` while as many as may are made at once, by how long each took to end or
 * to become slow lately (Little's law).
 */
function createPace() {
  let tookMs = Number.POSITIVE_INFINITY;
  return {
    note: (ms: number): void => {
      tookMs = Number.isFinite(tookMs) ? tookMs + (ms - tookMs) / CONCURRENCY : ms;
    },
    ahead: (): number => Math.min(AHEAD_MAX, Math.floor((CONCURRENCY * AHEAD_MS) / tookMs)),
  };
}
