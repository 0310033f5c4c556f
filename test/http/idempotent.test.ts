import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { operationMeta } from '../../generated/operations.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { sendError } from '../../src/http/errors.ts';
import { type Keyed, keyOf, sendFinal } from '../../src/http/idempotent.ts';
import { createIdempotency, type Idempotency } from '../../src/idempotency/idempotency.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { createKeyRing } from '../../src/lib/envelope.ts';
import { AppError, type ErrorCode } from '../../src/lib/errors.ts';
import type { KeyPrincipal } from '../../src/ports/security.ts';
import { connectTestDatabase, type TestConnection } from '../support/connection.ts';
import { newKey } from '../support/idempotency.ts';

/** Which refusals are kept; a new code without an entry does not compile. */
const KEPT: Readonly<Record<ErrorCode, boolean>> = {
  VALIDATION_ERROR: false,
  UNAUTHORIZED: false,
  PAYMENT_REQUIRED: false,
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
  rejectedAt: null,
  toleranceBps: null,
  scopes: [],
};

type Work = () => ReturnType<Parameters<Keyed['underClaim']>[1]>;

let connection: TestConnection;
let app: FastifyInstance;
let work: Work;
/** What happens before the n-th claim of a key since it was set. */
let beforeTake: ((time: number) => Promise<unknown> | undefined) | undefined;
let takes: number;

beforeAll(async () => {
  connection = await connectTestDatabase();
  const { db } = connection;
  const plain = createIdempotency(createKeyRing(Buffer.alloc(32, 1)), Buffer.alloc(32, 2));
  const idempotency: Idempotency = {
    ...plain,
    take: async (trx, use) => {
      takes += 1;
      await beforeTake?.(takes);
      return plain.take(trx, use);
    },
  };
  const ways: Readonly<Record<string, (keyed: Keyed) => ReturnType<Keyed['underClaim']>>> = {
    inTransaction: (keyed) =>
      keyed.inTransaction(db, (run) => inTransaction(db, (trx) => run(trx, principal, null)), work),
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
beforeEach(() => {
  beforeTake = undefined;
  takes = 0;
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

  test('does not keep a refusal with a retry time', async () => {
    const key = newKey();
    work = failWith(new AppError('CONFLICT', 'Not yet.', { retryAfterSeconds: 1 }));
    expect((await send(way, key)).headers['retry-after']).toBe('1');
    work = succeed;
    expect((await send(way, key)).statusCode).toBe(201);
  });

  test('keeps nothing of an unexpected error', async () => {
    const before = await countKept(connection.db);
    for (const unexpected of [failWith(new TypeError('a fault')), async () => ({ status: 201, body: 1n })]) {
      work = unexpected;
      expect((await send(way, newKey())).statusCode).toBe(500);
    }
    expect(await countKept(connection.db)).toBe(before);
  });

  test('rejects an answer with headers of its own, because a replay would lack them', async () => {
    work = async () => ({ ...(await succeed()), headers: { location: '/there' } });
    expect((await send(way, newKey())).statusCode).toBe(500);
  });
});

describe('a lasting refusal that is not stored yet, after its transaction rolled back,', () => {
  const refuse = failWith(new AppError('CONFLICT', 'Taken.'));
  const afterUndoing = (happen: (key: string) => Promise<unknown>, key: string): void => {
    beforeTake = (time) => (time === 2 ? happen(key) : undefined);
  };
  const shown = ({ statusCode, headers, json }: Awaited<ReturnType<typeof send>>) => [
    statusCode,
    headers['idempotent-replayed'],
    json().error?.code ?? json().id,
  ];

  test('gives way to the answer of a faster request', async () => {
    const key = newKey();
    work = refuse;
    afterUndoing(async () => {
      work = succeed;
      expect(shown(await send('inTransaction', key))).toEqual([201, undefined, 'pay_1']);
    }, key);
    expect(shown(await send('inTransaction', key))).toEqual([201, 'true', 'pay_1']);
  });

  test('asks to retry while another request works under the key', async () => {
    const key = newKey();
    const other: { release?: () => void; done?: ReturnType<typeof send> } = {};
    work = refuse;
    afterUndoing(
      () =>
        new Promise<void>((taken) => {
          work = () => {
            taken();
            return new Promise((resolve) => {
              other.release = () => resolve({ status: 201, body: { id: 'pay_2' } });
            });
          };
          other.done = send('inTransaction', key);
        }),
      key,
    );
    expect(shown(await send('inTransaction', key))).toEqual([409, undefined, 'IDEMPOTENCY_IN_PROGRESS']);
    other.release?.();
    expect(shown(await (other.done as ReturnType<typeof send>))).toEqual([201, undefined, 'pay_2']);
    expect(shown(await send('inTransaction', key))).toEqual([201, 'true', 'pay_2']);
  });

  test('is lost with the database connection, and computed again by the retry', async () => {
    const key = newKey();
    work = refuse;
    afterUndoing(() => Promise.reject(Object.assign(new Error('gone'), { code: '57P01' })), key);
    expect((await send('inTransaction', key)).statusCode).toBe(503);
    expect(shown(await send('inTransaction', key))).toEqual([409, undefined, 'CONFLICT']);
    expect(shown(await send('inTransaction', key))).toEqual([409, 'true', 'CONFLICT']);
  });
});
