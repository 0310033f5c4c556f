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
  leaveEnded(pool);
}

/**
 * Closes a connection in use on which the server has said that it ends it. It does so a moment later, and until then
 * the pool would give that connection to the next who waits for one. Not within a transaction that was begun: its
 * rollback waits for the end of the connection, by which the server has let go of what was locked.
 */
function leaveEnded(pool: pg.Pool): void {
  const busy = new WeakSet<pg.PoolClient>();
  pool.on('acquire', (client) => void busy.add(client));
  pool.on('release', (_error, client) => void busy.delete(client));
  pool.on('connect', (client) => {
    const { connection } = client as unknown as { readonly connection: EventEmitter };
    connection.on('errorMessage', ({ severity, code = '' }: { readonly severity?: string; readonly code?: string }) => {
      const isEnded = severity === 'FATAL' || FAREWELL.test(code);
      const isBegun = client.getTransactionStatus() === 'T' || client.getTransactionStatus() === 'E';
      if (isEnded && !isBegun && busy.has(client))
        client.connection.stream.destroy(new Error('connection ended by the server'));
    });
  });
}
