import type pg from 'pg';

type Query = (
  config: unknown,
  values: unknown,
  done: (error: Error | null | undefined, result: unknown) => void,
) => void;

/**
 * Gives a connection up when a query has had no answer after `withinMs`: chosen beyond the server's own limits, that means that the server
 * is gone or out of reach. The query fails with "read timeout", and the pool lets the connection go. (pg's `query_timeout` would put it
 * back into the pool, where the next query waits behind the lost one.)
 *
 * pg is given callbacks: what its promises and its own timeout leave behind is freed only by a full collection of garbage, and between
 * two of those a busy process grew by some 15 kB a request.
 */
export function expectAnswers(client: pg.PoolClient, withinMs: number): void {
  const query = client.query.bind(client) as unknown as Query;
  client.query = ((config: unknown, values?: unknown) =>
    new Promise((resolve, reject) => {
      const giveUp = () => client.connection.stream.destroy(new Error('read timeout: the database does not answer'));
      const timer = setTimeout(giveUp, withinMs);
      query(config, values, (error, result) => {
        clearTimeout(timer);
        if (error) reject(error);
        else resolve(result);
      });
    })) as typeof client.query;
}
