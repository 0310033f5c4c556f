import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import glue from 'fastify-openapi-glue';
import { type OperationMeta, operationMeta } from '../../generated/operations.ts';
import type { Idempotency } from '../idempotency/idempotency.ts';
import type { Clock } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { AppError } from '../lib/errors.ts';
import type { AuditTrail, Handlers, OwnUse } from '../ports/operation.ts';
import type { Limiter, Principal, Verifier } from '../ports/security.ts';
import { answerTypes, bodyRequired, type Contract, onlyForRoutes } from './answer-types.ts';
import { readBody } from './body.ts';
import { type Admitted, openTrail, originOf } from './call.ts';
import { closeQuery, gatherObjects } from './closed-queries.ts';
import { type FinalAnswer, type Keep, keyOf, type OpenAsCaller, sendFinal } from './idempotent.ts';
import { holderIdOf } from './principals.ts';
import { limitsOf } from './rate-limits.ts';
import { recordingRefusals } from './refusals.ts';
import {
  type Authentication,
  type Authenticators,
  authenticate,
  authenticatorsOf,
  inTransactionOf,
  isKnownCaller,
  type Proof,
  recheck,
} from './security.ts';
import { leaveWordsOut } from './serialization.ts';
import { isMadeInPieces, streamInTurns } from './streamed.ts';
import { type CallersTurns, openCallersTurns, openTurns, type Turns } from './turns.ts';
import { isText } from './validation.ts';

export type OperationDeps = {
  readonly handlers: Handlers;
  readonly verifiers: readonly Verifier[];
  readonly limiter: Limiter;
  readonly idempotency: Idempotency;
  readonly clock: Clock;
  readonly db: Db;
  readonly sandbox: boolean;
};

/** So many transactions of requests keep a process busy, if none waits for anything but its commit. */
const TRANSACTIONS_AT_ONCE = 10;
/** A transaction takes less, also on a busy machine, unless it waits for something or its database is far away. */
const PATIENCE_MS = 20;
/**
 * A caller's transactions may take half of the pool, and its reads, of which each may keep a core busy, less. All
 * callers leave some of it for payers, who have no account, and for jobs.
 */
const OF_CALLERS = { together: 16, transactions: 10, reads: 4, files: 1, waiting: 200 };

/** The dependencies of all operations of a process, with their turns. */
type Shared = OperationDeps & {
  readonly inTurn: Turns;
  readonly reading: CallersTurns;
  /** Pieces of files. */
  readonly filing: CallersTurns;
  readonly writing: CallersTurns;
};

/** A handler as http calls it; its types were checked against the contract at compile time. */
type AnyHandler = {
  (call: object): Promise<{ status: number; body: unknown; headers?: Readonly<Record<string, string>> }>;
  readonly admit?: (call: object) => void;
  readonly ownUse?: (call: object) => Promise<OwnUse>;
  readonly wantsCode?: true;
};

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller, once proven; null in public operations. */
    proof: Proof | null;
    authentication: Authentication | null;
    now: Date;
    real: Date;
  }
}

/**
 * Binds every operation of the contract to its handler by operationId. Refuses to start unless handlers and operations
 * match exactly and every security scheme has a verifier. `app` is a scope of their own: what else the server has takes
 * any query. No one keeps `contract`, which is 2 MB.
 */
export async function registerOperations(app: FastifyInstance, deps: OperationDeps, contract: Contract): Promise<void> {
  const { together, transactions, reads, files, waiting } = OF_CALLERS;
  const turnsFor = openCallersTurns(together, waiting);
  const shared: Shared = {
    ...deps,
    inTurn: openTurns(TRANSACTIONS_AT_ONCE, PATIENCE_MS),
    reading: turnsFor(reads),
    filing: turnsFor(files),
    writing: turnsFor(transactions),
  };
  const operations: Readonly<Record<string, OperationMeta>> = operationMeta;
  assertHandlers(operations, deps.handlers);
  const types = answerTypes(contract);
  const withBody = bodyRequired(contract);
  app.addHook('onRoute', closeQuery);
  app.addHook('onRoute', gatherObjects);
  app.addHook('onRoute', leaveWordsOut);
  await app.register(glue, {
    specification: onlyForRoutes(contract),
    operationResolver: (operationId: string) => {
      const meta = operations[operationId];
      if (!meta || !Object.hasOwn(operations, operationId)) throw new Error(`unknown operation ${operationId}`);
      return routeOf(operationId, meta, shared, {
        type: types.get(operationId) ?? 'application/json',
        needsBody: withBody.has(operationId),
        authenticators: authenticatorsOf(operationId, meta, deps.verifiers),
      });
    },
  });
}

function assertHandlers(operations: object, handlers: object): void {
  const missing = Object.keys(operations).filter((id) => !Object.hasOwn(handlers, id));
  const unknown = Object.keys(handlers).filter((id) => !Object.hasOwn(operations, id));
  if (missing.length + unknown.length > 0) {
    throw new Error(
      `operations without a handler: ${missing.join(', ') || 'none'}; handlers without an operation: ${unknown.join(', ') || 'none'}`,
    );
  }
}

/** What the contract says of an operation besides its schemas: the answer's type, a required body, and who may call. */
type OperationTerms = { readonly type: string; readonly needsBody: boolean; readonly authenticators: Authenticators };

/** The hooks of one route, in the order of src/http/README.md. Glue adds method, URL and schema from the contract. */
function routeOf(operationId: string, meta: OperationMeta, deps: Shared, terms: OperationTerms): RouteOptions {
  const handler = deps.handlers[operationId as keyof Handlers] as unknown as AnyHandler;
  const limits = limitsOf(meta, deps.limiter);
  const prove = <T>(request: FastifyRequest, reply: FastifyReply, work: () => Promise<T>): Promise<T> =>
    limits.prove(request, reply, { work, isKnown: () => isKnownCaller(request, terms.authenticators) });
  // Counts the request and throws the proof's refusal, if any, with an audit entry.
  const admitProof = async (request: FastifyRequest, reply: FastifyReply, proof: Proof | null): Promise<void> => {
    request.proof = proof;
    await limits.countRequest(request, reply);
    const refusal = proof?.refusal;
    if (refusal) await recordingRefusals(deps.db, operationId, request, () => Promise.reject(refusal));
  };
  const route: Omit<RouteOptions, 'method' | 'url'> = {
    exposeHeadRoute: meta.method === 'GET' && !meta.path.endsWith('/events'),
    // Authentication comes before validation: 401 and 403 before 400.
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      request.now = deps.clock.now();
      request.real = deps.clock.real();
      // No id has control characters, and PostgreSQL would refuse them in a query.
      const unknown = !Object.values(request.params as Record<string, string>).every(isText);
      if (unknown || (meta.sandbox && !deps.sandbox)) throw new AppError('NOT_FOUND', 'There is no such path.');
      const authentication = await prove(request, reply, () =>
        authenticate(request, terms.authenticators, deps.verifiers),
      );
      request.authentication = authentication;
      if (typeof authentication !== 'function') await admitProof(request, reply, authentication);
    },
    // Before parsing, because signatures cover the raw bytes.
    preParsing: async (request: FastifyRequest, reply: FastifyReply, payload) => {
      const { authentication } = request;
      if (typeof authentication !== 'function') return;
      const finish = async (): Promise<Proof> => authentication(await readBody(request, payload));
      await admitProof(request, reply, await prove(request, reply, finish));
    },
    // Fastify skips the body's schema when there is no body.
    preValidation: async (request: FastifyRequest) => {
      if (terms.needsBody && request.body === undefined) {
        throw new AppError('VALIDATION_ERROR', 'The body is missing; a JSON object is expected.');
      }
    },
    preHandler: (request: FastifyRequest, reply: FastifyReply) => {
      const { body, real } = request;
      return limits.countUse(
        request,
        reply,
        async () => handler.ownUse?.({ body, real, origin: originOf(request) }) ?? null,
      );
    },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const admitted = admit(operationId, meta, request, reply);
      const run = () => runHandler(deps, handler, admitted, request, reply);
      const answer = await (request.proof ? recordingRefusals(deps.db, operationId, request, run) : run());
      return 'replayed' in answer ? sendFinal(reply, answer) : sendAnswer(reply, answer, terms.type);
    },
  };
  return route as RouteOptions;
}

function admit(operationId: string, meta: OperationMeta, request: FastifyRequest, reply: FastifyReply): Admitted {
  const { now, real, proof } = request;
  let gone: AbortController | undefined;
  return {
    operationId,
    meta,
    principal: proof?.principal ?? null,
    now,
    real,
    origin: originOf(request),
    // Created on demand: an AbortController costs more than the rest of a small request.
    signal: () => {
      if (!gone) {
        const controller = new AbortController();
        // If the caller is already gone, there will be no 'close' event.
        if (reply.raw.destroyed) controller.abort();
        else reply.raw.once('close', () => controller.abort());
        gone = controller;
      }
      return gone.signal;
    },
  };
}

type Answer = Awaited<ReturnType<AnyHandler>>;

async function runHandler(
  deps: Shared,
  handler: AnyHandler,
  admitted: Admitted,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Answer | FinalAnswer> {
  const { meta, real } = admitted;
  const { wantsCode } = handler;
  handler.admit?.({ principal: admitted.principal, body: request.body });
  const among = <T>(turns: CallersTurns, work: () => Promise<T>): Promise<T> =>
    admitted.principal ? turns(holderIdOf(admitted.principal), work) : work();
  const read = (): Promise<Answer> => handler(toCall(admitted, request, noTrail));
  const readAnywhere = (): Promise<Answer> => (deps.db.standbys ? deps.db.standbys.read(read) : read());
  switch (meta.transaction) {
    case 'look-up':
      return readAnywhere();
    case 'read': {
      const answer = await among(deps.reading, readAnywhere);
      if (!isMadeInPieces(answer.body)) return answer;
      const inTurn: Turns = (work) => among(deps.filing, work);
      // Fastify would read a stream to its end to leave it out.
      return { ...answer, body: request.method === 'HEAD' ? Readable.from([]) : streamInTurns(answer.body, inTurn) };
    }
    case 'none': {
      const principal = await recheck(deps.db, request.proof, real);
      const work = async (keep: Keep): Promise<Answer> => {
        const trail = openTrail({ ...admitted, principal });
        const answer = await handler(Object.assign(toCall({ ...admitted, principal }, request, trail), { keep }));
        if (meta.audit && !trail.isRecorded())
          request.log.error(`${admitted.operationId} answered without its audit entry`);
        return answer;
      };
      const keyed = keyOf(deps.idempotency, { ...admitted, wantsCode, principal }, request, reply);
      return keyed ? keyed.underClaim(deps.db, work) : work(keepNothing);
    }
    case 'request': {
      const work = async (trx: Trx, principal: Principal | null): Promise<Answer> => {
        const trail = openTrail({ ...admitted, principal });
        const answer = await handler(Object.assign(toCall({ ...admitted, principal }, request, trail), { trx }));
        await recordOnce(trx, trail, request, answer, principal);
        return answer;
      };
      const keyed = keyOf(deps.idempotency, { ...admitted, wantsCode }, request, reply);
      const open: OpenAsCaller = (run) => deps.inTurn(() => inTransactionOf(deps.db, request.proof, real, run));
      return among<Answer | FinalAnswer>(deps.writing, () =>
        keyed ? keyed.inTransaction(deps.db, open, work) : open(work),
      );
    }
  }
}

const keepNothing: Keep = async () => {};

const noTrail: AuditTrail = { note: () => {}, record: async () => {}, recordOther: async () => {} };

function toCall(admitted: Admitted, request: FastifyRequest, audit: AuditTrail) {
  const { principal, now, real, origin, signal } = admitted;
  return {
    params: request.params,
    query: request.query,
    headers: request.headers,
    body: request.body,
    principal,
    now,
    real,
    origin,
    audit,
    signal,
  };
}

/** Writes the audit entry unless the handler did. It names the resource in the answer, or the one in the path. */
async function recordOnce(
  trx: Trx,
  trail: ReturnType<typeof openTrail>,
  request: FastifyRequest,
  answer: Answer,
  principal: Principal | null,
): Promise<void> {
  if (trail.isRecorded()) return;
  const { id, sessionId } = (answer.body ?? {}) as { id?: string; sessionId?: string };
  const resourceId =
    id ?? sessionId ?? (request.params as { id?: string }).id ?? (principal ? holderIdOf(principal) : undefined);
  await trail.record(trx, resourceId === undefined ? undefined : { resourceId });
}

function sendAnswer(reply: FastifyReply, { status, body, headers }: Answer, type: string): FastifyReply {
  reply.code(status);
  if (headers) reply.headers(headers);
  if (isJson(body)) return reply.type('application/json; charset=utf-8').send(body);
  if (type === 'text/event-stream') reply.header('x-accel-buffering', 'no');
  return reply
    .type(type)
    .serializer((payload: unknown) => payload as string)
    .send(body);
}

const isJson = (body: unknown): boolean =>
  typeof body === 'object' && !(body instanceof Readable) && !(body instanceof Uint8Array);
