import { describe, expect } from 'vitest';
import type { MerchantInput } from '../../src/merchants/merchant.ts';
import type { MerchantStatus } from '../../src/ports/security.ts';
import { test } from '../fixture.ts';
import { type Answer, PASSWORD, type TestMerchant, type TestService } from '../harness.ts';
import { createKey, sendSigned, type TestKey } from '../support/signing.ts';
import { fund, WALLET } from '../support/withdrawals.ts';

/** What a merchant has from before it reached the status. */
type Subject = TestMerchant & { readonly slug: string; readonly key: TestKey; readonly paymentId: string };

/** How each status is reached. */
const WAYS: Readonly<Record<MerchantStatus, readonly MerchantInput[]>> = {
  pending_verification: [],
  active: [{ kind: 'approve' }],
  rejected: [{ kind: 'reject', reason: 'no papers' }],
  frozen: [{ kind: 'approve' }, { kind: 'freeze', reason: 'odd payments' }],
  terminated: [{ kind: 'terminate', reason: 'fraud' }],
};

const URLS = { successUrl: 'https://shop.example/thanks', cancelUrl: 'https://shop.example/cart' };
const MONEY = { amount: 25, currency: 'USD' };

let asked = 0;

/** Different each time: two equal signed requests within a second are the same one and get the first's answer. */
function signedBody(): string {
  asked += 1;
  return JSON.stringify({ ...MONEY, description: `Order ${asked}` });
}

/** One operation of each kind that the statuses distinguish. */
const OPERATIONS = {
  'log in': (service, { email }) => post(service, '/v1/auth/login', { email, password: PASSWORD }),
  'read the profile': (service, { id, token }) => get(service, `/v1/merchants/${id}`, token),
  'read payments': (service, { token }) => get(service, '/v1/payments', token),
  'read the balance': (service, { token }) => get(service, '/v1/settlements/balance', token),
  'read by key': (service, { key }) => sendSigned(service, key, { method: 'GET', target: '/v1/payments' }),
  // To its current value: another one would put a rejected merchant up for review again.
  'change the profile': (service, { id, token }) => put(service, `/v1/merchants/${id}`, { webhookUrl: null }, token),
  'create a link': (service, { token }) => post(service, '/v1/payment-links', { title: 'Workshop', amount: 25 }, token),
  'create a key': (service, { token }) => post(service, '/v1/api-keys', { name: 'Another shop' }, token),
  'rotate a key': (service, { token, key }) =>
    post(service, `/v1/api-keys/${key.id}/rotate`, { overlapHours: 24 }, token),
  'create a checkout session': (service, { token }) =>
    post(service, '/v1/checkout/sessions', { ...MONEY, ...URLS }, token),
  'create a payment': (service, { token }) => post(service, '/v1/payments', MONEY, token),
  'create a payment by key': (service, { key }) =>
    sendSigned(service, key, { method: 'POST', target: '/v1/payments', body: signedBody() }),
  'be paid through a link': (service, { slug }) =>
    post(service, `/v1/public/payment-links/by-slug/${slug}/payments`, {}),
  'read withdrawals': (service, { token }) => get(service, '/v1/withdrawals', token),
  withdraw: (service, { token }) =>
    post(service, '/v1/withdrawals', { amount: 50, method: 'crypto', destinationAddress: WALLET }, token),
  'let a payer look at a payment': (service, { paymentId }) => get(service, `/v1/public/payments/${paymentId}`),
} satisfies Record<string, (service: TestService, subject: Subject) => Promise<Answer>>;
type Operation = keyof typeof OPERATIONS;

const get = (service: TestService, path: string, token?: string) =>
  service.send('GET', path, token === undefined ? {} : { token });
const post = (service: TestService, path: string, body: object, token?: string) =>
  service.send('POST', path, { body, ...(token !== undefined && { token }) });
const put = (service: TestService, path: string, body: object, token: string) =>
  service.send('PUT', path, { body, token });

const READS = [
  ...['log in', 'read the profile', 'read payments', 'read the balance', 'read withdrawals', 'read by key'],
  'change the profile',
];
const CREATES = ['create a link', 'create a key', 'rotate a key'];
const WITHDRAWS = ['withdraw'];
const PUBLIC_READS = ['let a payer look at a payment'];

/** What each status allows; the rest is refused. `collect` also depends on the setting. */
const ALLOWED: Readonly<Record<MerchantStatus, { readonly operations: readonly string[]; readonly collect: boolean }>> =
  {
    pending_verification: { operations: [...READS, ...CREATES, ...PUBLIC_READS], collect: false },
    active: { operations: [...READS, ...CREATES, ...WITHDRAWS, ...PUBLIC_READS], collect: true },
    rejected: { operations: [...READS, ...PUBLIC_READS], collect: false },
    frozen: { operations: [...READS, ...PUBLIC_READS], collect: false },
    terminated: { operations: PUBLIC_READS, collect: false },
  };
const COLLECTS: readonly string[] = [
  'create a checkout session',
  'create a payment',
  'create a payment by key',
  'be paid through a link',
];

async function makeSubject(service: TestService, status: MerchantStatus): Promise<Subject> {
  await service.set({ allowPendingMerchantsToCollect: true });
  const merchant = await service.registerMerchant();
  const { slug } = await merchant.client.paymentLinks.create({ title: 'Workshop', amount: 25 });
  const { id: paymentId } = await merchant.client.payments.create({ amount: 25, currency: 'USD' });
  const key = await createKey(service, merchant);
  await fund(service.db, merchant.id, 300_00n);
  for (const input of WAYS[status]) await service.decide(merchant.id, input);
  return { ...merchant, slug, paymentId, key };
}

/** The reason of a refusal: a terminated account counts as unknown, the others are known but not allowed. */
function refusalOf(status: MerchantStatus, operation: string): object {
  const isPublic = operation === 'be paid through a link';
  if (status !== 'terminated' || isPublic) return { status: 403, body: { error: { reason: 'merchant_not_active' } } };
  return { status: 401, body: { error: { code: 'UNAUTHORIZED' } } };
}

describe.each(Object.keys(WAYS) as MerchantStatus[])('a merchant that is %s', (status) => {
  let subject: Subject;
  test.beforeAll(async ({ service }) => {
    subject = await makeSubject(service, status);
    await service.set({ allowPendingMerchantsToCollect: false });
  });

  test.for(Object.keys(OPERATIONS) as Operation[])('%s', async (operation, { service }) => {
    const { operations, collect } = ALLOWED[status];
    const isAllowed = COLLECTS.includes(operation) ? collect : operations.includes(operation);
    const answer = await OPERATIONS[operation](service, subject);
    if (isAllowed) expect([200, 201]).toContain(answer.status);
    else expect(answer).toMatchObject(refusalOf(status, operation));
  });
});

/** The statuses of all ways to collect. */
async function collect(service: TestService, subject: Subject): Promise<number[]> {
  const answers = [];
  for (const operation of COLLECTS) answers.push(await OPERATIONS[operation as Operation](service, subject));
  return answers.map(({ status }) => status);
}

test('a pending merchant collects only where the setting allows it', async ({ service }) => {
  const subject = await makeSubject(service, 'pending_verification');
  const statuses = () => collect(service, subject);
  await service.set({ allowPendingMerchantsToCollect: true });
  expect(await statuses()).toEqual([200, 201, 201, 201]);
  await service.set({ allowPendingMerchantsToCollect: false });
  expect(await statuses()).toEqual([403, 403, 403, 403]);
});

test('a merchant that was rejected collects nothing until it is approved, whatever the setting', async ({
  service,
}) => {
  const subject = await makeSubject(service, 'pending_verification');
  await service.set({ allowPendingMerchantsToCollect: true });
  await service.decide(subject.id, { kind: 'reject', reason: 'no such company' });
  const { client } = await service.admin(['merchants.view']);
  const { rejectedAt } = await client.merchants.get(subject.id);
  expect(rejectedAt).toEqual(expect.any(String));
  await subject.client.merchants.update(subject.id, { website: 'https://teahouse.example' });
  expect(await client.merchants.get(subject.id)).toMatchObject({ status: 'pending_verification', rejectedAt });

  const statuses = () => collect(service, subject);
  expect(await statuses()).toEqual([403, 403, 403, 403]);
  await service.decide(subject.id, { kind: 'approve' });
  await expect.poll(statuses).toEqual([200, 201, 201, 201]);
});

test('money that arrives for a frozen merchant is credited, and stays for it', async ({ service }) => {
  const { client, id } = await service.activeMerchant();
  const payment = await client.payments.create({ amount: 25, currency: 'USD' });
  await service.decide(id, { kind: 'freeze', reason: 'odd payments' });
  await service.chain.transfer(payment, { amount: '25' });
  await service.chain.mine(5);
  await service.runPaymentJobs();
  expect(await client.payments.get(payment.id)).toMatchObject({ status: 'paid' });
  expect((await client.settlements.balance()).availableBalance).toBeGreaterThan(0);
});

test('the table covers every operation', () => {
  const known = [...READS, ...CREATES, ...WITHDRAWS, ...PUBLIC_READS, ...COLLECTS];
  expect(known.sort()).toEqual(Object.keys(OPERATIONS).sort());
});
