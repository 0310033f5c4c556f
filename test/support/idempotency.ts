import { sql } from 'kysely';
import { expect } from 'vitest';
import { operationMeta } from '../../generated/operations.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { createIdempotency } from '../../src/idempotency/idempotency.ts';
import { useOf } from '../../src/idempotency/use.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { createKeyRing } from '../../src/lib/envelope.ts';
import type { OperationId } from '../../src/ports/operation.ts';
import type { Answer } from '../harness.ts';
import { checkedFetch } from './answers.ts';

export type KeyedCase = {
  readonly operationId: OperationId;
  readonly merchantId: string;
  readonly db: Db;
  readonly path: string;
  /** Sends the operation's request under a key, to a path that may vary slightly. */
  readonly send: (key: string, path: string) => Promise<Answer>;
};

let keys = 0;

/** A key that no other test uses. */
export const newKey = (): string => {
  keys += 1;
  return `order-${keys}`;
};

/** Sends JSON with a merchant's access token, to a service started without the harness. */
export const sendUnderKey =
  (url: string, token: string | undefined, raw: string): KeyedCase['send'] =>
  async (key, path) => {
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': key, 'content-type': 'application/json' };
    const response = await checkedFetch()(new Request(`${url}${path}`, { method: 'POST', headers, body: raw }));
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: JSON.parse(text), text };
  };

/**
 * What the contract promises for every operation with an idempotency key: it works once, repeats the same bytes,
 * refuses another request under the key, and refuses concurrent ones.
 */
export async function expectKeysKept({ operationId, merchantId, db, path, send }: KeyedCase): Promise<void> {
  const key = newKey();
  const held = { operationId, merchantId, key };
  const during = await whileHeld(db, held, () => send(key, path));
  expect({ status: during.status, ...(during.body as object) }).toMatchObject({
    status: 409,
    error: { code: 'IDEMPOTENCY_IN_PROGRESS' },
  });
  expect(during.headers.get('retry-after')).toBe('1');

  const first = await send(key, path);
  expect(first.status).toBe(operationMeta[operationId].successStatus[0]);
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  const again = await send(key, path);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect([again.status, again.text]).toEqual([first.status, first.text]);
  expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
  expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));

  const other = await send(key, `${path}?`);
  expect({ status: other.status, ...(other.body as object) }).toMatchObject({
    status: 422,
    error: { code: 'IDEMPOTENCY_KEY_REUSED' },
  });
}

type Held = { readonly operationId: OperationId; readonly merchantId: string; readonly key: string };

/** Runs `work` while another request of the operation holds the key. */
async function whileHeld<T>(db: Db, held: Held, work: () => Promise<T>): Promise<T> {
  const { take, claim, release } = createIdempotency(NO_RING, Buffer.alloc(32));
  const use = useOf({
    ...held,
    source: 'header',
    requestId: 'req_another',
    bySession: false,
    method: 'POST',
    target: '/',
    body: undefined,
  });
  if (operationMeta[held.operationId].transaction === 'request') {
    return inTransaction(db, async (trx) => {
      await take(trx, use);
      return work();
    });
  }
  await claim(db, use);
  const done = await work();
  await release(db, use);
  return done;
}

/** Nothing is stored, so nothing is encrypted. */
const NO_RING = createKeyRing(Buffer.alloc(32));

/** The effects of an order: payments, their events and audit entries. `order` is in the metadata. */
export async function effectsOf(db: Db, order: string) {
  const { rows } = await sql<{ payments: number; events: number; entries: number }>`
    with mine as (select id from payments where metadata->>'order' = ${order})
    select (select count(*)::int from mine) as payments,
           (select count(*)::int from events where resource_id in (select id from mine)) as events,
           (select count(*)::int from audit_log where resource_id in (select id from mine)) as entries`.execute(db);
  return rows[0];
}

export const NEVER = { payments: 0, events: 0, entries: 0 };
export const ONCE = { payments: 1, events: 1, entries: 1 };
