/** Takes webhooks on a free port, and tells its parent when the requested number of different ones has arrived. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Expected } from './deliver-webhooks.ts';

const ids = new Set<string>();
let wanted = 0;
let afterMs = 0;

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    const answer = (): void => void response.writeHead(204).end();
    if (afterMs === 0) answer();
    else setTimeout(answer, afterMs);
    ids.add(String(request.headers['webhook-id']));
    if (ids.size !== wanted) return;
    wanted = 0;
    process.send?.({ at: performance.timeOrigin + performance.now() });
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('message', ({ count, answerAfterMs }: Expected) => {
  ids.clear();
  wanted = count;
  afterMs = answerAfterMs;
  process.send?.({ counting: true });
});
process.on('disconnect', () => process.exit());
