import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { endSoon, PATIENT, type SilenceOptions, watchSilence } from './silence.ts';

type Row = Readonly<Record<string, unknown>>;

/** One connection that reads and writes whole tables. Its statements have no timeouts: a table takes its time. */
export type Copying = {
  readonly query: <T extends Row>(text: string, values?: readonly unknown[]) => Promise<T[]>;
  /** The bytes of `copy … to stdout`. */
  readonly copyOut: (text: string) => Readable;
  /** Runs `copy … from stdin` on these bytes; returns the number of rows. */
  readonly copyIn: (text: string, bytes: AsyncIterable<Buffer>) => Promise<number>;
};

/** What bytes of `copy` look like must not hang on the settings of a server or of a role. */
const SETTINGS = [
  ...['statement_timeout=0', 'idle_in_transaction_session_timeout=0', 'transaction_timeout=0', 'lock_timeout=10s'],
  ...['client_encoding=UTF8', 'DateStyle=ISO', 'IntervalStyle=postgres', 'bytea_output=hex', 'TimeZone=UTC'],
  // A scan that joins another one in the middle of the table would read the rows in another order.
  ...['extra_float_digits=3', 'synchronize_seqscans=off'],
];
/** PostgreSQL 17 brought it. */
const NEWER = 'transaction_timeout';

/**
 * Runs `work` on a connection of its own, which is closed afterwards: what it did not commit is gone. `signal` ends the
 * connection at once, whatever it waits for.
 */
export async function withCopying<T>(
  url: string,
  applicationName: string,
  work: (db: Copying) => Promise<T>,
  { signal, ...options }: SilenceOptions & { readonly signal?: AbortSignal | undefined } = {},
): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: applicationName, ...PATIENT });
  let lost: Error | undefined;
  // The first says why. After it comes one that says only that the connection has ended.
  client.on('error', (error) => {
    lost ??= error;
  });
  await client.connect();
  const stop = (): unknown => client.connection.stream.destroy(signal?.reason);
  if (signal?.aborted) stop();
  else signal?.addEventListener('abort', stop, { once: true });
  let filled: Writable | undefined;
  const isOurTurn = (): boolean =>
    !!filled && !filled.writableEnded && !filled.destroyed && filled.writableLength === 0;
  const endWatch = watchSilence(client, url, { ...options, isOurTurn });
  try {
    await client.query(
      `select set_config(split_part(setting, '=', 1), split_part(setting, '=', 2), false)
      from unnest($1::text[]) as setting
     where split_part(setting, '=', 1) <> $2 or current_setting('server_version_num')::int >= 170000`,
      [SETTINGS, NEWER],
    );
    return await work({
      query: async <T extends Row>(text: string, values: readonly unknown[] = []) =>
        (values.length > 0 ? await client.query<T>(text, [...values]) : await client.query<T>(text)).rows,
      copyOut: (text) => client.query(copyTo(text)),
      copyIn: async (text, bytes) => {
        const stream = client.query(copyFrom(text));
        filled = stream as Writable;
        await pipeline(bytes, filled);
        return stream.rowCount;
      },
    });
  } catch (error) {
    throw lost ?? error;
  } finally {
    signal?.removeEventListener('abort', stop);
    endWatch();
    await endSoon(client);
  }
}
