import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkoutPages } from '../../src/checkout/pages/pages.ts';
import { compressed } from '../../src/http/compress.ts';
import { qrSvg } from '../../src/payments/qr.ts';
import type { Page, PageCall } from '../../src/ports/page.ts';
import { type PageStore, pageDeps } from './page-deps.ts';
import { NOW, type publicPayment } from './public-payment.ts';

type PublicPayment = ReturnType<typeof publicPayment>;

const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
  "form-action 'self'; frame-ancestors 'none'; base-uri 'none'";
/** A policy stricter than the service's own: what works under it works there. */
const HEADERS = {
  'content-security-policy': CSP,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** The hosted pages on their own server, without the service: the test changes what they show. */
export type PageServer = PageStore & {
  readonly url: string;
  /** The requests to the server: `GET /checkout/payment/pay_…`. */
  readonly requests: string[];
  /** Advances the business clock. */
  readonly setNow: (now: Date) => void;
  /** Ends every stream and refuses new ones, or allows them again. */
  readonly setStreaming: (streaming: boolean) => void;
  readonly close: () => Promise<void>;
};

type Options = {
  readonly livemode?: boolean;
  /** By what address payers reach the pages; the server's own without. */
  readonly publicUrl?: string;
};

export async function startPageServer(options: Options = {}): Promise<PageServer> {
  const followers = new Map<ServerResponse, string>();
  const payments = new Map<string, PublicPayment>();
  const put = (payment: PublicPayment): void => {
    payments.set(payment.id, payment);
    for (const [follower, id] of followers) if (id === payment.id) follower.write(message(payment));
  };
  const maps = { subscriptions: new Map(), plans: new Map() };
  const store: PageStore = { payments, put, ...maps, customer: [], calls: [], errors: [], failure: null };
  const state: State & { streaming: boolean } = { now: NOW, streaming: true, pages: [], lostPage: null };
  const requests: string[] = [];

  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    answer(request, response).catch((error: unknown) => {
      store.errors.push(error);
      response.writeHead(500).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  Object.assign(state, checkoutPages(pageDeps(store, options.publicUrl ?? url, options.livemode ?? true)));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', url).pathname;
    const [, id, what] = /^\/v1\/public\/payments\/([^/]+)\/(events|qr\.svg)$/.exec(path) ?? [];
    const payment = payments.get(id ?? '');
    if (payment && what === 'qr.svg') {
      response
        .writeHead(200, { 'content-type': 'image/svg+xml', 'cache-control': 'no-store' })
        .end(await qrSvg(payment.paymentUri));
    } else if (payment && state.streaming) {
      response
        .writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
        .write(message(payment));
      followers.set(response, payment.id);
      response.on('close', () => followers.delete(response));
    } else {
      await answerPage(request, response, state);
    }
  }

  return Object.assign(store, {
    url,
    requests,
    setNow: (now: Date) => void Object.assign(state, { now }),
    setStreaming: (streaming: boolean) => {
      state.streaming = streaming;
      if (!streaming) for (const follower of followers.keys()) follower.end();
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  });
}

const message = (payment: PublicPayment): string => `event: payment\ndata: ${JSON.stringify(payment)}\n\n`;

type State = { readonly pages: readonly Page[]; readonly lostPage: Page['handle'] | null; readonly now: Date };

/** Browsers get the page for lost addresses where there is no other. */
async function answerPage(request: IncomingMessage, response: ServerResponse, state: State): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  for (const page of state.pages) {
    const params = match(`/checkout${page.path}`, pathname);
    if (page.method === request.method && params) return sendPage(page, params, state.now, request, response);
  }
  if (!state.lostPage || !request.headers.accept?.includes('text/html')) return void response.writeHead(404).end();
  return sendPage({ handle: state.lostPage }, {}, state.now, request, response);
}

async function sendPage(
  page: Pick<Page, 'handle' | 'isPersonal'>,
  params: Record<string, string>,
  now: Date,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const target = new URL(request.url ?? '/', 'http://localhost');
  const form = Object.fromEntries(new URLSearchParams(await text(request)));
  const origin = { ip: '127.0.0.1', userAgent: request.headers['user-agent'] ?? '', requestId: 'req-8f14e45fceea' };
  const { cookie = '', 'accept-language': acceptLanguage = '' } = request.headers;
  const asked = { path: target.pathname, query: Object.fromEntries(target.searchParams), cookie, acceptLanguage };
  const call: PageCall = { params, ...asked, sender: 'own', form, origin, now, real: NOW };
  const made = await page.handle(call);
  const accepted = String(request.headers['accept-encoding'] ?? '');
  const { status, type, body, headers } = page.isPersonal ? made : await compressed(made, accepted);
  const cookies = { 'set-cookie': [...(made.cookies ?? [])] };
  response.writeHead(status, { 'content-type': type, ...HEADERS, ...headers, ...cookies }).end(body);
}

/** The parameters of a Fastify path; undefined when it does not match. */
function match(pattern: string, path: string): Record<string, string> | undefined {
  const names = [...pattern.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '');
  const found = new RegExp(`^${pattern.replaceAll('.', '\\.').replace(/:\w+/g, '([^/]+)')}$`).exec(path);
  return found
    ? Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? '')]))
    : undefined;
}

async function text(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
