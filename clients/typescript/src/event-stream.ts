import { startDeadline } from './deadline.ts';
import { KasiError } from './errors.ts';
import { failureOf } from './failures.ts';
import { longestPause, pause } from './retry.ts';
import type { CallOptions, Exchange, Transport } from './transport.ts';

/** The service sends a comment every 15 seconds; after three missing ones the connection counts as lost. */
const SILENCE_MAX_MS = 45_000;

/** Far more characters than any message has. */
const MESSAGE_MAX = 1_000_000;

/**
 * Yields the data of every server-sent event named `name`, parsed as JSON, without consecutive duplicates. Reconnects
 * when the connection is lost or the service shuts down. Ends as the last connection did once `maxRetries` connections
 * in a row brought nothing; with 0 it never reconnects. Leaving the loop closes the connection. Throws `KasiError` like
 * any call.
 */
export async function* followEvents<Data>(
  transport: Transport,
  exchange: Exchange,
  name: string,
  options: CallOptions = {},
): AsyncGenerator<Data, void, undefined> {
  const { maxRetries = transport.maxRetries, signal } = options;
  const patience = startDeadline(0, signal);
  let last: string | undefined;
  try {
    for (let idle = 0; ; idle += 1) {
      try {
        for await (const { text, data } of readConnection<Data>(transport, exchange, name, options)) {
          idle = 0;
          if (text !== last) yield data;
          last = text;
        }
        if (idle >= maxRetries) return;
      } catch (error) {
        if (idle >= maxRetries || !isLost(error)) throw error;
      }
      await pause(longestPause(idle + 1), patience.signal);
    }
  } finally {
    patience.clear();
  }
}

/** Whether an open connection was lost. Failures to connect have already been retried. */
const isLost = (error: unknown): boolean => error instanceof KasiError && error.status === 0 && error.attempts === 0;

async function* readConnection<Data>(
  transport: Transport,
  exchange: Exchange,
  name: string,
  options: CallOptions,
): AsyncGenerator<{ readonly text: string; readonly data: Data }, void, undefined> {
  const deadline = transport.start(options);
  let begun: Response | undefined;
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  try {
    const { data: stream, response } = await transport.begin({ ...exchange, parseAs: 'stream' }, deadline, options);
    begun = response;
    reader = (stream as ReadableStream<Uint8Array>).getReader();
    const decoder = new TextDecoder();
    let buffer = '';
    for (;;) {
      deadline.restart(SILENCE_MAX_MS);
      const { done, value } = await reader.read();
      if (done) return;
      deadline.restart(0); // How long the caller takes for an event is not silence of the service.
      buffer += decoder.decode(value, { stream: true }).replaceAll('\r', '');
      const messages = buffer.split('\n\n');
      buffer = messages.pop() ?? '';
      if (buffer.length > MESSAGE_MAX)
        throw new KasiError('UNEXPECTED_RESPONSE', 'An event does not end.', { status: 200 });
      for (const message of messages) {
        const text = dataOf(message, name);
        if (text !== '') yield { text, data: JSON.parse(text) as Data };
      }
    }
  } catch (error) {
    throw failureOf(error, deadline.signal, begun);
  } finally {
    deadline.clear();
    // In some runtimes the request's signal doesn't end the answer's body.
    reader?.cancel().catch(() => undefined);
    deadline.abort();
  }
}

/** The data of one message, empty when the message has another name or none. */
function dataOf(message: string, name: string): string {
  const valuesOf = (field: string): string[] =>
    message
      .split('\n')
      .filter((line) => line.startsWith(`${field}:`))
      .map((line) => line.slice(field.length + 1).replace(/^ /, ''));
  return valuesOf('event').at(-1) === name ? valuesOf('data').join('\n') : '';
}
