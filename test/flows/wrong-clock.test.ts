import { expect } from 'vitest';
import { after, DAY_MS, HOUR_MS } from '../../src/lib/clock.ts';
import { serviceTest } from '../fixture.ts';
import type { TestService } from '../harness.ts';
import { insertTestRole } from '../support/admins.ts';
import { arrived, DESTINATION } from '../support/refunds.ts';
import { createKey } from '../support/signing.ts';
import { WALLET } from '../support/withdrawals.ts';

/** As on a live platform. */
const test = serviceTest({
  settings: { changeDelayHours: 24, refundDailyMax: '30.00', withdrawalMax: '30.00', withdrawalDailyMax: '30.00' },
});

/** Does something on a machine whose clock is this far ahead of the right one. */
async function ahead<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const right = Date.now;
  Date.now = () => right() + ms;
  try {
    return await work();
  } finally {
    Date.now = right;
  }
}

/** Runs a job as a process does whose clock is this far ahead. */
const runAhead = (service: TestService, name: string, ms: number): Promise<void> =>
  ahead(ms, async () => {
    const job = service.service.features.jobs.find((each) => each.name === name);
    const [now, real] = [service.clock.now(), service.clock.real()].map((date) => after(date, ms)) as [Date, Date];
    await job?.run({ now, real, signal: new AbortController().signal });
  });

/** Another role for a clerk, which needs a day and a colleague. */
async function proposeRole(service: TestService, role: string) {
  const [admin, colleague] = [await service.admin(), await service.admin()];
  const clerk = await service.admin([]);
  const roleId = await insertTestRole(service, ['withdrawals.manage'], role);
  await admin.client.users.update(clerk.id, { roleId });
  const { data } = await colleague.client.changes.list({ status: 'proposed' });
  const change = data.find(({ subjectId }) => subjectId === clerk.id);
  const { id, status } = await colleague.client.changes.approve(change?.id ?? '');
  expect(status).toBe('approved');
  return { dueAt: new Date(change?.dueAt ?? ''), status: async () => (await admin.client.changes.get(id)).status };
}

test('a machine whose clock is ahead does not shorten the time in which a change can be cancelled', async ({
  service,
}) => {
  const { status } = await proposeRole(service, 'payer');
  await runAhead(service, 'changes.apply', DAY_MS + HOUR_MS);
  expect(await status()).toBe('approved');
  service.clock.advance(DAY_MS);
  await service.runJob('changes.apply');
  expect(await status()).toBe('in_effect');
});

test('nor does one that is behind, where it was proposed', async ({ service }) => {
  const right = service.clock.now();
  service.clock.set(after(right, -2 * HOUR_MS));
  const { dueAt } = await ahead(-2 * HOUR_MS, () => proposeRole(service, 'teller'));
  service.clock.set(right);
  expect(Math.abs(dueAt.getTime() - right.getTime() - DAY_MS)).toBeLessThan(HOUR_MS);
});

test('a machine whose clock is ahead deletes the secret of no key that has not expired', async ({
  service,
  merchant,
}) => {
  const { id } = await createKey(service, merchant, { expiresAt: after(new Date(), HOUR_MS).toISOString() });
  await runAhead(service, 'api-keys.expire', DAY_MS);
  const row = () =>
    service.db.selectFrom('api_keys').select(['revoked_at', 'sealed_secret']).where('id', '=', id).executeTakeFirst();
  expect(await row()).toEqual({ revoked_at: null, sealed_secret: expect.any(Buffer) });
  service.clock.advanceReal(2 * HOUR_MS);
  await service.runJob('api-keys.expire');
  expect(await row()).toEqual({ revoked_at: expect.any(Date), sealed_secret: null });
});

/** Asks as of a process whose clock is this far ahead of the right one. */
async function askAhead<T>(service: TestService, ms: number, ask: () => Promise<T>): Promise<T> {
  const right = service.clock.now();
  service.clock.set(after(right, ms));
  try {
    return await ahead(ms, ask);
  } finally {
    service.clock.set(right);
  }
}

const OTHER_DAY_MS = 25 * HOUR_MS;
const exceeded = { reason: 'limit_exceeded' };

test.for([OTHER_DAY_MS, -OTHER_DAY_MS])(
  'a machine whose clock is %d ms ahead gives no more back in a day than the most of it',
  async (ms, { service }) => {
    const merchant = await service.activeMerchant();
    const payments = [await arrived(service, merchant), await arrived(service, merchant)] as const;
    const [one, two] = payments.map(({ id }) => id) as [string, string];
    const give = (id: string) =>
      merchant.client.refunds.create(id, { amount: 25, reason: 'Sold out.', destinationAddress: DESTINATION });
    // The wrong process counts what the right one gave.
    const first = await give(one);
    await expect(askAhead(service, ms, () => give(two))).rejects.toMatchObject(exceeded);
    await merchant.client.refunds.cancel(first.id);
    // And the right one what the wrong one gave, for a day.
    await askAhead(service, ms, () => give(one));
    await expect(give(two)).rejects.toMatchObject(exceeded);
    service.clock.advance(DAY_MS + HOUR_MS);
    await give(two);
  },
);

test.for([OTHER_DAY_MS, -OTHER_DAY_MS])(
  'nor does one that is %d ms ahead have more withdrawn in a day',
  async (ms, { service }) => {
    const merchant = await service.activeMerchant();
    for (let count = 0; count < 3; count += 1) await arrived(service, merchant);
    const withdraw = () =>
      merchant.client.withdrawals.create({ amount: 25, method: 'crypto', destinationAddress: WALLET });
    const first = await withdraw();
    await expect(askAhead(service, ms, withdraw)).rejects.toMatchObject(exceeded);
    await merchant.client.withdrawals.cancel(first.id);
    const { createdAt } = await askAhead(service, ms, withdraw);
    expect(Math.abs(Date.parse(createdAt) - service.clock.now().getTime())).toBeLessThan(HOUR_MS);
    await expect(withdraw()).rejects.toMatchObject(exceeded);
    service.clock.advance(DAY_MS + HOUR_MS);
    await withdraw();
  },
);
