import type { FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from 'fastify';
import type { Clock } from '../lib/clock.ts';
import type { Page, PageAnswer, Sender } from '../ports/page.ts';
import { decode, readBody } from './body.ts';
import { originOf } from './call.ts';
import { compressed } from './compress.ts';

/** No inline code, nothing from other hosts, forms only to ourselves. */
const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
].join('; ');
/** What may stand in the header, whatever is stored: no wildcard, and nothing that begins another source. */
const ORIGIN = /^https?:\/\/[a-z0-9.-]+(:\d{1,5})?$/;

export type PageParts = {
  readonly pages: readonly Page[];
  readonly lostPage: Page['handle'];
  /** The origin and the path of CHECKOUT_URL. */
  readonly checkoutOrigin: string;
  readonly checkoutPath: string;
  readonly clock: Clock;
};

/** Mounts the hosted pages below the path of CHECKOUT_URL, in a scope of their own that also parses forms. */
export async function registerPages(app: FastifyInstance, parts: PageParts): Promise<void> {
  await app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      async (request: FastifyRequest, payload: RequestPayload) =>
        Object.fromEntries(new URLSearchParams(decode(await readBody(request, payload)))),
    );
    for (const page of parts.pages) {
      scope.route({
        method: page.method,
        url: `${parts.checkoutPath}${page.path}`,
        handler: (request, reply) => answer(page, request, reply, parts),
      });
    }
  });
}

/** Answers a browser that asks for what there is not. Programs get JSON at the same address, hence `vary`. */
export async function sendLostPage(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: PageParts,
): Promise<FastifyReply> {
  const handle: Page['handle'] = async (call) => {
    const made = await parts.lostPage(call);
    return {
      ...made,
      headers: { ...made.headers, vary: ['accept', made.headers?.['vary']].filter(Boolean).join(', ') },
    };
  };
  return answer({ handle }, request, reply.header('x-request-id', request.id), parts);
}

async function answer(
  page: Pick<Page, 'handle' | 'isPersonal'>,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: PageParts,
): Promise<FastifyReply> {
  const made = await page.handle({
    params: (request.params ?? {}) as Record<string, string>,
    query: textsOf(request.query),
    form: textsOf(request.body),
    path: request.url.split('?', 1)[0] ?? '',
    cookie: request.headers.cookie ?? '',
    acceptLanguage: request.headers['accept-language'] ?? '',
    sender: senderOf(request, parts.checkoutOrigin),
    origin: originOf(request),
    now: parts.clock.now(),
    real: parts.clock.real(),
  });
  const accepted = String(request.headers['accept-encoding'] ?? '');
  const { status, type, body, headers } = page.isPersonal ? made : await compressed(made, accepted);
  const ancestors = ancestorsOf(made.frameAncestors);
  reply.code(status).type(type).header('cache-control', 'no-store');
  reply.header('content-security-policy', `${CSP}; frame-ancestors ${ancestors}`);
  // It knows only this origin or nobody, so it would contradict the policy in browsers that heed both.
  if (ancestors !== "'none'") reply.removeHeader('x-frame-options');
  if (headers) reply.headers(headers); // A page's own headers win: assets may be cached.
  if (made.cookies?.length) reply.header('set-cookie', made.cookies);
  return reply.send(body);
}

/**
 * By `Sec-Fetch-Site`, else by `Origin`, which browsers send with forms over plain http, too. Pages are reached by
 * CHECKOUT_URL or, in a sandbox, by another name of the same host.
 */
function senderOf({ headers, host }: FastifyRequest, checkoutOrigin: string): Sender {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none' ? 'own' : 'other';
  const { origin } = headers;
  if (origin === 'null') return 'hidden';
  return origin === undefined || origin === checkoutOrigin || origin.replace(/^https?:\/\//, '') === host
    ? 'own'
    : 'other';
}

/** The parameters of an address or a form that are texts; of one that is there several times the last. */
function textsOf(given: unknown): Record<string, string> {
  const last = Object.entries(given ?? {}).map(([name, value]) => [name, Array.isArray(value) ? value.at(-1) : value]);
  return Object.fromEntries(last.filter(([, value]) => typeof value === 'string'));
}

function ancestorsOf(may: PageAnswer['frameAncestors']): string {
  if (may === 'any') return '*';
  return may?.filter((origin) => ORIGIN.test(origin)).join(' ') || "'none'";
}
