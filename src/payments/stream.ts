import { Readable } from 'node:stream';
import type { Subscribe } from '../lib/channels.ts';

/** Comment lines keep proxies from closing a quiet stream. */
const HEARTBEAT_MS = 15_000;
/** Confirmations grow without a move of the payment, so an open page is also refreshed at this interval. */
const REFRESH_MS = 2000;
/** A reader that leaves more bytes than this unread is gone, or attacks our memory: its stream is destroyed. */
const UNREAD_MAX = 64 * 1024;

export type PaymentStream = {
  /**
   * Server-sent events: the payment now, and again after each change, until `signal` is aborted. Changes during a read
   * cause one more read.
   */
  readonly open: (paymentId: string, read: () => Promise<unknown>, signal: AbortSignal) => Readable;
  /** Ends every stream: the process is stopping. */
  readonly close: () => void;
};

/** Streams for the payers' pages, woken by notifications from the process that moved the payment. */
export function createPaymentStream(subscribe: Subscribe): PaymentStream {
  const watchers = new Map<string, Set<() => void>>();
  const enders = new Set<() => void>();
  subscribe('kasi_payment', (id) => {
    for (const look of watchers.get(id) ?? []) look();
  });

  const open: PaymentStream['open'] = (paymentId, read, signal) => {
    const stream = new Readable({ read: () => {} });
    let ended = false;
    const send = (text: string): void => {
      if (ended) return;
      stream.push(text);
      if (stream.readableLength > UNREAD_MAX) stream.destroy();
    };
    const look = createLook(read, (text) => send(`event: payment\ndata: ${text}\n\n`), end);
    const heartbeat = setInterval(() => send(': still here\n\n'), HEARTBEAT_MS);
    const refresh = setInterval(look, REFRESH_MS);
    const looking = watchers.get(paymentId) ?? new Set();
    watchers.set(paymentId, looking.add(look));
    function end(): void {
      if (ended) return;
      ended = true;
      clearInterval(heartbeat);
      clearInterval(refresh);
      looking.delete(look);
      if (looking.size === 0 && watchers.get(paymentId) === looking) watchers.delete(paymentId);
      enders.delete(end);
      if (!stream.destroyed) stream.push(null);
    }
    enders.add(end);
    signal.addEventListener('abort', end, { once: true });
    stream.on('close', end);
    if (signal.aborted)
      end(); // Aborted before we listened: no event would follow.
    else look();
    return stream;
  };
  return { open, close: () => [...enders].forEach((end) => void end()) };
}

/** Reads one at a time and emits what differs from the last read; a failure ends the stream. */
function createLook(read: () => Promise<unknown>, emit: (text: string) => void, fail: () => void): () => void {
  let last = '';
  let wanted = false;
  let busy = false;
  const run = async (): Promise<void> => {
    while (wanted) {
      wanted = false;
      const text = JSON.stringify(await read());
      if (text !== last) emit(text);
      last = text;
    }
  };
  return () => {
    wanted = true;
    if (busy) return;
    busy = true;
    run()
      .catch(fail)
      .finally(() => {
        busy = false;
      });
  };
}
