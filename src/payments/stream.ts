import { Readable } from 'node:stream';
import type { Subscribe } from '../lib/channels.ts';
import { MINUTE_MS } from '../lib/clock.ts';
import { createConcurrencyLimit } from '../lib/concurrency-limit.ts';
import { AppError } from '../lib/errors.ts';
import { addressKey } from '../lib/network-address.ts';

/** Comment lines keep proxies from closing a quiet stream. */
const HEARTBEAT_MS = 15_000;
/** Confirmations grow without a move of the payment, so while they do its page is also refreshed at this interval. */
const REFRESH_MS = 2000;
/** Everything else is announced; a lost announcement is made up for with the heartbeat. */
const IDLE_REFRESH_MS = HEARTBEAT_MS;
/** A reader that leaves more bytes than this unread is gone, or attacks our memory: its stream is destroyed. */
const UNREAD_MAX = 64 * 1024;
/** Reads of all streams at once. The rest of the pool stays for everybody else. */
const READS_AT_ONCE = 4;
/** What `EventSource` waits before it connects again. */
const RETRY_MS = 2000;

/** What keeps the streams of this process in bounds, whatever RATE_LIMITS says. */
export type StreamLimits = {
  /** An IPv6 address counts as its /64. Many phones share the address of their network, so one page each is too few. */
  readonly perAddress: number;
  /** A stream costs about a quarter of a megabyte. */
  readonly perProcess: number;
  /** Up to a tenth less, so that those who connect again don't come together. */
  readonly lifeMs: number;
  /** How often lives, heartbeats and refreshes are looked at. */
  readonly tickMs: number;
};

const LIMITS: StreamLimits = { perAddress: 32, perProcess: 1000, lifeMs: 15 * MINUTE_MS, tickMs: 1000 };

export type Follower = {
  readonly address: string;
  /** The payment as its payer sees it. Throws NOT_FOUND. */
  readonly read: () => Promise<{ readonly status: string }>;
  readonly signal: AbortSignal;
};

export type PaymentStream = {
  /**
   * Server-sent events: the payment now, and again after each change, until `signal` is aborted or the stream has lived
   * long enough. All streams of a payment share one reader. Throws RATE_LIMITED or SERVICE_UNAVAILABLE when there are
   * too many, and what the first read throws.
   */
  readonly open: (paymentId: string, follower: Follower) => Promise<Readable>;
  /** How many are open. */
  readonly count: () => number;
  /** Ends every stream: the process is stopping. */
  readonly close: () => void;
};

/** Streams for the payers' pages, woken by notifications from the process that moved the payment. */
export function createPaymentStream(subscribe: Subscribe, limits: StreamLimits = LIMITS): PaymentStream {
  const places = createPlaces(limits);
  const gate = createConcurrencyLimit(READS_AT_ONCE, Number.POSITIVE_INFINITY);
  const channels = new Map<string, Channel>();
  let ticking: NodeJS.Timeout | null = null;
  subscribe('kasi_payment', (id) => channels.get(id)?.wake());

  const tick = (): void => {
    const nowMs = performance.now();
    for (const channel of channels.values()) channel.tick(nowMs);
  };
  const channelOf = (id: string, read: Follower['read']): Channel => {
    const known = channels.get(id);
    if (known) return known;
    const made = createChannel(
      () => gate(read),
      () => {
        if (channels.get(id) === made) channels.delete(id);
        if (channels.size > 0 || !ticking) return;
        clearInterval(ticking);
        ticking = null;
      },
    );
    channels.set(id, made);
    ticking ??= setInterval(tick, limits.tickMs);
    return made;
  };
  return {
    open: async (id, { address, read, signal }) => {
      const leave = places.take(addressKey(address));
      const lifeMs = limits.lifeMs * (1 - Math.random() / 10);
      try {
        return await channelOf(id, read).open(signal, performance.now() + lifeMs, leave);
      } catch (error) {
        leave();
        throw error;
      }
    },
    count: places.count,
    close: () => {
      for (const channel of [...channels.values()]) channel.close();
    },
  };
}

/** Counts the streams of each address and of the process. What it returns gives the place back, once. */
function createPlaces({ perAddress, perProcess }: StreamLimits) {
  const taken = new Map<string, number>();
  let all = 0;
  const take = (address: string): (() => void) => {
    const own = taken.get(address) ?? 0;
    if (own >= perAddress) {
      throw new AppError(
        'RATE_LIMITED',
        `Too many open streams: one address may have ${perAddress}. Close some first.`,
        {
          retryAfterSeconds: 10,
        },
      );
    }
    if (all >= perProcess) {
      throw new AppError('SERVICE_UNAVAILABLE', 'Too many payments are followed at this moment. Read it instead.', {
        retryAfterSeconds: 5,
      });
    }
    taken.set(address, own + 1);
    all += 1;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      all -= 1;
      const rest = (taken.get(address) ?? 1) - 1;
      if (rest > 0) taken.set(address, rest);
      else taken.delete(address);
    };
  };
  return { take, count: () => all };
}

/** One payment that is followed: its reader and its streams. */
type Channel = {
  readonly open: (signal: AbortSignal, endMs: number, leave: () => void) => Promise<Readable>;
  /** It has changed. */
  readonly wake: () => void;
  readonly tick: (nowMs: number) => void;
  /** Ends all streams, and those that are being opened. */
  readonly close: () => void;
};

type OpenStream = { readonly send: (text: string) => void; readonly end: () => void; readonly endMs: number };

/** `abandoned` is called when the last stream has ended, or could not be opened. */
function createChannel(read: Follower['read'], abandoned: () => void): Channel {
  const streams = new Set<OpenStream>();
  let opening = 0;
  let closed = false;
  let beatMs = performance.now();
  const abandonIfEmpty = (): void => {
    if (streams.size + opening === 0) abandoned();
  };
  const end = (): void => {
    for (const stream of [...streams]) stream.end();
  };
  const reader = createReader(read, streams, end);
  const wake = (): void => void reader.look().catch(() => {});
  return {
    wake,
    close: () => {
      closed = true;
      end();
    },
    tick: (nowMs) => {
      for (const stream of [...streams]) if (stream.endMs <= nowMs) stream.end();
      if (streams.size === 0) return;
      if (nowMs >= reader.dueMs()) wake();
      if (nowMs - beatMs < HEARTBEAT_MS) return;
      beatMs = nowMs;
      for (const stream of [...streams]) stream.send(': still here\n\n');
    },
    open: async (signal, endMs, leave) => {
      opening += 1;
      try {
        if (!signal.aborted) await reader.look();
        const { stream, controls } = createStream(endMs, () => {
          streams.delete(controls);
          leave();
          abandonIfEmpty();
        });
        streams.add(controls);
        controls.send(`retry: ${RETRY_MS}\n${messageOf(reader.text())}`);
        signal.addEventListener('abort', controls.end, { once: true });
        // Aborted before we listened: no event would follow.
        if (signal.aborted || closed) controls.end();
        return stream;
      } finally {
        opening -= 1;
        abandonIfEmpty();
      }
    },
  };
}

/** Reads the payment and tells all its streams what differs from the last read; a failure ends them. */
function createReader(read: Follower['read'], streams: ReadonlySet<OpenStream>, end: () => void) {
  let state = { text: '', settled: true };
  let readMs = performance.now();
  const look = createLook(async () => {
    try {
      const seen = await read();
      const text = JSON.stringify(seen);
      const changed = text !== state.text;
      state = { text, settled: seen.status !== 'confirming' };
      if (changed) for (const stream of [...streams]) stream.send(messageOf(text));
    } catch (error) {
      end(); // The clients connect again; what can't be read should not look alive.
      throw error;
    } finally {
      readMs = performance.now();
    }
  });
  return {
    look,
    text: (): string => state.text,
    dueMs: (): number => readMs + (state.settled ? IDLE_REFRESH_MS : REFRESH_MS),
  };
}

const messageOf = (text: string): string => `event: payment\ndata: ${text}\n\n`;

function createStream(endMs: number, ended: () => void): { readonly stream: Readable; readonly controls: OpenStream } {
  const stream = new Readable({ read: () => {} });
  let over = false;
  const end = (): void => {
    if (over) return;
    over = true;
    if (!stream.destroyed) stream.push(null);
    ended();
  };
  const send = (text: string): void => {
    if (over) return;
    stream.push(text);
    if (stream.readableLength > UNREAD_MAX) stream.destroy();
  };
  stream.on('close', end);
  return { stream, controls: { send, end, endMs } };
}

/**
 * Runs `work` one at a time. A call during a run starts another one after it, which all such calls share, so each sees
 * what was true when it called.
 */
function createLook(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const start = (): Promise<void> => {
    next = null;
    const run = work().finally(() => {
      if (running === run) running = null;
    });
    running = run;
    return run;
  };
  return () => {
    if (!running) return start();
    next ??= running.catch(() => {}).then(start);
    return next;
  };
}
