import type { CDPSession } from 'playwright-core';

/** What a page has loaded so far. An event stream counts as a request without bytes: it does not end. */
export type Weight = {
  readonly requests: number;
  /** Bytes on the wire, with the headers of answers, without fonts. */
  readonly bytes: number;
  readonly fontBytes: number;
  /** Bytes as they are read: what was sent compressed is counted as it was before. */
  readonly plainBytes: number;
};

/** Follows what a page loads, from now on. */
export async function watchWeight(session: CDPSession): Promise<() => Weight> {
  const kinds = new Map<string, string>();
  const sizes = new Map<string, number>();
  session.on('Network.requestWillBeSent', ({ requestId, type, request }) => {
    if (!request.url.startsWith('data:')) kinds.set(requestId, type ?? '');
  });
  let plainBytes = 0;
  session.on('Network.dataReceived', ({ dataLength }) => {
    plainBytes += dataLength;
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    sizes.set(requestId, encodedDataLength);
  });
  await session.send('Network.enable');
  return () => {
    const loaded = [...sizes].filter(([id]) => kinds.has(id));
    const sum = (isFont: boolean): number =>
      loaded.reduce((all, [id, size]) => ((kinds.get(id) === 'Font') === isFont ? all + size : all), 0);
    return { requests: kinds.size, bytes: sum(false), fontBytes: sum(true), plainBytes };
  };
}
