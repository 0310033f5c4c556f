import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operationMeta } from '../../generated/operations.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { sendError } from '../../src/http/errors.ts';
import { type Keyed, keyOf, sendFinal } from '../../src/http/idempotent.ts';
import { createIdempotency } from '../../src/idempotency/idempotency.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { AppError, type ErrorCode } from '../../src/lib/errors.ts';
import { createKeyRing } from '../../src/lib/seal.ts';
import type { KeyPrincipal } from '../../src/ports/security.ts';
import { connectTestDatabase, type TestConnection } from '../support/connection.ts';
import { newKey } from '../support/idempotency.ts';

/** Which refusals are kept; a new code without a line does not compile. */
const KEPT: Readonly<Record<ErrorCode, boolean>> = {
  VALIDATION_ERROR: false,
  UNAUTHORIZED: false,
  FORBIDDEN: false,
  NOT_FOUND: true,
  METHOD_NOT_ALLOWED: false,
  CONFLICT: true,
  INSUFFICIENT_BALANCE: true,
  IDEMPOTENCY_IN_PROGRESS: true,
  EXPIRED: true,
  DISABLED: true,
  PAYLOAD_TOO_LARGE: false,
  UNSUPPORTED_MEDIA_TYPE: false,
  IDEMPOTENCY_KEY_REUSED: false,
  RATE_LIMITED: false,
  INTERNAL_ERROR: false,
  SERVICE_UNAVAILABLE: false,
  RATE_UNAVAILABLE: false,
};

const principal: KeyPrincipal = {
  kind: 'merchant',
  via: 'api_key',
  merchantId: 'mer_1' as KeyPrincipal['merchantId'],
  keyId: 'key_1' as KeyPrincipal['keyId'],
  status: 'active',
};

type Work = Parameters<Keyed['inTransaction']>[1];

let connection: TestConnection;
let app: FastifyInstance;
let work: Work;

beforeAll(async () => {
  connection = await connectTestDatabase();
  const { db } = connection;
  const idempotency = createIdempotency(createKeyRing(Buffer.alloc(32, 1)));
  const ways: Readonly<Record<string, (keyed: Keyed) => ReturnType<Keyed['underClaim']>>> = {
    inTransaction: (keyed) => inTransaction(db, (trx) => keyed.inTransaction(trx, work)),
    underClaim: (keyed) => keyed.underClaim(db, work),
  };
  app = Fastify();
  app.setErrorHandler(sendError);
  app.post<{ Params: { way: string } }>('/:way', async (request, reply) => {
    request.real = new Date();
    const called = { operationId: request.params.way, meta: operationMeta.createPayment, principal };
    const keyed = keyOf(idempotency, called, request, reply);
    const way = ways[request.params.way];
    return keyed && way ? sendFinal(reply, await way(keyed)) : reply.send('no key');
  });
});
afterAll(async () => {
  await app.close();
  await connection.close();
});

const send = (way: string, key: string) =>
  app.inject({ method: 'POST', url: `/${way}`, headers: { 'x-signature': key } });
const succeed: Work = async () => ({ status: 201, body: { id: 'pay_1' } });
const failWith =
  (error: Error): Work =>
  async () => {
    throw error;
  };
const countKept = async (db: Db): Promise<number> =>
  (await db.selectFrom('idempotency_keys').select('id').execute()).length;

describe.each(['inTransaction', 'underClaim'])('%s', (way) => {
  test.each(Object.entries(KEPT))('a refusal with %s is kept: %s', async (code, kept) => {
    const key = newKey();
    work = failWith(new AppError(code as ErrorCode, 'No.'));
    const refused = await send(way, key);
    expect(refused.json()).toMatchObject({ error: { code, message: 'No.' } });
    work = succeed;
    const next = await send(way, key);
    expect(next.headers['idempotent-replayed']).toBe(kept ? 'true' : undefined);
    expect([next.statusCode, next.body]).toEqual(kept ? [refused.statusCode, refused.body] : [201, '{"id":"pay_1"}']);
  });

  test('a refusal that says when to come back is not kept', async () => {
    const key = newKey();
    work = failWith(new AppError('CONFLICT', 'Not yet.', { retryAfterSeconds: 1 }));
    expect((await send(way, key)).headers['retry-after']).toBe('1');
    work = succeed;
    expect((await send(way, key)).statusCode).toBe(201);
  });

  test('what nobody expected leaves nothing', async () => {
    const before = await countKept(connection.db);
    for (const unexpected of [failWith(new TypeError('a fault')), async () => ({ status: 201, body: 1n })]) {
      work = unexpected;
      expect((await send(way, newKey())).statusCode).toBe(500);
    }
    expect(await countKept(connection.db)).toBe(before);
  });

  test('an answer with headers of its own is a fault, because they would not come again', async () => {
    work = async () => ({ ...(await succeed()), headers: { location: '/there' } });
    expect((await send(way, newKey())).statusCode).toBe(500);
  });
});
