import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { describe, expect } from 'vitest';
import { test } from '../fixture.ts';
import type { Answer, TestMerchant, TestService } from '../harness.ts';
import { connectOwner, urlsOf } from '../support/database.ts';
import { countWaitingFor } from '../support/waiting.ts';

/** More than the pool has connections. */
const CROWD = 40;

/** Runs `work` while a crowd of requests waits for what this statement has locked. */
async function beside(
  service: TestService,
  lock: string,
  send: () => Promise<Answer>,
  work: () => Promise<void>,
  heldUp = 4,
): Promise<number[]> {
  const owner: pg.Client = await connectOwner(await urlsOf(service.db));
  try {
    await owner.query(`begin; ${lock}`);
    const crowd = Array.from({ length: CROWD }, send);
    const waiting = async () => {
      // The service may have no connection left to ask by.
      const { rows } = await owner.query(`
        select from pg_locks l join pg_database d on d.oid = l.database
         where d.datname = current_database() and not l.granted`);
      return rows.length;
    };
    await expect.poll(waiting).toBeGreaterThanOrEqual(heldUp);
    await work();
    await owner.query('rollback');
    return (await Promise.all(crowd)).map(({ status }) => status);
  } finally {
    await owner.end();
  }
}

describe('requests of one merchant that wait leave connections for others', () => {
  const reads = async (service: TestService, { token }: TestMerchant): Promise<void> => {
    const read = service.send('GET', '/v1/payments', { token }).then(({ status }) => status);
    expect(await Promise.race([read, sleep(1000, 'it waits, too')])).toBe(200);
  };

  test('where they read', async ({ service }) => {
    const [crowded, other] = [await service.activeMerchant(), await service.activeMerchant()];
    const send = () => service.send('GET', '/v1/subscriptions', { token: crowded.token });
    const lock = 'lock table subscriptions in access exclusive mode';
    expect(await beside(service, lock, send, () => reads(service, other))).toEqual(Array(CROWD).fill(200));
  });

  test('where they write', async ({ service }) => {
    const [crowded, other] = [await service.activeMerchant(), await service.activeMerchant()];
    await reads(service, other); // What is read first takes longer, and what waits for the lock gives up in seconds.
    const body = { name: 'A key' };
    const send = () => service.send('POST', '/v1/api-keys', { token: crowded.token, body });
    const lock = `select from merchants where id = '${crowded.id}' for update`;
    const statuses = await beside(service, lock, send, () => reads(service, other));
    expect([...new Set(statuses)].sort()).toEqual([201, 409]);
  });

  const FILE = '/v1/settlements/statements/2026-01/csv';

  test('where they send a file piece by piece', async ({ service }) => {
    const [crowded, other] = [await service.activeMerchant(), await service.activeMerchant()];
    const send = () => service.send('GET', FILE, { token: crowded.token });
    const lock = 'lock table journals in access exclusive mode';
    const work = async () => {
      await reads(service, other);
      await reads(service, crowded); // One file at a time goes on, and takes none of what its merchant reads by.
      expect(await countWaitingFor(service.db, 'journals')).toBe(1);
    };
    expect(await beside(service, lock, send, work, 1)).toEqual(Array(CROWD).fill(200));
  });

  test('and what they only ask about is not read', async ({ service }) => {
    const [crowded, other] = [await service.activeMerchant(), await service.activeMerchant()];
    const owner = await connectOwner(await urlsOf(service.db));
    try {
      await owner.query('begin; lock table journals in access exclusive mode');
      const asked = Array.from({ length: CROWD }, () => service.send('HEAD', FILE, { token: crowded.token }));
      for (const { status, headers } of await Promise.all(asked)) {
        expect(status).toBe(200);
        expect(headers.get('content-type')).toMatch(/^text\/csv/);
        expect(headers.get('content-length')).toBeNull();
      }
      await reads(service, other);
      expect(await countWaitingFor(service.db, 'journals')).toBe(0);
    } finally {
      await owner.end();
    }
  });
});

test('a payment that is read by its key waits for no other read of its merchant', async ({ service, merchant }) => {
  const { id } = await merchant.client.payments.create({ amount: 5, currency: 'USD' });
  const send = () => service.send('GET', '/v1/subscriptions', { token: merchant.token });
  const lock = 'lock table subscriptions in access exclusive mode';
  const reads = async () => {
    for (const [path, status] of [
      [id, 200],
      ['pay_01jggfnds9e9gt3f3v5s7k2m4n', 404],
    ] as const) {
      const read = service.send('GET', `/v1/payments/${path}`, { token: merchant.token });
      expect(await Promise.race([read.then((answer) => answer.status), sleep(1000, 'it waits, too')])).toBe(status);
    }
  };
  expect(await beside(service, lock, send, reads)).toEqual(Array(CROWD).fill(200));
});

test('requests of several merchants that wait leave connections for payers', async ({ service, merchant }) => {
  const payment = await merchant.client.payments.create({ amount: 5, currency: 'USD' });
  const crowd = await Promise.all(Array.from({ length: 6 }, () => service.activeMerchant()));
  let sent = 0;
  const send = () => service.send('GET', '/v1/subscriptions', { token: crowd[sent++ % crowd.length]?.token ?? '' });
  const lock = 'lock table subscriptions in access exclusive mode';
  const reads = async () => {
    const read = service.send('GET', `/v1/public/payments/${payment.id}`).then(({ status }) => status);
    expect(await Promise.race([read, sleep(1000, 'it waits, too')])).toBe(200);
  };
  expect(await beside(service, lock, send, reads)).toEqual(Array(CROWD).fill(200));
});
