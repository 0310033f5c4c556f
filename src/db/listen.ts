import pg from 'pg';
import { CHANNELS, type Channel, type Subscribe } from '../lib/channels.ts';

const RECONNECT_MS = 500;

export type Listener = {
  /** Calls `handle` with the payload of every NOTIFY on `channel`. The returned function unsubscribes. */
  readonly on: Subscribe;
  /** Calls `handle` after a reconnect: notifications may have been missed. */
  readonly onGap: (handle: () => void) => void;
  readonly stop: () => Promise<void>;
};

/** One connection that listens on all channels and reconnects by itself. */
export async function startListener(url: string, onError: (error: Error) => void): Promise<Listener> {
  const handlers = new Map<Channel, Set<(payload: string) => void>>(CHANNELS.map((channel) => [channel, new Set()]));
  const gapHandlers: (() => void)[] = [];
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const connect = async (): Promise<void> => {
    const next = new pg.Client({
      connectionString: url,
      application_name: 'kasi-listen',
      connectionTimeoutMillis: 5000,
      keepAlive: true,
    });
    next.on('error', onError);
    next.on('end', () => {
      if (!stopped && client === next) reconnectSoon();
    });
    next.on('notification', ({ channel, payload }) => {
      for (const handle of handlers.get(channel as Channel) ?? []) handle(payload ?? '');
    });
    client = next;
    await next.connect();
    await next.query(CHANNELS.map((channel) => `listen ${channel}`).join('; '));
  };

  const reconnectSoon = (): void => {
    clearTimeout(timer); // A failed connect reports itself twice.
    timer = setTimeout(() => {
      connect().then(
        () => gapHandlers.forEach((handle) => void handle()),
        (error: Error) => {
          onError(error);
          if (!stopped) reconnectSoon();
        },
      );
    }, RECONNECT_MS);
  };

  await connect();
  return {
    on: (channel, handle) => {
      handlers.get(channel)?.add(handle);
      return () => void handlers.get(channel)?.delete(handle);
    },
    onGap: (handle) => void gapHandlers.push(handle),
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await client?.end();
    },
  };
}
