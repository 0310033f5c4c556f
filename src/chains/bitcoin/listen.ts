import { setTimeout as sleep } from 'node:timers/promises';
import type * as Zmq from 'zeromq';
import { SECOND_MS } from '../../lib/clock.ts';
import { messageOf } from '../../lib/errors.ts';

/** What Bitcoin Core publishes: blocks, and transactions that come, go, or are mined. Hashes alone. */
const TOPICS = ['hashblock', 'hashtx', 'sequence'];
/** A message of these topics is shorter; the connection of a publisher who sends more is closed, and opened again. */
const MESSAGE_BYTES_MAX = 1024;
/** What waits unread beyond this is dropped: one of a thousand hints will do. */
const UNREAD_MAX = 16;
const READ_EVERY_MS = 50;
const RECONNECT_MAX_MS = 10 * SECOND_MS;
const OPEN_AGAIN_MS = SECOND_MS;
const HEARTBEAT_MS = 15 * SECOND_MS;

const MISSING =
  'the package zeromq can not be loaded here, so nothing is heard; run npm ci with optional packages, or take zmq out';

/**
 * Hears what nodes publish by ZeroMQ, and never looks into it: who listens asks the chain. Connects again and again.
 */
export const listenTo =
  (network: string, urls: readonly string[], load: Load = () => import('zeromq')) =>
  (hear: () => void, log: (message: string) => void): (() => void) => {
    const ended = new AbortController();
    const say = (message: string): void => {
      if (!ended.signal.aborted) log(`${network}: zmq: ${message}. Its chain is asked as often as without`);
    };
    void open(urls, load, { hear, say, ended: ended.signal }).catch((error: unknown) => say(messageOf(error)));
    return () => ended.abort();
  };

type Library = Pick<typeof Zmq, 'Subscriber'>;
type Load = () => Promise<Library>;

type Listener = {
  readonly hear: () => void;
  readonly say: (message: string) => void;
  readonly ended: AbortSignal;
};

/** The library is native, a program for each system, and loaded only where it is needed. */
async function open(urls: readonly string[], load: Load, listener: Listener): Promise<void> {
  const zmq = await load().catch((error: unknown) => {
    throw new Error(`${MISSING} (${messageOf(error)})`);
  });
  await Promise.all(urls.map((url) => follow(url, zmq, listener)));
}

/** One connection after the other: the library itself gives a publisher up that has broken the protocol once. */
async function follow(url: string, zmq: Library, listener: Listener): Promise<void> {
  const { ended, say } = listener;
  const trouble = tellOnce(url, say);
  while (!ended.aborted) {
    const socket = new zmq.Subscriber({
      ...{ receiveHighWaterMark: UNREAD_MAX, maxMessageSize: MESSAGE_BYTES_MAX, linger: 0 },
      ...{ reconnectMaxInterval: RECONNECT_MAX_MS, heartbeatInterval: HEARTBEAT_MS },
    });
    const close = (): void => socket.close();
    ended.addEventListener('abort', close);
    socket.events.on('connect:retry', trouble.is);
    socket.events.on('disconnect', () => {
      trouble.is();
      close();
    });
    try {
      socket.subscribe(...TOPICS);
      socket.connect(url);
      for await (const _ of socket) {
        trouble.isOver();
        listener.hear();
        // A flood is read no faster than this.
        await sleep(READ_EVERY_MS);
      }
    } catch (error) {
      say(`${url}: ${messageOf(error)}`);
    } finally {
      ended.removeEventListener('abort', close);
      close();
    }
    await sleep(OPEN_AGAIN_MS, undefined, { signal: ended }).catch(() => undefined);
  }
}

/** Says once that a publisher is not there, until it was heard. */
function tellOnce(url: string, say: Listener['say']): { readonly is: () => void; readonly isOver: () => void } {
  let told = false;
  return {
    is: () => {
      if (!told) say(`${url} can not be heard, and is tried again`);
      told = true;
    },
    isOver: () => {
      told = false;
    },
  };
}
