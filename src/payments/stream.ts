import { Readable } from 'node:stream';
import type { Subscribe } from '../lib/channels.ts';

/** Comment lines keep proxies from closing a quiet stream. */
const HEARTBEAT_MS = 15_000;
/** Confirmations grow without a move of the payment, so an open page also looks by itself. */
const REFRESH_MS = 2000;

export type PaymentStream = {
  /** Server-sent events: the payment now, and again whenever it has changed, until `signal` is aborted. */
  readonly open: (paymentId: string, read: () => Promise<unknown>, signal: AbortSignal) => Readable;
  /** Ends every stream: the process is stopping. */
  readonly close: () => void;
};

/** Streams for the payers' pages, woken by notifications from whichever process moved the payment. */
export function createPaymentStream(subscribe: Subscribe): PaymentStream {
  const watchers = new Map<string, Set<() => void>>();
  const enders = new Set<() => void>();
  subscribe('kasi_payment', (id) => {
    for (const look of watchers.get(id) ?? []) look();
  });

  const open: PaymentStream['open'] = (paymentId, read, signal) => {
    const stream = new Readable({ read: () => {} });
    let last = '';
    let chain = Promise.resolve();
    const look = (): void => {
      chain = chain.then(async () => {
        const text = JSON.stringify(await read());
        if (text !== last && !stream.destroyed) stream.push(`event: payment\ndata: ${text}\n\n`);
        last = text;
      }, end);
      chain = chain.catch(end);
    };
    const heartbeat = setInterval(() => stream.push(': still here\n\n'), HEARTBEAT_MS);
    const refresh = setInterval(look, REFRESH_MS);
    const looking = watchers.get(paymentId) ?? new Set();
    watchers.set(paymentId, looking.add(look));
    function end(): void {
      clearInterval(heartbeat);
      clearInterval(refresh);
      looking.delete(look);
      if (looking.size === 0) watchers.delete(paymentId);
      enders.delete(end);
      if (!stream.destroyed) stream.push(null);
    }
    enders.add(end);
    signal.addEventListener('abort', end, { once: true });
    stream.on('close', end);
    look();
    return stream;
  };
  return { open, close: () => [...enders].forEach((end) => void end()) };
}
