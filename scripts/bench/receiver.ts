/** Takes webhooks on a free port, and tells its parent when the requested number of different ones has arrived. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const ids = new Set<string>();
let wanted = 0;

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.writeHead(204).end();
    ids.add(String(request.headers['webhook-id']));
    if (ids.size !== wanted) return;
    wanted = 0;
    process.send?.({ at: performance.timeOrigin + performance.now() });
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('message', (count: number) => {
  ids.clear();
  wanted = count;
  process.send?.({ counting: true });
});
process.on('disconnect', () => process.exit());
