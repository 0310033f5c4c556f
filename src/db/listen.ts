import pg from 'pg';
import { CHANNELS, type Channel, type Subscribe } from '../lib/channels.ts';

const RECONNECT_MS = 500;
const ANSWER_WITHIN_MS = 5000;
/** A server that is gone without a word is noticed some ten seconds after this silence. */
const KEEP_ALIVE_AFTER_MS = 10_000;

export type Listener = {
  /** Calls `handle` with the payload of every NOTIFY on `channel`. The returned function unsubscribes. */
  readonly on: Subscribe;
  /** Calls `handle` after a reconnect: notifications may have been missed. */
  readonly onGap: (handle: () => void) => void;
  /** How often it has connected anew since the process began. */
  readonly countGaps: () => number;
  /** Whether it is connected, as far as it knows, and what is sent now is heard. */
  readonly isListening: () => boolean;
  /** Connects anew, as after a lost connection. */
  readonly renew: () => void;
  readonly stop: () => Promise<void>;
};

/** Ends a connection without a word, because the other side may be gone. */
const drop = (client: pg.Client | undefined): void =>
  void client?.connection.stream.destroy(new Error('no notification comes back'));

const newClient = (url: string): pg.Client =>
  new pg.Client({
    connectionString: url,
    application_name: 'kasi-listen',
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
  });

async function beginToListen(client: pg.Client): Promise<void> {
  try {
    await client.connect();
    await client.query(CHANNELS.map((channel) => `listen ${channel}`).join('; '));
  } catch (error) {
    drop(client);
    throw error;
  }
}

/** What is to be called for each channel. */
function createHandlers() {
  const all = new Map<Channel, Set<(payload: string) => void>>(CHANNELS.map((channel) => [channel, new Set()]));
  const on: Subscribe = (channel, handle) => {
    all.get(channel)?.add(handle);
    return () => void all.get(channel)?.delete(handle);
  };
  const notify = ({ channel, payload }: pg.Notification): void => {
    for (const handle of all.get(channel as Channel) ?? []) handle(payload ?? '');
  };
  return { on, notify };
}

/**
 * One connection that listens on all channels and reconnects by itself. The URL is of PostgreSQL itself: a pooler in
 * transaction mode takes the LISTEN and forgets it.
 */
export async function startListener(url: string, onError: (error: Error) => void): Promise<Listener> {
  const handlers = createHandlers();
  const gapHandlers: (() => void)[] = [];
  let gaps = 0;
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let [isListening, stopped] = [false, false];

  const connect = async (): Promise<void> => {
    const next = newClient(url);
    // One that is being closed is not lost, whatever a server says that stops at the same time.
    next.on('error', (error) => void (stopped || onError(error)));
    next.on('end', () => {
      if (client !== next) return;
      isListening = false;
      if (!stopped) reconnectSoon();
    });
    next.on('notification', handlers.notify);
    client = next;
    await beginToListen(next);
    isListening = true;
  };

  const reconnectSoon = (): void => {
    clearTimeout(timer); // A failed connect reports itself twice.
    timer = setTimeout(() => {
      connect().then(
        () => {
          gaps += 1;
          for (const handle of gapHandlers) handle();
        },
        (error: Error) => {
          onError(error);
          if (!stopped) reconnectSoon();
        },
      );
    }, RECONNECT_MS);
  };

  await connect().catch((error: unknown) => {
    stopped = true; // Nothing connects again for a process that does not start.
    throw error;
  });
  return {
    on: handlers.on,
    onGap: (handle) => void gapHandlers.push(handle),
    countGaps: () => gaps,
    isListening: () => isListening,
    renew: () => {
      isListening = false;
      drop(client);
    },
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await client?.end();
    },
  };
}
