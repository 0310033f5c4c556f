/** Misbehaving endpoints on free ports, in their own process; sends their URLs to its parent. */
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { SELF_SIGNED } from './self-signed.ts';

const MEGABYTE = Buffer.alloc(1024 * 1024, 'x');
const HUGE_MEGABYTES = 10;

const BEHAVIOURS: Readonly<Record<string, RequestListener>> = {
  hangs: () => undefined,
  drips: (_request, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('.'), 1000);
    response.on('close', () => clearInterval(timer));
  },
  floods: (_request, response) => {
    response.writeHead(200);
    for (let sent = 0; sent < HUGE_MEGABYTES; sent += 1) response.write(MEGABYTE);
    response.end();
  },
  resets: (request) => void request.socket.resetAndDestroy(),
};

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
};

const urls: string[] = [];
for (const [name, behave] of Object.entries(BEHAVIOURS)) {
  urls.push(`http://127.0.0.1:${await listen(createServer(behave))}/${name}`);
}
urls.push(
  `https://127.0.0.1:${await listen(createTlsServer(SELF_SIGNED, (_request, response) => response.end()))}/untrusted`,
);
process.send?.({ urls });
process.on('disconnect', () => process.exit());
