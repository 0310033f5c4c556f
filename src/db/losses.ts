import type { EventEmitter } from 'node:events';
import type pg from 'pg';

/** What a server says before it closes a connection, where its words are not English. */
const FAREWELL = /^(25P0[34]|57P)/;

/**
 * Tells `onError` of each connection of a pool that is lost. Without a listener on the pool one that is idle then would
 * end the process, and without one on the client itself one that is in a transaction. Of a pool that is being closed
 * none is lost: a server that stops at the same time may say so before it has read the good-bye.
 */
export function expectLosses(pool: pg.Pool, onError: (error: Error) => void): void {
  const tell = (error: Error): void => void (pool.ending || onError(error));
  pool.on('error', tell);
  pool.on('connect', (client) => client.on('error', tell));
  hearFarewellsLast(pool);
}

/**
 * Has pg hear the farewell of a server on a connection in use only when that is closed, a moment later. Until then the
 * pool would give the connection to the next who waits for one, and the server holds what was locked over it: it lets
 * go of that before it closes. See decision db/ended-connections-are-left.
 */
function hearFarewellsLast(pool: pg.Pool): void {
  const busy = new WeakSet<pg.PoolClient>();
  pool.on('acquire', (client) => void busy.add(client));
  pool.on('release', (_error, client) => void busy.delete(client));
  pool.on('connect', (client) => {
    const { connection } = client as unknown as { readonly connection: EventEmitter };
    const { stream } = client.connection;
    const heard = connection.listeners('errorMessage');
    const tell = (message: Message): void => {
      for (const listener of heard) listener.call(connection, message);
    };
    connection.removeAllListeners('errorMessage');
    connection.on('errorMessage', (message: Message) => {
      if (isFarewell(message) && busy.has(client)) stream.prependOnceListener('close', () => tell(message));
      else tell(message);
    });
  });
}

type Message = { readonly severity?: string; readonly code?: string };

const isFarewell = ({ severity, code = '' }: Message): boolean => severity === 'FATAL' || FAREWELL.test(code);
