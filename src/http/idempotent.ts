import type { FastifyReply, FastifyRequest } from 'fastify';
import { inTransaction, isContended } from '../db/transaction.ts';
import type { Idempotency, StoredAnswer } from '../idempotency/idempotency.ts';
import { type KeyedRequest, type Use, useOf } from '../idempotency/use.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { AppError } from '../lib/errors.ts';
import type { Principal } from '../ports/security.ts';
import type { Admitted } from './call.ts';
import { refusalOf } from './errors.ts';
import { holderIdOf } from './principals.ts';
import type { Assuming, WorkAsCaller } from './security.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** An answer in its final bytes, not to be serialised again. */
export type FinalAnswer = StoredAnswer & { readonly replayed: boolean };

type Answer = { readonly status: number; readonly body: unknown; readonly headers?: unknown };

/** Runs work in a transaction of the request, as its caller. */
export type OpenAsCaller = <T>(run: WorkAsCaller<T>) => Promise<T>;

/** Stores an answer in the transaction of its work. See decision idempotency/stored-with-the-work. */
export type Keep = (trx: Trx, answer: Answer) => Promise<void>;

/** A request with an idempotency key. */
export type Keyed = {
  /**
   * Opens the request's transaction and returns the stored answer or that of `work`, which is stored in the same
   * commit. A lasting refusal rolls everything back and is stored by a transaction of its own.
   */
  readonly inTransaction: (
    db: Db,
    open: OpenAsCaller,
    work: (trx: Trx, principal: Principal | null) => Promise<Answer>,
  ) => Promise<FinalAnswer>;
  /** For work outside a transaction: at least once. See decision idempotency/claims-mean-at-least-once. */
  readonly underClaim: (db: Db, work: (keep: Keep) => Promise<Answer>) => Promise<FinalAnswer>;
};

type Asked = Pick<Admitted, 'operationId' | 'meta' | 'principal'> & { readonly wantsCode?: boolean | undefined };

/**
 * The key of an authenticated request: the header, or the signature of a signed request without one, so that an
 * intercepted request can't be replayed. Null when there is neither, or when the operation takes no key.
 */
export function keyOf(
  idempotency: Idempotency,
  { operationId, meta, principal, wantsCode = false }: Asked,
  request: FastifyRequest,
  reply: FastifyReply,
): Keyed | null {
  if (!meta.idempotent || !principal) return null;
  const named = findKey(principal, request);
  if (!named) return null;
  const use = useOf({
    ...named,
    merchantId: holderIdOf(principal),
    operationId,
    requestId: request.id,
    bySession: wantsCode && principal.via === 'session',
    method: request.method,
    target: request.raw.url ?? '',
    body: request.rawBody,
    secret: holdsPassword(request.body) ? idempotency.secret : undefined,
  });
  const toBytes = (answer: Answer): StoredAnswer => serialise(operationId, answer, reply);
  const once = onceUnder(idempotency, use);
  const undo = (error: unknown): never => {
    throw new Refused(lastingRefusal(error, request.id));
  };
  return {
    inTransaction: async (db, open, work) => {
      try {
        return await open((trx, caller, assuming) =>
          once(trx, () => work(trx, caller).then(toBytes).catch(undo), assuming),
        );
      } catch (error) {
        // The key was free for a moment. If another request took it meanwhile, that one's answer counts.
        if (error instanceof Refused) return inTransaction(db, (trx) => once(trx, async () => error.answer));
        // It may never have come to its key. A stored answer needs none of the locks that the work has waited for.
        if (isContended(error)) return open((trx) => once(trx, () => Promise.reject(error)));
        throw error;
      }
    },
    underClaim: async (db, work) => {
      const claimed = { idempotency, db, use, request };
      const stored = await claim(claimed);
      if (stored) return { ...stored, replayed: true };
      const keep: Keep = (trx, answer) => idempotency.store(trx, use, toBytes(answer));
      const answer = await orRelease(claimed, async () => toBytes(await work(keep)));
      // The work is done: an error would make the caller repeat it.
      await idempotency.store(db, use, answer).catch(logged(request, 'an answer could not be stored under its key'));
      return { ...answer, replayed: false };
    },
  };
}

/** Runs work under a key in its transaction, and stores its answer there; returns the stored one if there is one. */
const onceUnder =
  (idempotency: Idempotency, use: Use) =>
  async (trx: Trx, work: () => Promise<StoredAnswer>, assuming: Assuming | null = null): Promise<FinalAnswer> => {
    if (assuming) {
      const store = idempotency.assumeFree(trx, use, assuming());
      const answer = await work();
      store(answer);
      return { ...answer, replayed: false };
    }
    const stored = await idempotency.take(trx, use);
    if (stored) return { ...stored, replayed: true };
    const answer = await work();
    await idempotency.store(trx, use, answer);
    return { ...answer, replayed: false };
  };

const holdsPassword = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && Object.hasOwn(body, 'password');

function findKey(principal: Principal, { headers }: FastifyRequest): Pick<KeyedRequest, 'source' | 'key'> | undefined {
  const key = headers['idempotency-key'];
  if (typeof key === 'string') return { source: 'header', key };
  const signature = headers['x-signature'];
  if (principal.via === 'api_key' && typeof signature === 'string') return { source: 'signature', key: signature };
  return undefined;
}

/** The answer's bytes, as Fastify would send them. */
function serialise(operationId: string, { status, body, headers }: Answer, reply: FastifyReply): StoredAnswer {
  if (headers)
    throw new Error(`${operationId} answers with headers, which would be missing when the answer is repeated`);
  const stringify = reply.getSerializationFunction(String(status), 'application/json') ?? JSON.stringify;
  return { status, body: Buffer.from(stringify(body as Record<string, unknown>), 'utf8') };
}

/** Thrown through a transaction to roll it back. */
class Refused extends Error {
  readonly answer: StoredAnswer;
  constructor(answer: StoredAnswer) {
    super('refused');
    this.answer = answer;
  }
}

/** Statuses of business rules, which would refuse again. All other errors may be temporary. */
const LASTING = [404, 409, 410];

/**
 * The refusal to store under the key; rethrows any other, and what the database refuses: no handler has decided that.
 * See decision idempotency/retry-later-is-not-stored.
 */
function lastingRefusal(error: unknown, requestId: string): StoredAnswer {
  if (!(error instanceof AppError)) throw error;
  const { status, body, error: refusal } = refusalOf(error, requestId);
  if (!LASTING.includes(status) || refusal.retryAfterSeconds !== undefined) throw error;
  return { status, body: Buffer.from(body, 'utf8') };
}

type Claimed = {
  readonly idempotency: Idempotency;
  readonly db: Db;
  readonly use: Use;
  readonly request: FastifyRequest;
};

/** A claim may be there of which only the answer was lost: then a repetition would be refused for a minute. */
async function claim(claimed: Claimed): Promise<StoredAnswer | undefined> {
  try {
    return await claimed.idempotency.claim(claimed.db, claimed.use);
  } catch (error) {
    if (!(error instanceof AppError)) await release(claimed);
    throw error;
  }
}

async function orRelease(claimed: Claimed, work: () => Promise<StoredAnswer>): Promise<StoredAnswer> {
  try {
    return await work().catch((error: unknown) => lastingRefusal(error, claimed.request.id));
  } catch (error) {
    await release(claimed);
    throw error;
  }
}

const release = ({ idempotency, db, use, request }: Claimed): Promise<void> =>
  idempotency.release(db, use).catch(logged(request, 'a key could not be given back'));

const logged = (request: FastifyRequest, message: string) => (error: unknown) =>
  request.log.error({ err: error, requestId: request.id }, message);

/** Sends the bytes, with a header if they are a replay. */
export function sendFinal(reply: FastifyReply, { status, body, replayed }: FinalAnswer): FastifyReply {
  if (replayed) reply.header('idempotent-replayed', 'true');
  return reply.code(status).type(JSON_TYPE).send(body);
}
