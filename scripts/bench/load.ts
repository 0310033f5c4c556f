import { connect, type OnReadOpts } from 'node:net';
import { inLanes } from '../../src/lib/in-parallel.ts';
import type { Load } from './cpu.ts';

export type LoadRequest = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, or nothing. */
  readonly body?: string;
};

export type LoadOptions = {
  /** How many connections send one request after the other. */
  readonly connections: number;
  readonly seconds: number;
};

/** Reads `path` as the holder of an access token. */
export const readAs = (token: string, path: string): LoadRequest => ({
  ...{ method: 'GET', path },
  headers: { authorization: `Bearer ${token}` },
});

/** Posts JSON to `path` as the holder of an access token. */
export const postAs = (token: string, path: string, body: unknown): LoadRequest => ({
  ...{ method: 'POST', path, body: JSON.stringify(body) },
  headers: { authorization: `Bearer ${token}` },
});

const LARGEST_PIECE = 65_536;
const HEAD_ENDS = '\r\n\r\n';

/**
 * Sends requests to `origin` as fast as they are answered, for a while. `next` makes each; a request that is given
 * itself is sent again and again. Throws unless every answer is 2xx. The client runs on the cores that it measures, so
 * it does as little as it can: bytes on sockets, of which it reads the status and the length.
 */
export async function load(
  origin: string,
  next: LoadRequest | (() => LoadRequest),
  { connections, seconds }: LoadOptions,
): Promise<Load> {
  const { hostname, port, host } = new URL(origin);
  const again = typeof next === 'function' ? undefined : bytesOf(next, host);
  const bytes = (): Buffer => again ?? bytesOf((next as () => LoadRequest)(), host);
  const began = performance.now();
  const until = began + seconds * 1000;
  let requests = 0;
  const send = async (): Promise<void> => {
    const { ask, close } = openConnection(hostname, Number(port));
    try {
      for (; performance.now() < until; requests += 1) await ask(bytes());
    } finally {
      close();
    }
  };
  await inLanes(connections, send);
  return { requests, perSecond: (requests * 1000) / (performance.now() - began) };
}

function bytesOf({ method, path, headers, body = '' }: LoadRequest, host: string): Buffer {
  const typed = body === '' ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const lines = Object.entries({ host, ...headers, ...typed }).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from([`${method} ${path} HTTP/1.1`, ...lines].join('\r\n') + HEAD_ENDS + body);
}

/** A connection of HTTP/1.1 on which one request is answered before the next is sent. */
function openConnection(host: string, port: number) {
  let answer = '';
  let waiting: PromiseWithResolvers<void> | undefined;
  const read = (piece: string): void => {
    answer += piece;
    if (!isWhole(answer)) return;
    if (answer.startsWith('HTTP/1.1 2')) waiting?.resolve();
    else waiting?.reject(new Error(`the load was answered: ${answer}`));
    answer = '';
  };
  const onread: OnReadOpts = {
    buffer: Buffer.allocUnsafe(LARGEST_PIECE),
    callback: (bytes, buffer) => {
      // Read as Latin-1, a character is a byte, so that lengths can be compared.
      read((buffer as Buffer).toString('latin1', 0, bytes));
      return true;
    },
  };
  const socket = connect({ host, port, noDelay: true, onread });
  socket.on('error', (error) => waiting?.reject(error));
  socket.on('close', () => waiting?.reject(new Error('the connection was closed before the answer')));
  return {
    ask: (request: Buffer): Promise<void> => {
      waiting = Promise.withResolvers();
      socket.write(request);
      return waiting.promise;
    },
    close: (): void => {
      waiting = undefined;
      socket.destroy();
    },
  };
}

/** Whether an answer has all of the bytes that its head promises. */
function isWhole(answer: string): boolean {
  const end = answer.indexOf(HEAD_ENDS);
  if (end < 0) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(answer)?.[1];
  if (length === undefined) throw new Error(`an answer without a length: ${answer}`);
  return answer.length >= end + HEAD_ENDS.length + Number(length);
}
