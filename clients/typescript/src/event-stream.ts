import { startDeadline } from './deadline.ts';
import { KasiError } from './errors.ts';
import { failureOf } from './failures.ts';
import { longestPause, pause } from './retry.ts';
import type { CallOptions, Exchange, Transport } from './transport.ts';

/** The service sends a comment every 15 seconds; after three missed ones the connection is dead. */
const SILENCE_MAX_MS = 45_000;

/** Far more characters than any event has. */
const MESSAGE_MAX = 1_000_000;

/**
 * Yields the data of every server-sent event named `name`, parsed as JSON, for as long as it is read; what is the same as before is left
 * out. A connection that is lost, or that the service ends because it stops, is opened again, unless `maxRetries` is 0 or that many in a
 * row brought nothing: then the iteration ends as the last connection did. Leaving the loop closes the connection. Throws `KasiError`
 * like any call.
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

/** A connection that had begun broke off; where none could begin, that was tried often enough. */
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
    // Not every runtime ends the answer's body with the request's signal.
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
