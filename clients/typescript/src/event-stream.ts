import { KasiError } from './errors.ts';
import { failureOf } from './failures.ts';
import type { CallOptions, Exchange, Transport } from './transport.ts';

/** The service sends a comment every 15 seconds; after three missed ones the connection is dead. */
const SILENCE_MAX_MS = 45_000;

/** Far more characters than any event has. */
const MESSAGE_MAX = 1_000_000;

/**
 * Yields the data of every server-sent event named `name`, parsed as JSON, until the service ends the stream. Leaving the loop
 * closes the connection. Throws `KasiError` like any call, `NETWORK_ERROR` or `TIMEOUT` when the connection is lost.
 */
export async function* readEvents<Data>(
  transport: Transport,
  exchange: Exchange,
  name: string,
  options: CallOptions | undefined,
): AsyncGenerator<Data, void, undefined> {
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
        const data = dataOf(message, name);
        if (data !== '') yield JSON.parse(data) as Data;
      }
    }
  } catch (error) {
    throw failureOf(error, deadline.signal, begun);
  } finally {
    deadline.clear();
    deadline.abort();
    // Not every runtime ends the answer's body with the request's signal.
    reader?.cancel().catch(() => undefined);
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
