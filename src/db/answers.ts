import type pg from 'pg';

type Query = (
  config: unknown,
  values: unknown,
  done: (error: Error | null | undefined, result: unknown) => void,
) => void;

/**
 * Destroys a connection whose query has had no answer for `withinMs`. Choose it beyond the server's own limits; then no
 * answer means that the server is gone or unreachable. The query fails with "read timeout", and the pool discards the
 * connection. (pg's `query_timeout` would return it to the pool, where the next query waits behind the lost one.)
 *
 * Of a transaction's statements that are sent as one, each may take that long: the answers come together.
 *
 * Calls pg with callbacks: only a full garbage collection frees what pg's promises and its own timeout leave behind,
 * and between two of those a busy process grew by some 15 kB per request.
 */
export function expectAnswers(client: pg.PoolClient, withinMs: number): void {
  const query = client.query.bind(client) as unknown as Query;
  client.query = ((config: unknown, values?: unknown) =>
    new Promise((resolve, reject) => {
      const giveUp = () => client.connection.stream.destroy(new Error('read timeout: the database does not answer'));
      const timer = setTimeout(giveUp, withinMs * patienceOf(config));
      query(config, values, (error, result) => {
        clearTimeout(timer);
        if (error) reject(error);
        else resolve(result);
      });
    })) as typeof client.query;
}

const patienceOf = (config: unknown): number => (config as { readonly patience?: number }).patience ?? 1;
