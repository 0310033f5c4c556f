import type pg from 'pg';
import { type Complaint, followUse, wireOf } from './in-use.ts';

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
  const inUse = followUse(pool);
  const ended = new WeakSet<pg.PoolClient>();
  pool.on('release', (_error, client) => {
    if (!ended.has(client)) return;
    // The pool keeps none that is being ended, and who waits for one need not wait for the server.
    void client.end();
    client.connection.stream.destroy();
  });
  pool.on('connect', (client) => {
    const wire = wireOf(client);
    const { stream } = client.connection;
    const heard = wire.listeners('errorMessage');
    const tell = (complaint: Complaint): void => {
      for (const listener of heard) listener.call(wire, complaint);
    };
    wire.removeAllListeners('errorMessage');
    wire.on('errorMessage', (complaint: Complaint) => {
      if (!isFarewell(complaint) || !inUse.get(client)) return tell(complaint);
      ended.add(client);
      stream.prependOnceListener('close', () => tell(complaint));
    });
  });
}

/** Whether a server says by this that it closes the connection. */
export const isFarewell = ({ severity, code = '' }: Complaint): boolean => severity === 'FATAL' || FAREWELL.test(code);
