import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { type Answer, PASSWORD, type TestMerchant, type TestService } from '../harness.ts';
import type { AnswerLoser } from '../support/answer-loser.ts';
import { startLossyService } from '../support/lossy-service.ts';
import { fund, WALLET } from '../support/withdrawals.ts';

let loser: AnswerLoser;
let service: TestService;
let close: () => Promise<void>;
let merchant: TestMerchant;
beforeAll(async () => {
  ({ loser, service, close } = await startLossyService());
  merchant = await service.activeMerchant();
  await fund(service.db, merchant.id, 100_000n);
});
afterAll(async () => {
  const { findings } = await reconcile(service.db);
  await close();
  expect(findings).toEqual([]);
});

test.for([
  ['payments', { amount: 5, currency: 'USD' }],
  // Where it takes a number ahead, all of it is one piece.
  ['payments', { amount: 6, currency: 'USD' }],
  ['payments', { amount: 7, currency: 'USD' }],
  ['withdrawals', { amount: 50, method: 'crypto', destinationAddress: WALLET }],
] as const)(
  'of %s whose commit had no answer, a key tells what became, and nothing is done twice',
  async ([table, body]) => {
    const before = await service.db.selectFrom(table).select('id').execute();
    const headers = { 'idempotency-key': randomUUID() };
    const ask = (): Promise<Answer> => service.send('POST', `/v1/${table}`, { body, headers, token: merchant.token });
    loser.lose('COMMIT', 0);
    const [first, second] = [await ask(), await ask()];
    expect(loser.end()).toBe(true);
    expect([first.status, first.headers.get('retry-after')]).toEqual([503, '2']);
    expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    const stored = await service.db.selectFrom(table).select('id').execute();
    const made = { id: (second.body as { id: string }).id };
    expect(stored.filter(({ id }) => !before.some((each) => each.id === id))).toEqual([made]);
  },
);

test('a key whose claim had no answer is free at once, and its work is done once', async () => {
  const admin = await service.admin();
  const { id: roleId } = await service.db
    .selectFrom('roles')
    .select('id')
    .where('is_super', '=', false)
    .executeTakeFirstOrThrow();
  const body = { email: 'second@kasi.example', name: 'Second', password: PASSWORD, roleId };
  const headers = { 'idempotency-key': randomUUID() };
  const ask = (): Promise<Answer> => service.send('POST', '/v1/admin/users', { body, headers, token: admin.token });
  loser.lose('INSERT 0 1', 0);
  const [first, second, third] = [await ask(), await ask(), await ask()];
  expect(loser.end()).toBe(true);
  expect([first.status, first.headers.get('retry-after')]).toEqual([503, '2']);
  expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([201, null]);
  expect([third.text, third.headers.get('idempotent-replayed')]).toEqual([second.text, 'true']);
});

test('a session whose refresh had no answer from the database goes on', async () => {
  const { refreshToken } = await service.registerMerchant();
  const ask = (token: string): Promise<Answer> =>
    service.send('POST', '/v1/auth/refresh', { body: { refreshToken: token } });
  loser.lose('COMMIT', 0);
  const first = await ask(refreshToken);
  expect(loser.end()).toBe(true);
  expect(first.status).toBe(200);
  const next = (first.body as { refreshToken: string }).refreshToken;
  expect((await ask(next)).status).toBe(200);
  // What was used is a reuse, as ever.
  expect((await ask(refreshToken)).status).toBe(401);
});

test('money that comes in while any of the commits has no answer is booked once, at the next run', async () => {
  let [commits, wasLost] = [0, true];
  for (; wasLost; commits += 1) {
    const payment = await merchant.client.payments.create({ amount: 7, currency: 'USD' });
    await service.chain.transfer(payment);
    loser.lose('COMMIT', commits);
    const run = await Promise.allSettled([service.runPaymentJobs()]);
    wasLost = loser.end();
    expect(run[0].status).toBe(wasLost ? 'rejected' : 'fulfilled');
    await service.runPaymentJobs();
    expect(await merchant.client.payments.get(payment.id)).toMatchObject({ status: 'paid' });
  }
  expect(commits).toBeGreaterThan(3);
});

test.for(['gzip', 'identity'])(
  'a statement of which the database loses a part is never taken for a whole one (%s)',
  async (encoding) => {
    const month = service.clock.now().toISOString().slice(0, 7);
    const headers = { authorization: `Bearer ${merchant.token}`, 'accept-encoding': encoding };
    const url = `${service.url}/v1/settlements/statements/${month}/csv`;
    let [reads, wasLost] = [0, true];
    for (; wasLost; reads += 1) {
      loser.lose(/^SELECT/, reads);
      const answer = await fetch(url, { headers });
      // What has begun is cut off.
      const text = await answer.text().catch(() => null);
      wasLost = loser.end();
      if (answer.status === 200 && text !== null)
        expect([wasLost, text]).toEqual([false, expect.stringContaining('closing')]);
      else expect([wasLost, answer.status]).toEqual([true, text === null ? 200 : 503]);
    }
    expect(reads).toBeGreaterThan(2);
  },
);
