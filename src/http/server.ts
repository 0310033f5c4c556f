import { randomBytes } from 'node:crypto';
import cors from '@fastify/cors';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { AppError, messageOf, StartError } from '../lib/errors.ts';
import type { Page } from '../ports/page.ts';
import type { Audience, Tokens } from '../ports/security.ts';
import type { Contract } from './answer-types.ts';
import { registerBodies } from './body.ts';
import { registerDocs } from './docs.ts';
import { answerBrokenRequest, answerExpectation, faultOfHeaders, methodsOf } from './edge.ts';
import { sendError } from './errors.ts';
import { securityHeaders } from './headers.ts';
import { type Health, registerHealth } from './health.ts';
import { type OperationDeps, registerOperations } from './operations.ts';
import { registerPages, sendLostPage } from './pages.ts';
import { RATE_LIMIT_HEADERS } from './rate-limits.ts';
import { logRequests } from './request-log.ts';
import { tellRequests } from './request-work.ts';
import { makeSerializerCompiler } from './serialization.ts';
import { registerTokens } from './tokens.ts';
import { makeValidatorCompiler, toValidationError } from './validation.ts';

const BODY_LIMIT = 64 * 1024;
const REQUEST_TIMEOUT_MS = 15_000;

export type ServerOptions = {
  readonly logger: FastifyBaseLogger;
  readonly trustProxy: readonly string[];
  readonly corsOrigins: readonly string[];
  readonly tokenSecrets: Readonly<Record<Audience, string>>;
};

export type ServerParts = OperationDeps & {
  readonly pages: readonly Page[];
  /** What a browser is shown where there is no page. */
  readonly lostPage: Page['handle'];
  readonly checkoutOrigin: string;
  readonly checkoutPath: string;
  /** Where the service is reached. */
  readonly publicUrl: string;
  readonly health: Health;
};

export type Server = {
  readonly tokens: Tokens;
  /** Mounts all routes; nothing is served before. The contract is only read. */
  readonly mount: (parts: ServerParts, contract: object) => Promise<void>;
  /** Returns where it listens. Throws StartError when the address is taken or not ours. */
  readonly listen: (host: string, port: number) => Promise<string>;
  /** Stops accepting requests, finishes those in flight, closes idle connections. */
  readonly close: () => Promise<void>;
  readonly app: FastifyInstance;
};

/** Request ids that are unique across processes and cheap: a random prefix and a counter. */
function requestIds(): () => string {
  const start = randomBytes(9).toString('base64url');
  let count = 0;
  return () => {
    count += 1;
    return `req_${start}${count.toString(36)}`;
  };
}

/** Without these, Node checks for late connections only every 30 s, so a slow body could live for a minute. */
const NODE_OPTIONS = {
  requestTimeout: REQUEST_TIMEOUT_MS,
  headersTimeout: 10_000,
  connectionsCheckingInterval: 2000,
  requireHostHeader: false, // `faultOfHeaders` requires it, with the usual envelope.
};

/**
 * The HTTP edge: limits, timeouts, headers, one error envelope on every path. Handlers, verifiers and pages arrive as
 * values.
 */
export async function createServer(options: ServerOptions): Promise<Server> {
  const served: { parts: ServerParts | null } = { parts: null };
  const always = securityHeaders();
  const app = Fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: NODE_OPTIONS,
    keepAliveTimeout: 5000,
    forceCloseConnections: 'idle',
    trustProxy: options.trustProxy.length > 0 ? [...options.trustProxy] : false,
    routerOptions: { maxParamLength: 100 },
    // While it closes it still answers what reaches it; each answer ends its connection.
    return503OnClosing: false,
    genReqId: requestIds(),
    // No child logger per request: creating one is costly, few requests log, and those add the request id themselves.
    childLoggerFactory: (logger) => logger,
    frameworkErrors: (error, request, reply) =>
      void (asksForPage(request)
        ? answerUnknown(request, reply.headers(always), served.parts)
        : sendError(error, request, reply)),
    clientErrorHandler: answerBrokenRequest,
  });
  let closing = false;
  prepareRequests(app);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(always).header('x-request-id', request.id);
    if (closing) reply.header('connection', 'close');
    const fault = faultOfHeaders(request.raw);
    if (fault) throw fault;
    // Before the body is looked at, which would answer for a path or method that there is not.
    if (request.is404) return answerUnknown(request, reply, served.parts);
  });
  app.server.on('checkExpectation', answerExpectation);
  await allowOrigins(app, options.corsOrigins);
  logRequests(app, options.logger);
  registerBodies(app);
  app.setValidatorCompiler(makeValidatorCompiler() as never);
  app.setSerializerCompiler(makeSerializerCompiler());
  app.setSchemaErrorFormatter((errors, part) => toValidationError(errors as never, part));
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  const tokens = await registerTokens(app, options.tokenSecrets);
  return {
    app,
    tokens,
    mount: async (parts, contract) => {
      served.parts = parts;
      await mount(app, parts, contract as Contract);
    },
    listen: (host, port) =>
      app.listen({ host, port }).catch((error: unknown): never => {
        throw new StartError(`HOST and PORT name no address to listen on: ${messageOf(error)}`);
      }),
    close: async () => {
      closing = true;
      await app.close();
    },
  };
}

/** Pages of these origins may call the API from a browser. */
async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  await app.register(cors, {
    origin: [...origins],
    exposedHeaders: [
      ...['x-request-id', 'retry-after', 'idempotent-replayed', 'payment-required', 'payment-response'],
      ...RATE_LIMIT_HEADERS,
    ],
    maxAge: 600,
  });
}

/** What each request has from its start. */
function prepareRequests(app: FastifyInstance): void {
  tellRequests(app); // The first hook: all that a request does belongs to it.
  app.decorateRequest('proof', null);
  app.decorateRequest('authentication', null);
}

const neverKept = async (_request: unknown, reply: FastifyReply): Promise<void> =>
  void reply.header('cache-control', 'no-store');

/** Makes no function that stays, because it would keep the contract: nothing else needs that once there are routes. */
async function mountOperations(app: FastifyInstance, parts: ServerParts, contract: Contract): Promise<void> {
  await app.register(async (api) => {
    api.addHook('onRequest', neverKept);
    await registerOperations(api, parts, contract);
  });
}

async function mount(app: FastifyInstance, parts: ServerParts, contract: Contract): Promise<void> {
  await mountOperations(app, parts, contract);
  registerDocs(app, parts.publicUrl);
  registerHealth(app, parts.health);
  await registerPages(app, parts);
  app.setNotFoundHandler((request, reply) => answerUnknown(request, reply, parts));
  await app.ready();
}

/** Whether a person's browser asks for a page. What is below /v1 is for programs, whoever asks. */
const asksForPage = ({ url, headers }: FastifyRequest): boolean =>
  /\btext\/html\b/i.test(headers.accept ?? '') && !/^\/v1(?:[/?]|$)/i.test(url);

/** 405 where the contract has other methods for the path, else 404, to a browser as a page. */
async function answerUnknown(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: ServerParts | null,
): Promise<FastifyReply> {
  const allowed = methodsOf(request.url);
  if (allowed.length > 0) {
    const message = `This path knows ${allowed.join(', ')}, not ${request.method}.`;
    return sendError(new AppError('METHOD_NOT_ALLOWED', message), request, reply.header('allow', allowed.join(', ')));
  }
  try {
    if (parts && asksForPage(request)) return await sendLostPage(request, reply, parts);
  } catch (error) {
    return sendError(error, request, reply);
  }
  return sendError(new AppError('NOT_FOUND', 'There is no such path. See /docs for all there are.'), request, reply);
}
