import { expect, test, vi } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { newId } from '../../src/lib/ids.ts';
import { pendingChecks } from '../../src/webhooks/certify/play.ts';
import { insertRun } from '../../src/webhooks/certify/queries.ts';
import type { Receiver } from '../support/receiver.ts';
import { SOON, useWebhooks } from './fixture.ts';

const { hooks, receive } = useWebhooks('webhook_certifications');

/** Inserts a run for `url` that waits to be played. */
async function begin(url: string): Promise<string> {
  const { clock, db } = hooks;
  const merchantId = await hooks.makeMerchant(url);
  const id = newId('certification', clock.now());
  await inTransaction(db, (trx) => insertRun(trx, { id, merchantId, url, checks: pendingChecks() }, clock.now()));
  return id;
}

/** The certification job of another process. */
const makeProcess = (outbound = hooks.openOutbound()) => hooks.makeWorker({ outbound }).certify;

const runOf = (id: string) =>
  hooks.db.selectFrom('webhook_certifications').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** Ends the lease of a run whose process was killed. */
const endLease = (id: string) =>
  hooks.db
    .updateTable('webhook_certifications')
    .set({ locked_until: new Date(Date.now() - 1000) })
    .where('id', '=', id)
    .execute();

/** An endpoint whose first request hangs until released; later ones are refused. */
async function hangOnce(): Promise<{ receiver: Receiver; release: () => void }> {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const receiver = await receive(async () => {
    if (receiver.received.length === 1) await held;
    return 503;
  });
  return { receiver, release };
}

test('a notification starts a run, and one of three processes plays it', async () => {
  const receiver = await receive(() => 302);
  const ids = [await begin(receiver.url), await begin(receiver.url)];
  await Promise.all([makeProcess(), makeProcess(), makeProcess()].map((run) => run()));
  expect(receiver.received).toHaveLength(2);
  for (const id of ids) expect(await runOf(id)).toMatchObject({ status: 'completed', verdict: 'failed', plays: 1 });
});

test('a run requested while another is being played does not wait for it', async () => {
  const { receiver, release } = await hangOnce();
  const slow = await begin(receiver.url);
  const played = makeProcess()();
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), SOON);
  const quick = await begin((await receive(() => 302)).url);
  await vi.waitFor(async () => expect((await runOf(quick)).status).toBe('completed'), SOON);
  expect((await runOf(slow)).status).toBe('running');
  release();
  await played;
});

test("the run of a process that died is restarted by another, and the dead one's late result changes nothing", async () => {
  const { receiver, release } = await hangOnce();
  const id = await begin(receiver.url);
  const dead = makeProcess()();
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), SOON);
  await makeProcess()(); // Its lease is valid: nothing to do.
  expect(receiver.received).toHaveLength(1);
  await endLease(id);
  await makeProcess()();
  // The dead one lives in this test, and may have been the one to restart it.
  await vi.waitFor(async () => expect((await runOf(id)).status).toBe('completed'), SOON);
  const ended = await runOf(id);
  expect(ended).toMatchObject({ status: 'completed', verdict: 'failed', plays: 2, locked_by: null });
  release();
  await dead;
  expect(await runOf(id)).toEqual(ended);
  expect(receiver.received).toHaveLength(2);
});

test('a run whose second process died as well is interrupted, and another may be started', async () => {
  const { receiver, release } = await hangOnce();
  const id = await begin(receiver.url);
  const { merchant_id: merchantId } = await runOf(id);
  await hooks.db.updateTable('webhook_certifications').set({ plays: 1 }).where('id', '=', id).execute();
  const dead = makeProcess()();
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), SOON);
  await endLease(id);
  await makeProcess()();
  expect(await runOf(id)).toMatchObject({ status: 'interrupted', verdict: null, finished_at: hooks.clock.now() });
  expect(receiver.received).toHaveLength(1);
  const draft = { id: newId('certification', hooks.clock.now()), merchantId, url: receiver.url, checks: [] };
  expect(await inTransaction(hooks.db, (trx) => insertRun(trx, draft, hooks.clock.now()))).toBe(true);
  release();
  await dead;
  expect((await runOf(id)).status).toBe('interrupted');
});

test('a stopped process releases its run, which the next one restarts', async () => {
  const { receiver, release } = await hangOnce();
  const id = await begin(receiver.url);
  const stopping = new AbortController();
  const stopped = makeProcess()(stopping.signal);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), SOON);
  stopping.abort();
  release();
  await stopped;
  expect(await runOf(id)).toMatchObject({ status: 'running', plays: 0, locked_by: null });
  await makeProcess()();
  expect(await runOf(id)).toMatchObject({ status: 'completed', plays: 1 });
});

test('the fifty newest runs of a merchant are kept', async () => {
  const first = await begin('http://127.0.0.1:1/hooks');
  const { merchant_id: merchantId, url } = await runOf(first);
  const start = async (): Promise<string> => {
    const { clock, db } = hooks;
    const ended = { status: 'interrupted', finished_at: clock.now() };
    await db.updateTable('webhook_certifications').set(ended).where('status', '=', 'running').execute();
    hooks.moveBy(1);
    const id = newId('certification', clock.now());
    await inTransaction(db, (trx) => insertRun(trx, { id, merchantId, url, checks: [] }, clock.now()));
    return id;
  };
  const others = await begin(url);
  const ids: string[] = [];
  for (let count = 0; count < 50; count += 1) ids.push(await start());
  const kept = await hooks.db.selectFrom('webhook_certifications').select('id').orderBy('id').execute();
  expect(kept.map(({ id }) => id)).toEqual([others, ...ids]);
});

test('an address that is not public is not called', async () => {
  const receiver = await receive();
  const id = await begin(receiver.url);
  await makeProcess(hooks.openOutbound(false))();
  const { checks, verdict } = await runOf(id);
  expect([verdict, receiver.connections()]).toEqual(['failed', 0]);
  expect(checks).toMatchObject([
    { observed: expect.stringContaining('not public') },
    ...Array(8).fill({ status: 'skipped' }),
  ]);
});

test('without a usable key nothing is sent, and the run ends as interrupted', async () => {
  const receiver = await receive();
  const id = await begin(receiver.url);
  const { merchant_id: merchantId } = await runOf(id);
  const sealed_seed = Buffer.alloc(100);
  await hooks.db.updateTable('webhook_keys').set({ sealed_seed }).where('merchant_id', '=', merchantId).execute();
  for (let play = 1; play <= 2; play += 1) {
    await makeProcess()();
    expect(await runOf(id)).toMatchObject({ status: 'running', plays: play });
    await endLease(id);
  }
  await makeProcess()();
  expect((await runOf(id)).status).toBe('interrupted');
  expect(receiver.received).toHaveLength(0);
  expect(hooks.logged.filter((message) => message.includes('broke off'))).toHaveLength(2);
});
