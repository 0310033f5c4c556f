import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sessionJobs } from '../../src/checkout/jobs.ts';
import { announceSession } from '../../src/checkout/listener.ts';
import { findSession, lockSession } from '../../src/checkout/queries.ts';
import { createSession, expireSession, type SessionRequest } from '../../src/checkout/service.ts';
import { type Session, statusOf } from '../../src/checkout/session.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { findPayment } from '../../src/payments/queries.ts';
import { applyInput, type PaymentDeps } from '../../src/payments/service.ts';
import type { Payment } from '../../src/payments/types.ts';
import { deleteEvents } from '../support/events.ts';
import { createPaymentWorld, type PaymentWorld, START } from '../support/payments.ts';

const USDT = 1_000_000n;
const later = (minutes: number): Date => new Date(START.getTime() + minutes * 60_000);
const END = later(120);

let world: PaymentWorld;
let deps: PaymentDeps;
let failures: string[] = [];
beforeAll(async () => {
  world = await createPaymentWorld();
  deps = { ...world.deps, listeners: [announceSession] };
});
afterAll(() => world.close());

const create = (request: Partial<SessionRequest> = {}) =>
  inTransaction(world.db, (trx) =>
    createSession(
      trx,
      deps,
      {
        merchantId: world.merchantId,
        merchantToleranceBps: null,
        amountMinor: 2500n,
        currency: 'USD',
        description: null,
        items: null,
        customerEmail: null,
        locale: null,
        successUrl: 'https://shop.example/ok?order=7',
        cancelUrl: 'https://shop.example/no',
        metadata: { orderId: 'A-1' },
        expiresAt: END,
        ...request,
      },
      START,
    ),
  );
const read = async (id: string): Promise<Session> => {
  const session = await findSession(world.db, { id, merchantId: world.merchantId });
  if (!session) throw new Error(`there is no session ${id}`);
  return session;
};
const paymentOf = async (id: string): Promise<Payment> => {
  const payment = await findPayment(world.db, { id: (await read(id)).paymentId });
  if (!payment) throw new Error(`session ${id} has no payment`);
  return payment;
};
const apply = (payment: Payment, command: Parameters<typeof applyInput>[3] = null, now = later(1)) =>
  inTransaction(world.db, (trx) => applyInput(trx, deps, { id: payment.id }, command, now));
const expire = (id: string, now = later(1), merchantId = world.merchantId) =>
  inTransaction(world.db, (trx) => expireSession(trx, deps, { id, merchantId }, now));
const eventsOf = async (id: string) => {
  const rows = await world.db
    .selectFrom('events')
    .select('body')
    .where('resource_id', '=', id)
    .orderBy('sequence')
    .execute();
  return rows.map(({ body }) => JSON.parse(body.toString('utf8')));
};
const job = () => {
  const [found] = sessionJobs({ ...deps, db: world.db, log: (_, message) => void failures.push(message) });
  if (!found) throw new Error('there is no job');
  return found;
};
const runJob = (now = later(2)) => job().run({ now, real: now, signal: new AbortController().signal });

let height = 100;
/** Pays a session's payment in full, in its own block, and confirms it by default. */
async function pay(payment: Payment, at: { confirm?: boolean; time?: Date; now?: Date } = {}): Promise<Payment> {
  height += 5;
  await world.arrive(payment, 25n * USDT, { height, tx: `0x${height}`, time: at.time ?? START });
  await world.head(at.confirm === false ? height : height + 1, at.time ?? START);
  return apply(payment, null, at.now ?? later(1));
}

/** Scans the chain past the end of every session. */
async function scanPastTheEnd(): Promise<void> {
  height += 1;
  await world.head(height, later(121));
}

test('a session and its payment are created together and end at the same time', async () => {
  const { id, expiresAt } = await create();
  const payment = await paymentOf(id);
  expect(expiresAt).toEqual(END);
  expect(payment).toMatchObject({
    status: 'initiated',
    source: 'session',
    sessionId: id,
    amountMinor: 2500n,
    metadata: { orderId: 'A-1' },
    successUrl: 'https://shop.example/ok?order=7',
    cancelUrl: 'https://shop.example/no',
    expiresAt: END,
  });
  expect(await read(id)).toEqual({
    id,
    merchantId: world.merchantId,
    merchantName: 'Tea House',
    paymentId: payment.id,
    amountMinor: 2500n,
    currency: 'USD',
    successUrl: 'https://shop.example/ok?order=7',
    cancelUrl: 'https://shop.example/no',
    metadata: { orderId: 'A-1' },
    status: 'open',
    paymentStatus: 'initiated',
    eventSequence: 0,
    expiresAt: END,
    createdAt: START,
  });
  expect(await findSession(world.db, { id, merchantId: 'mer_stranger' })).toBeUndefined();
});

describe('a session whose payment is paid', () => {
  test('reads as completed at once, and is announced once by the job', async () => {
    const { id } = await create();
    expect((await pay(await paymentOf(id), { confirm: false })).status).toBe('confirming');
    expect(statusOf(await read(id), later(1))).toBe('open');
    await runJob();
    expect(await eventsOf(id)).toEqual([]);

    await world.head(height + 1);
    await apply(await paymentOf(id));
    expect(statusOf(await read(id), later(1))).toBe('completed');
    expect(await job().nextDue?.()).toEqual(later(1));
    await runJob();
    await runJob();
    expect(await job().nextDue?.()).toBeNull();
    expect(await read(id)).toMatchObject({ status: 'completed', eventSequence: 1 });
    const events = await eventsOf(id);
    expect(events.map(({ type, sequence }) => [type, sequence])).toEqual([['checkout.session.completed', 1]]);
    expect(events[0].data).toEqual({
      id,
      status: 'completed',
      amount: 25,
      currency: 'USD',
      paymentId: (await read(id)).paymentId,
      checkoutUrl: `http://localhost/checkout/session/${id}`,
      successUrl: 'https://shop.example/ok?order=7',
      cancelUrl: 'https://shop.example/no',
      metadata: { orderId: 'A-1' },
      expiresAt: END.toISOString(),
      createdAt: START.toISOString(),
    });
  });

  test('can no longer be expired, before or after the job has run', async () => {
    const { id } = await create();
    await pay(await paymentOf(id));
    const refusal = { code: 'CONFLICT', message: 'The session is completed. Only an open session can be expired.' };
    await expect(expire(id)).rejects.toMatchObject(refusal);
    await runJob();
    await expect(expire(id)).rejects.toMatchObject(refusal);
  });

  test('is announced once by two concurrent runs of the job', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, async () => (await create()).id));
    for (const id of ids) await pay(await paymentOf(id));
    await Promise.all([runJob(), runJob(), runJob()]);
    for (const id of ids) expect(await eventsOf(id)).toHaveLength(1);
    expect(failures).toEqual([]);
  });
});

describe('expiring a session', () => {
  test('ends with its payment, and both are announced in the same transaction', async () => {
    const { id } = await create();
    const session = await expire(id);
    expect(session.status).toBe('expired');
    expect(await paymentOf(id)).toMatchObject({ status: 'expired', reason: 'cancelled' });
    expect((await eventsOf(id)).map(({ type, data }) => [type, data.status])).toEqual([
      ['checkout.session.expired', 'expired'],
    ]);
    await runJob();
    expect(await eventsOf(id)).toHaveLength(1);
    await expect(expire(id)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('is refused while the payment is confirming, and changes nothing', async () => {
    const { id } = await create();
    await pay(await paymentOf(id), { confirm: false });
    await expect(expire(id)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(statusOf(await read(id), later(1))).toBe('open');
    expect((await paymentOf(id)).status).toBe('confirming');
  });

  test('is refused after its end, and for another merchant', async () => {
    const { id } = await create();
    await expect(expire(id, END)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'The session is expired. Only an open session can be expired.',
    });
    await expect(expire(id, later(1), 'mer_stranger')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(expire('cs_unknown')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('twice concurrently succeeds once', async () => {
    const { id } = await create();
    const results = await Promise.allSettled([expire(id), expire(id), expire(id)]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await eventsOf(id)).toHaveLength(1);
  });
});

describe('a session that reaches its end', () => {
  test('reads as expired before its payment does, and is announced when the payment expires', async () => {
    const { id } = await create();
    expect(statusOf(await read(id), later(119.999))).toBe('open');
    expect(statusOf(await read(id), END)).toBe('expired');
    await runJob(END);
    expect(await eventsOf(id)).toEqual([]);
    await scanPastTheEnd();
    expect((await apply(await paymentOf(id), { kind: 'clock' }, later(122))).status).toBe('expired');
    await runJob(later(122));
    expect((await eventsOf(id)).map(({ type }) => type)).toEqual(['checkout.session.expired']);
    expect(await read(id)).toMatchObject({ status: 'expired' });
  });

  test('is completed when its payment is paid late', async () => {
    const { id } = await create();
    await scanPastTheEnd();
    await apply(await paymentOf(id), { kind: 'clock' }, later(122));
    await runJob(later(122));
    const paid = await pay(await paymentOf(id), { time: later(130), now: later(131) });
    expect(paid).toMatchObject({ status: 'paid', exception: 'late' });
    await runJob(later(131));
    expect((await eventsOf(id)).map(({ type, sequence, data }) => [type, sequence, data.status])).toEqual([
      ['checkout.session.expired', 1, 'expired'],
      ['checkout.session.completed', 2, 'completed'],
    ]);
  });

  test('and is paid late before the job runs emits both events in order', async () => {
    const { id } = await create();
    await scanPastTheEnd();
    await apply(await paymentOf(id), { kind: 'clock' }, later(122));
    await pay(await paymentOf(id), { time: later(130), now: later(131) });
    await runJob(later(132));
    expect((await eventsOf(id)).map(({ type }) => type)).toEqual([
      'checkout.session.expired',
      'checkout.session.completed',
    ]);
  });

  test('is extended when a reorg extends its payment', async () => {
    const { id } = await create({ expiresAt: later(30) });
    await pay(await paymentOf(id), { confirm: false });
    await world.orphan(height - 1);
    expect((await apply(await paymentOf(id), null, later(29))).status).toBe('pending');
    const session = await read(id);
    expect(session.expiresAt).toEqual(later(89));
    expect(statusOf(session, later(60))).toBe('open');
  });
});

test('a session that cannot be finished is reported, blocks no other and is retried', async () => {
  const [stuck, free] = [(await create()).id, (await create()).id];
  await pay(await paymentOf(stuck));
  await pay(await paymentOf(free));
  // The number of its next event is taken, so announcing it fails.
  const draft = { merchantId: world.merchantId, type: 'checkout.session.expired', resourceId: stuck } as const;
  await inTransaction(world.db, (trx) => deps.events.record(trx, { ...draft, sequence: 1, data: {} }, START));
  await runJob();
  expect(failures).toEqual([`checkout session ${stuck} could not be settled`]);
  expect((await eventsOf(free)).map(({ type }) => type)).toEqual(['checkout.session.completed']);

  failures = [];
  await deleteEvents(world.database.ownerUrl, stuck);
  await runJob();
  expect(failures).toEqual([]);
  expect((await eventsOf(stuck)).map(({ type }) => type)).toEqual(['checkout.session.completed']);
});

test('a locked session is skipped', async () => {
  const { id } = await create();
  await pay(await paymentOf(id));
  await inTransaction(world.db, async (trx) => {
    await lockSession(trx, { id });
    await runJob();
    expect(await eventsOf(id)).toEqual([]);
  });
  await runJob();
  expect(await eventsOf(id)).toHaveLength(1);
});
