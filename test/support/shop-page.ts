import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A shop's website, which is reached under two names: two origins, of which one is another site than `localhost`. */
export type ShopPage = {
  /** `http://127.0.0.1:…`. */
  readonly origin: string;
  /** The same server as `http://localhost:…`. */
  readonly sister: string;
  /** What the page has in its body. */
  readonly show: (body: string) => void;
  readonly close: () => Promise<void>;
};

/** Its page may load scripts and frames from the checkout's origin, and has neither inline script nor inline style. */
export async function startShopPage(checkout: string): Promise<ShopPage> {
  let body = '';
  const policy = `default-src 'none'; script-src ${checkout}; frame-src ${checkout}; style-src 'self'; img-src data:; base-uri 'none'`;
  const server = createServer((request, response) => {
    const isPage = request.url?.startsWith('/style.css') !== true;
    response.writeHead(200, {
      'content-type': isPage ? 'text/html; charset=utf-8' : 'text/css',
      'content-security-policy': policy,
    });
    response.end(isPage ? page(body) : STYLE);
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const { port, address } = server.address() as AddressInfo;
  if (address !== '127.0.0.1') throw new Error(`localhost is ${address} here, not 127.0.0.1`);
  return {
    origin: `http://127.0.0.1:${port}`,
    sister: `http://localhost:${port}`,
    show: (next) => {
      body = next;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

const page = (body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Ceylon Tea House</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
</head>
<body><main><h1>Your cart</h1>${body}<div class="tall">The rest of the shop</div></main></body>
</html>`;

const STYLE = `body { font: 1rem system-ui; color-scheme: light dark; background: Canvas; color: CanvasText; }
.tall { height: 2000px; }`;
