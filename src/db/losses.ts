import type pg from 'pg';

/**
 * Tells `onError` of each connection of a pool that is lost. Without a listener on the pool one that is idle then would
 * end the process, and without one on the client itself one that is in a transaction.
 */
export function expectLosses(pool: pg.Pool, onError: (error: Error) => void): void {
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
}
