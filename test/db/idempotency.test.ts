import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { createIdempotency, type Idempotency, type StoredAnswer } from '../../src/idempotency/idempotency.ts';
import { deleteExpiredKeys } from '../../src/idempotency/jobs.ts';
import { type KeyedRequest, type Use, useOf } from '../../src/idempotency/use.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/lib/clock.ts';
import type { Db, Trx } from '../../src/lib/db-types.ts';
import { createKeyRing } from '../../src/lib/envelope.ts';
import { connectTestDatabase, type TestConnection } from '../support/connection.ts';

const NOW = new Date('2026-01-01T10:00:00.000Z');
const CROWD = 40;
const inProgress = { code: 'IDEMPOTENCY_IN_PROGRESS', retryAfterSeconds: 1 };

let connection: TestConnection;
let db: Db;
let idempotency: Idempotency;
let requests = 0;

beforeAll(async () => {
  connection = await connectTestDatabase(CROWD + 5);
  db = connection.db;
  idempotency = createIdempotency(createKeyRing(Buffer.alloc(32, 1)), Buffer.alloc(32, 2));
});
afterAll(() => connection.close());

/** The use of `key` by a request; each call is a new request. */
function useBy(key: string, draft: Partial<KeyedRequest> = {}): Use {
  requests += 1;
  return useOf({
    merchantId: 'mer_1',
    operationId: 'createPayment',
    source: 'header',
    key,
    requestId: `req_${requests}`,
    bySession: false,
    method: 'POST',
    target: '/v1/payments',
    body: Buffer.from('{"amount":1}'),
    ...draft,
  });
}

const answer = (text: string): StoredAnswer => ({ status: 201, body: Buffer.from(text) });

/** Leaves a row that says which request worked under `key`. */
const effect = (trx: Trx, key: string, { requestId }: Use) =>
  trx.insertInto('incidents').values({ kind: `effect of ${key}`, subject: requestId, message: '', opened_at: NOW });

const work = (trx: Trx, key: string, use: Use): Promise<unknown> => effect(trx, key, use).execute();

async function effectsOf(key: string): Promise<string[]> {
  const made = db.selectFrom('incidents').select('subject').where('kind', '=', `effect of ${key}`);
  const rows = await made.orderBy('id').execute();
  return rows.map(({ subject }) => subject);
}

/** A whole request under `key`, as the HTTP layer runs it; the response says which request did the work. */
const ask = (key: string, use: Use = useBy(key)): Promise<string> =>
  inTransaction(db, async (trx) => {
    const stored = await idempotency.take(trx, use);
    if (stored) return stored.body.toString();
    await work(trx, key, use);
    await idempotency.store(trx, use, answer(use.requestId));
    return use.requestId;
  });

test('of forty concurrent requests under one key one works, and the others get its response once there is one', async () => {
  for (const round of [1, 2, 3, 4, 5]) {
    const key = `crowd ${round}`;
    const persistent = async (): Promise<string> => {
      for (;;) {
        const got = await ask(key).catch((error: { code: string }) => error);
        if (typeof got === 'string') return got;
        expect(got).toMatchObject(inProgress);
      }
    };
    const answers = new Set(await Promise.all(Array.from({ length: CROWD }, persistent)));
    expect([...answers]).toEqual(await effectsOf(key));
    expect(answers.size).toBe(1);
  }
});

test('forty concurrent requests under forty keys all work', async () => {
  await Promise.all(Array.from({ length: CROWD }, (_, index) => ask(`own ${index}`)));
  for (let index = 0; index < CROWD; index += 1) expect(await effectsOf(`own ${index}`)).toHaveLength(1);
});

test('a request under a key in use is refused at once, without waiting', async () => {
  await inTransaction(db, async (trx) => {
    expect(await idempotency.take(trx, useBy('held'))).toBeUndefined();
    await expect(ask('held')).rejects.toMatchObject(inProgress);
    await expect(ask('held', useBy('held', { target: '/v1/elsewhere' }))).rejects.toMatchObject(inProgress);
  });
  // It was rolled back, so the key is free.
  expect(await ask('held')).toMatch(/^req_/);
});

/** A whole request whose key is assumed to be free; of one that waits the work waits for an answer. */
const assume = (key: string, use: Use = useBy(key), waits = false): Promise<string> =>
  inTransaction(db, async (trx) => {
    let isConfirmed = false;
    const store = idempotency.assumeFree(trx, use, () => {
      isConfirmed = true;
    });
    if (waits) await work(trx, key, use);
    else trx.later(effect(trx, key, use));
    expect(isConfirmed).toBe(waits);
    store(answer(use.requestId));
    return use.requestId;
  });
const refused = { code: 'KA001' };

test.each([false, true])('a key that is assumed to be free is so once (work that waits: %s)', async (waits) => {
  const key = `assumed ${waits}`;
  const together = await Promise.allSettled(Array.from({ length: CROWD }, () => assume(key, useBy(key), waits)));
  const done = together.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  for (const each of together) if (each.status === 'rejected') expect(each.reason).toMatchObject(refused);
  expect(done).toHaveLength(1);
  expect(await effectsOf(key)).toEqual(done);
  await expect(assume(key, useBy(key), waits)).rejects.toMatchObject(refused);
  expect(await ask(key)).toBe(done[0]);
  await pass(key, DAY_MS);
  const next = await assume(key, useBy(key), waits);
  expect(await ask(key)).toBe(next);
  expect(await effectsOf(key)).toEqual([...done, next]);
});

test.each([false, true])('a key that others use is not assumed to be free (work that waits: %s)', async (waits) => {
  await inTransaction(db, async (trx) => {
    await idempotency.take(trx, useBy('used'));
    await expect(assume('used', useBy('used'), waits)).rejects.toMatchObject(refused);
  });
  const claiming = useBy('used');
  await idempotency.claim(db, claiming);
  await expect(assume('used', useBy('used'), waits)).rejects.toMatchObject(refused);
  await idempotency.release(db, claiming);
  expect(await effectsOf('used')).toEqual([]);
  const done = await assume('used', useBy('used'), waits);
  expect(await ask('used')).toBe(done);
  await db.deleteFrom('idempotency_keys').where('id', '=', claiming.id).execute();
  await db.deleteFrom('incidents').where('kind', '=', 'effect of used').execute();
});

test.for<[string, RawBuilder<unknown>]>([
  ['a statement with values', sql`select id from incidents where id = ${'1'} for update`],
  ['one without', sql`select id from incidents for update`],
])('a key is looked at before the work waits for a lock: %s', async ([name, locking]) => {
  const key = `locked ${name}`;
  await assume(key);
  await inTransaction(db, async (trx) => {
    await sql`lock table incidents in exclusive mode`.execute(trx);
    const again = inTransaction(db, async (own) => {
      const store = idempotency.assumeFree(own, useBy(key), () => undefined);
      await locking.execute(own);
      store(answer(key));
    });
    await expect(again).rejects.toMatchObject(refused);
  });
});

test('requests with the key locked first and such that assume it to be free exclude each other', async () => {
  for (const round of [1, 2, 3, 4, 5]) {
    const key = `mixed ${round}`;
    const answers = await Promise.allSettled(
      Array.from({ length: CROWD }, (_, at) => (at % 2 === 0 ? ask(key) : assume(key, useBy(key), at % 4 === 1))),
    );
    const done = new Set(answers.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])));
    expect([...done]).toEqual(await effectsOf(key));
    expect(done.size).toBe(1);
  }
});

test('a key is scoped to merchant, operation and source, and stands for one request', async () => {
  const first = await ask('one');
  expect(await ask('one')).toBe(first);
  for (const other of [{ merchantId: 'mer_2' }, { operationId: 'cancelPayment' }, { source: 'signature' as const }]) {
    expect(await ask('one', useBy('one', other))).not.toBe(first);
  }
  for (const other of [
    { method: 'PUT' },
    { target: '/v1/payments?' },
    { body: undefined },
    { body: Buffer.from('x') },
  ]) {
    await expect(ask('one', useBy('one', other))).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  }
  expect(await ask('one')).toBe(first);
});

/** As if the key had been taken that much earlier. */
const pass = (key: string, ms: number): Promise<unknown> =>
  sql`update idempotency_keys set expires_at = expires_at - make_interval(secs => ${ms / SECOND_MS})
       where id = ${useBy(key).id}`.execute(db);

test('a response is kept for a day of the database; after that the key is new', async () => {
  const first = await ask('day');
  await pass('day', DAY_MS - MINUTE_MS);
  expect(await ask('day')).toBe(first);
  await pass('day', MINUTE_MS);
  const changed = { body: Buffer.from('another') };
  const second = await ask('day', useBy('day', changed));
  expect(second).not.toBe(first);
  await pass('day', DAY_MS - MINUTE_MS);
  expect(await ask('day', useBy('day', changed))).toBe(second);
  expect(await effectsOf('day')).toEqual([first, second]);
});

test('a lost connection leaves nothing behind, and the next request does the work', async () => {
  const use = useBy('killed');
  const dying = inTransaction(db, async (trx) => {
    await idempotency.take(trx, use);
    await work(trx, 'killed', use);
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
    await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(db);
    await idempotency.store(trx, use, answer('never'));
  });
  await expect(dying).rejects.toThrow();
  const next = await ask('killed');
  expect(await effectsOf('killed')).toEqual([next]);
});

test('a response is stored encrypted, and does not decrypt in another row', async () => {
  const [secret, use] = ['sk_sandbox_very_secret', useBy('sealed')];
  await inTransaction(db, (trx) => idempotency.store(trx, use, answer(secret)));
  const row = await db.selectFrom('idempotency_keys').selectAll().where('id', '=', use.id).executeTakeFirstOrThrow();
  expect(JSON.stringify(row)).not.toContain(Buffer.from(secret).toString('hex'));
  expect(row.body?.includes(secret)).toBe(false);
  const moved = useBy('another place');
  await db
    .insertInto('idempotency_keys')
    .values({ ...row, id: moved.id })
    .execute();
  await expect(inTransaction(db, (trx) => idempotency.take(trx, moved))).rejects.toThrow(/authenticate/);
});

test('a claim reserves a key without a transaction for a minute, or until it is answered or released', async () => {
  const [use, late] = [useBy('claimed'), useBy('claimed')];
  expect(await idempotency.claim(db, use)).toBeUndefined();
  await pass('claimed', MINUTE_MS / 2);
  await expect(idempotency.claim(db, useBy('claimed'))).rejects.toMatchObject(inProgress);
  await idempotency.release(db, use);
  expect(await idempotency.claim(db, useBy('claimed'))).toBeUndefined();
  await idempotency.release(db, use); // No longer ours.
  await expect(idempotency.claim(db, useBy('claimed'))).rejects.toMatchObject(inProgress);
  await pass('claimed', MINUTE_MS);
  expect(await idempotency.claim(db, late)).toBeUndefined();
  await idempotency.store(db, late, answer('done'));
  expect(await idempotency.claim(db, late)).toEqual(answer('done'));
  await expect(idempotency.claim(db, useBy('claimed', { target: '/' }))).rejects.toMatchObject({
    code: 'IDEMPOTENCY_KEY_REUSED',
  });
});

test("a holder that lost its claim stores nothing over its successor's claim or response", async () => {
  const [slow, quick] = [useBy('fenced'), useBy('fenced')];
  await idempotency.claim(db, slow);
  await pass('fenced', MINUTE_MS);
  await idempotency.claim(db, quick);
  await idempotency.store(db, slow, answer('slow'));
  await expect(idempotency.claim(db, useBy('fenced'))).rejects.toMatchObject(inProgress);
  await idempotency.store(db, quick, answer('quick'));
  await idempotency.store(db, slow, answer('slow'));
  await idempotency.release(db, slow);
  expect(await idempotency.claim(db, useBy('fenced'))).toEqual(answer('quick'));
});

test('of forty concurrent claims one succeeds, also when an expired one is taken over', async () => {
  for (const _ of ['free', 'expired']) {
    const claims = Array.from({ length: CROWD }, () => idempotency.claim(db, useBy('claims')));
    const given = (await Promise.allSettled(claims)).filter(({ status }) => status === 'fulfilled');
    expect(given).toHaveLength(1);
    await pass('claims', MINUTE_MS);
  }
});

test('cleanup deletes expired keys, oldest first, up to its limit, and nothing else', async () => {
  await db.deleteFrom('idempotency_keys').execute();
  const ages = [3, 1, 2, 0];
  for (const days of ages) {
    await idempotency.store(db, useBy(`aged ${days}`), answer('old'));
    await pass(`aged ${days}`, days * DAY_MS + (days > 0 ? HOUR_MS : 0));
  }
  const left = async (): Promise<string[]> => {
    const names = new Map(ages.map((days) => [useBy(`aged ${days}`).id.toString('hex'), `aged ${days}`]));
    const rows = await db.selectFrom('idempotency_keys').select('id').orderBy('expires_at').execute();
    return rows.map(({ id }) => names.get(id.toString('hex')) ?? 'strange');
  };
  expect(await deleteExpiredKeys(db, 2)).toBe(2);
  expect(await left()).toEqual(['aged 1', 'aged 0']);
  expect(await deleteExpiredKeys(db, 2)).toBe(1);
  expect(await deleteExpiredKeys(db, 2)).toBe(0);
  expect(await left()).toEqual(['aged 0']);
});
