import type pg from 'pg';

/**
 * Tells `onError` of each connection of a pool that is lost. Without a listener on the pool one that is idle then would
 * end the process, and without one on the client itself one that is in a transaction. Of a pool that is being closed
 * none is lost: a server that stops at the same time may say so before it has read the good-bye.
 */
export function expectLosses(pool: pg.Pool, onError: (error: Error) => void): void {
  const tell = (error: Error): void => void (pool.ending || onError(error));
  pool.on('error', tell);
  pool.on('connect', (client) => client.on('error', tell));
}
