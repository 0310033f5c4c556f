import { fromBase64 } from './base64.ts';
import type { WebhookEvent } from './models.ts';
import { BODY_MAX, bytesOfChunks } from './webhook-body.ts';
import {
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookHeaders,
  WebhookTooLongError,
  WebhookVerificationError,
} from './webhooks.ts';

/**
 * What to do with a genuine event. It may come again, so handle each `id` once. When it throws, the framework answers
 * with its error, and the service delivers the event again later.
 */
export type HandleWebhook = (event: WebhookEvent) => unknown;

type Outcome = { readonly status: 204 | 400 | 413; readonly text: string };

const HANDLED: Outcome = { status: 204, text: '' };
const TOO_LONG: Outcome = { status: 413, text: new WebhookTooLongError().message };

/** Runs `handle` for a genuine event; the answer to a request that isn't one. Throws what `handle` throws. */
async function receive(verified: Promise<WebhookEvent>, handle: HandleWebhook): Promise<Outcome> {
  let event: WebhookEvent;
  try {
    event = await verified;
  } catch (error) {
    if (error instanceof WebhookTooLongError) return TOO_LONG;
    if (error instanceof WebhookVerificationError) return { status: 400, text: error.message };
    throw error;
  }
  await handle(event);
  return HANDLED;
}

/**
 * A route for everything that speaks fetch: `export const POST = webhookRoute(…)` in Next.js, `(c) =>
 * route(c.req.raw)` in Hono, and the handlers of Deno, Bun and edge runtimes.
 */
export function webhookRoute(
  options: VerifyWebhookOptions,
  handle: HandleWebhook,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const { status, text } = await receive(verifyWebhook(request, options), handle);
    return new Response(text === '' ? null : text, { status });
  };
}

type NodeRequest = AsyncIterable<Uint8Array> & {
  readonly headers: WebhookHeaders;
  readonly readableEnded?: boolean;
  readonly body?: unknown;
  /** The bytes beside a parsed body, as cloud functions keep them. */
  readonly rawBody?: unknown;
};
type NodeResponse = { statusCode: number; end(text: string): unknown };

/**
 * A handler for Express, Connect and functions of Google: `app.post('/hooks', expressWebhook(…))`. It reads the body
 * itself, or takes what `express.raw()` made; behind `express.json()` the bytes are gone, and it says so.
 */
export function expressWebhook(
  options: VerifyWebhookOptions,
  handle: HandleWebhook,
): (request: NodeRequest, response: NodeResponse, next: (error?: unknown) => void) => void {
  const answer = async (request: NodeRequest, response: NodeResponse): Promise<void> => {
    const body = await rawBodyOf(request);
    const outcome = body === null ? TOO_LONG : await receive(verifyWebhook(body, request.headers, options), handle);
    response.statusCode = outcome.status;
    response.end(outcome.text);
  };
  return (request, response, next) => void answer(request, response).catch(next);
}

async function rawBodyOf(request: NodeRequest): Promise<Uint8Array | string | null> {
  const { rawBody, body } = request;
  for (const known of [rawBody, body]) if (typeof known === 'string' || known instanceof Uint8Array) return known;
  if (request.readableEnded) {
    throw new TypeError(
      'A parser has read the body of the webhook, and its bytes are what is signed. Put this route before express.json(), or give it express.raw({ type: "application/json" }).',
    );
  }
  return bytesOfChunks(request);
}

type FastifyReply = { code(status: number): { send(text: string): unknown } };
type FastifyRequest = { readonly body: unknown; readonly headers: WebhookHeaders };
type Fastify = {
  removeAllContentTypeParsers(): void;
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer'; bodyLimit: number },
    parse: (request: never, body: Uint8Array, done: (error: Error | null, body: Uint8Array) => void) => void,
  ): unknown;
  post(url: string, handle: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>): unknown;
};

/**
 * A plugin for Fastify: `app.register(fastifyWebhook('/hooks', …))`. Only its own route gets bodies as bytes; the
 * parsers of the others stay.
 */
export function fastifyWebhook(
  url: string,
  options: VerifyWebhookOptions,
  handle: HandleWebhook,
): (app: Fastify) => Promise<void> {
  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_MAX }, (_request, body, done) =>
      done(null, body),
    );
    app.post(url, async ({ body, headers }, reply) => {
      const { status, text } = await receive(verifyWebhook(body as Uint8Array, headers, options), handle);
      return reply.code(status).send(text);
    });
  };
}

/** What API Gateway (both formats), function URLs and load balancers hand to a function. */
type LambdaEvent = {
  readonly body?: string | null;
  readonly isBase64Encoded?: boolean;
  readonly headers?: Readonly<Record<string, string | undefined>> | null;
  /** All that a load balancer has when it is told to keep headers of the same name. */
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[] | undefined>> | null;
};

/** A handler for AWS Lambda: `export const handler = lambdaWebhook(…)`. */
export function lambdaWebhook(
  options: VerifyWebhookOptions,
  handle: HandleWebhook,
): (event: LambdaEvent) => Promise<{ statusCode: number; body: string }> {
  return async ({ body, isBase64Encoded, headers, multiValueHeaders }) => {
    const bytes = isBase64Encoded ? (fromBase64(body ?? '') ?? '') : (body ?? '');
    const { status, text } = await receive(verifyWebhook(bytes, headers ?? multiValueHeaders ?? {}, options), handle);
    return { statusCode: status, body: text };
  };
}
