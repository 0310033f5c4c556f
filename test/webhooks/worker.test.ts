import { ed25519 } from '@noble/curves/ed25519.js';
import { describe, expect, test } from 'vitest';
import { openDatabase, poolLoad } from '../../src/db/database.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { HOUR_MS } from '../../src/lib/clock.ts';
import { contentToSign } from '../../src/lib/standard-webhooks.ts';
import { createWebhookKeys } from '../../src/webhooks/keys.ts';
import { rotateKeys } from '../../src/webhooks/rotate.ts';
import type { Received } from '../support/receiver.ts';
import { endLeases, SOON, useWebhooks } from './fixture.ts';

const { hooks, receive } = useWebhooks('webhook_endpoints');

const publicKeysOf = async (merchantId: string): Promise<Buffer[]> => {
  const query = hooks.db.selectFrom('webhook_keys').select('public_key').where('merchant_id', '=', merchantId);
  return (await query.orderBy('created_at', 'desc').execute()).map((row) => row.public_key);
};

/** Makes a merchant's key one that does not decrypt. */
const breakKeyOf = (merchantId: string): Promise<unknown> =>
  hooks.db
    .updateTable('webhook_keys')
    .set({ sealed_seed: Buffer.alloc(129, 1) })
    .where('merchant_id', '=', merchantId)
    .execute();

/** Which key made each signature, in the header's order; -1 for none. */
function signersOf(request: Received, keys: readonly Buffer[]): number[] {
  const content = contentToSign(
    String(request.headers['webhook-id']),
    Number(request.headers['webhook-timestamp']),
    request.body,
  );
  return String(request.headers['webhook-signature'])
    .split(' ')
    .map((token) => {
      const signature = Buffer.from(token.replace(/^v1a,/, ''), 'base64');
      return keys.findIndex((key) => ed25519.verify(signature, content, key));
    });
}

describe('a delivery', () => {
  test('carries the stored bytes, the headers of Standard Webhooks in real time, and a valid signature', async () => {
    const receiver = await receive((_, response) => {
      response.writeHead(200).end('thanks');
      return undefined;
    });
    const merchantId = await hooks.makeMerchant(receiver.url);
    const [eventId = ''] = await hooks.announce(merchantId);
    await hooks.makeWorker().deliver();

    const [request] = receiver.received as [Received];
    const event = await hooks.db
      .selectFrom('events')
      .select('body')
      .where('id', '=', eventId)
      .executeTakeFirstOrThrow();
    expect(request.body.equals(event.body)).toBe(true);
    expect(request.headers).toMatchObject({
      'webhook-id': eventId,
      'content-type': 'application/json',
      'user-agent': 'Kasi-Webhooks/1',
      'content-length': String(event.body.length),
    });
    expect(Math.abs(Number(request.headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(5);
    expect(signersOf(request, await publicKeysOf(merchantId))).toEqual([0]);

    const [delivery] = await hooks.deliveriesOf(merchantId);
    expect(delivery).toMatchObject({
      status: 'success',
      status_code: 200,
      attempts: 1,
      failure: null,
      next_attempt_at: null,
    });
    const attempts = await hooks.attemptsOf(delivery?.id ?? '');
    expect(attempts).toMatchObject([{ attempt: 1, status_code: 200, url: receiver.url, response_excerpt: 'thanks' }]);
    expect(attempts[0]?.started_at).toEqual(hooks.clock.now());
  });

  test('is signed by the new key first and by the retiring ones', async () => {
    const receiver = await receive();
    const merchantId = await hooks.makeMerchant(receiver.url);
    for (const retiresInMs of [-HOUR_MS, HOUR_MS]) {
      await hooks.db
        .updateTable('webhook_keys')
        .set({ retires_at: new Date(Date.now() + retiresInMs) })
        .where('merchant_id', '=', merchantId)
        .where('retires_at', 'is', null)
        .execute();
      hooks.moveBy(1);
      await inTransaction(hooks.db, (trx) => createWebhookKeys(trx, hooks.ring, merchantId, hooks.clock.now()));
    }
    await hooks.announce(merchantId);
    await hooks.makeWorker().deliver();
    const keys = await publicKeysOf(merchantId);
    expect(keys).toHaveLength(3);
    expect(receiver.received.map((request) => signersOf(request, keys))).toEqual([[0, 1]]);
  });

  test('follows a rotation by another process at once', async () => {
    const receiver = await receive();
    const merchantId = await hooks.makeMerchant(receiver.url);
    const worker = hooks.makeWorker();
    const send = async (): Promise<void> => {
      await hooks.announce(merchantId);
      await worker.deliver();
    };
    const rotate = (gracePeriodSeconds: number) => {
      hooks.moveBy(1);
      const rotation = { merchantId, gracePeriodSeconds, real: new Date() };
      return inTransaction(hooks.db, (trx) => rotateKeys(trx, hooks.ring, rotation));
    };
    await send();
    await rotate(3600);
    await send();
    await rotate(0);
    await send();
    const keys = await publicKeysOf(merchantId);
    expect(receiver.received.map((request) => signersOf(request, keys))).toEqual([[2], [1, 2], [0]]);
  });

  test('keeps the first 2 kB of a response, as storable text', async () => {
    const receiver = await receive((_, response) => {
      response.writeHead(500).end(Buffer.concat([Buffer.from([0x61, 0x00, 0xff]), Buffer.alloc(100_000, 'x')]));
      return undefined;
    });
    const merchantId = await hooks.makeMerchant(receiver.url);
    await hooks.announce(merchantId);
    await hooks.makeWorker().deliver();
    const [delivery] = await hooks.deliveriesOf(merchantId);
    expect(delivery).toMatchObject({ status: 'pending', status_code: 500, failure: 'status' });
    const [attempt] = await hooks.attemptsOf(delivery?.id ?? '');
    expect(attempt?.response_excerpt).toBe(`a\uFFFD\uFFFD${'x'.repeat(2045)}`);
  });

  test('to an address that is no longer allowed is a failed attempt', async () => {
    const receiver = await receive();
    const merchantId = await hooks.makeMerchant(receiver.url);
    await hooks.announce(merchantId);
    await hooks.makeWorker({ outbound: hooks.openOutbound(false) }).deliver();
    expect(receiver.received).toHaveLength(0);
    const [delivery] = await hooks.deliveriesOf(merchantId);
    expect(delivery).toMatchObject({ status: 'pending', attempts: 1, status_code: null, failure: 'blocked_address' });
  });

  test('whose key does not decrypt is not sent, is logged once, and does not count against the endpoint', async () => {
    const receiver = await receive();
    const merchantId = await hooks.makeMerchant(receiver.url);
    await breakKeyOf(merchantId);
    await hooks.announce(merchantId, 3);
    await hooks.makeWorker().deliver();
    expect(receiver.received).toHaveLength(0);
    expect(hooks.logged).toEqual([expect.stringMatching(/webhook key whk_\w+ does not open/)]);
    const deliveries = await hooks.deliveriesOf(merchantId);
    expect(deliveries.map(({ status, failure }) => [status, failure])).toEqual(
      Array(3).fill(['pending', 'signing_failed']),
    );
    expect((await hooks.endpointOf(merchantId)).failing_since).toBeNull();
  });
});

test('attempts that end in the same moment are recorded, although another one hangs', async () => {
  const hanging = await receive(() => undefined);
  const slow = await hooks.makeMerchant(hanging.url);
  const keyless = await hooks.makeMerchant(hanging.url);
  await breakKeyOf(keyless);
  await hooks.announce(slow);
  await hooks.announce(keyless, 3);
  const stop = new AbortController();
  const running = hooks.makeWorker().deliver(stop.signal);
  const attemptsOf = async (merchantId: string) => (await hooks.deliveriesOf(merchantId)).map((row) => row.attempts);
  await expect.poll(() => attemptsOf(keyless), SOON).toEqual([1, 1, 1]);
  expect(await attemptsOf(slow), 'it still hangs').toEqual([0]);
  stop.abort();
  await hanging.close();
  await running;
});

/** A worker with connections of its own, and what resolves once it asks the database for nothing. */
function makeWorkerApart() {
  const options = { url: hooks.database.url, poolMax: 4, applicationName: 'test', onError: () => undefined };
  const db = openDatabase(options);
  const asked = (): number => poolLoad(db).in_use + poolLoad(db).waiting;
  const quiet = () => expect.poll(asked, SOON).toBe(0);
  return { worker: hooks.makeWorker({ db }), quiet, close: () => db.destroy() };
}

describe('a lease', () => {
  test('keeps a second worker away, and once it has ended, the late first one overwrites nothing', async () => {
    const hanging: { end: (status: number) => void }[] = [];
    const receiver = await receive((_, response) => {
      if (hanging.length === 1) return 200;
      hanging.push({ end: (status) => response.writeHead(status).end('late') });
      return undefined;
    });
    const merchantId = await hooks.makeMerchant(receiver.url);
    await hooks.announce(merchantId);
    const { worker: late, quiet, close } = makeWorkerApart();
    const punctual = hooks.makeWorker();
    const stop = new AbortController();
    const running = late.deliver(stop.signal);
    await expect.poll(() => hanging.length, SOON).toBe(1);

    await punctual.deliver();
    expect(receiver.received).toHaveLength(1);
    expect(await late.nextDue()).toBeNull();
    stop.abort(); // It waits for its answer and claims nothing more: it could else be the one that claims again.
    await quiet(); // Nor by a claim that it has begun.

    await endLeases(hooks.db, merchantId);
    await punctual.deliver();
    expect(receiver.received).toHaveLength(2);
    const [before] = await hooks.deliveriesOf(merchantId);
    expect(before).toMatchObject({ status: 'success', status_code: 200, attempts: 2 });

    hanging[0]?.end(500);
    await running;
    expect(await hooks.deliveriesOf(merchantId)).toEqual([before]);
    const attempts = await hooks.attemptsOf(before?.id ?? '');
    expect(attempts.map(({ attempt, status_code }) => [attempt, status_code])).toEqual([
      [1, 500],
      [2, 200],
    ]);
    await close();
  });

  test('lost by a worker while sending does not let it affect the next one', async () => {
    const open: (() => void)[] = [];
    const receiver = await receive((_, response) => {
      open.push(() => response.writeHead(200).end());
      return undefined;
    });
    const merchantId = await hooks.makeMerchant(receiver.url);
    await hooks.announce(merchantId);
    const { worker: first, quiet, close } = makeWorkerApart();
    const second = hooks.makeWorker();
    const stop = new AbortController();
    const runs = [first.deliver(stop.signal)];
    await expect.poll(() => open.length, SOON).toBe(1);
    stop.abort(); // It could else claim it back before the other does, which is allowed.
    await quiet(); // Also by a claim that it has begun.
    await endLeases(hooks.db, merchantId);
    runs.push(second.deliver());
    await expect.poll(() => open.length, SOON).toBe(2);
    open[0]?.(); // The first one's 200 arrives while the second one has the lease.
    await runs[0];
    const [held] = await hooks.deliveriesOf(merchantId);
    expect(held?.status).toBe('pending');
    expect(await hooks.slotsOf(merchantId)).toMatchObject([{ delivery_id: held?.id, attempt: 2 }]);
    open[1]?.();
    await runs[1];
    expect(await hooks.deliveriesOf(merchantId)).toMatchObject([{ status: 'success', attempts: 2 }]);
    expect(await hooks.slotsOf(merchantId)).toEqual([]);
    await close();
  });
});
