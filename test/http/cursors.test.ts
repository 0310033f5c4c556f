import { sql } from 'kysely';
import { expect } from 'vitest';
import { toCursor } from '../../src/lib/paging.ts';
import type { OperationId } from '../../src/ports/operation.ts';
import { test as base } from '../fixture.ts';
import { PASSWORD, type TestMerchant, type TestService } from '../harness.ts';
import { propose } from '../support/changes.ts';
import { operationIds, parametersOf } from '../support/contract.ts';
import { beginSession } from '../support/customers.ts';
import { openTestIncident } from '../support/incidents.ts';
import { arrived, claimed, DESTINATION } from '../support/refunds.ts';
import { customerWallet, insertCharge, put, subscribe } from '../support/subscriptions.ts';
import { fund } from '../support/withdrawals.ts';

type Walker = { readonly path: string; readonly token?: string };
type Page = {
  readonly ids: readonly string[];
  readonly pagination: { readonly page: number; readonly next: string | null; readonly previous: string | null };
};

const names = (id: OperationId) => parametersOf(id, 'query').map(({ name }) => name);
const LISTS = operationIds.filter((id) => names(id).includes('page'));

/** Where each list is found that has rows of its own. */
const test = base.extend('walkers', { scope: 'file' }, async ({ service, merchant, admin, receiver }) => {
  await merchant.client.merchants.update(merchant.id, { webhookUrl: receiver.url });
  await fund(service.db, merchant.id, 100_000n);
  const withdrawn = { amount: 50, method: 'crypto', destinationAddress: DESTINATION } as const;
  for (const title of ['One', 'Two', 'Three']) {
    await merchant.client.paymentLinks.create({ title, amount: 5, currency: 'USD' });
    const withdrawal = await merchant.client.withdrawals.create(withdrawn);
    await admin.client.withdrawals.approve(withdrawal.id, {});
    await claimed(service, merchant);
    await openTestIncident(service, { subject: title });
    await propose(service, admin.id);
    await service.activeMerchant();
    await service.admin(['incidents.view']);
    await service.client().auth.login({ email: merchant.email, password: PASSWORD });
  }
  return { ...(await placesOf(service, merchant, admin)), ...(await subscriptionsOf(service, merchant)) };
});

const MONTH_MS = 31 * 86_400_000;

async function placesOf(service: TestService, merchant: TestMerchant, admin: { readonly token: string }) {
  const month = service.clock.now().toISOString().slice(0, 7);
  for (const _ of [1, 2]) {
    service.clock.advance(MONTH_MS);
    await arrived(service, merchant);
  }
  const own = (path: string): Walker => ({ path, token: merchant.token });
  const ofAdmin = (path: string): Walker => ({ path, token: admin.token });
  return {
    listMerchantSessions: own('/v1/auth/sessions'),
    listPaymentLinks: own('/v1/payment-links'),
    listPayments: own('/v1/payments'),
    listRefunds: own('/v1/refunds'),
    listWithdrawals: own('/v1/withdrawals'),
    listLedgerEntries: own('/v1/settlements/transactions'),
    listStatements: own('/v1/settlements/statements'),
    getStatement: own(`/v1/settlements/statements/${month}`),
    listWebhookDeliveries: own('/v1/webhooks/deliveries'),
    listMerchantAuditLogs: own('/v1/merchant/audit-logs'),
    listAuditLogs: ofAdmin('/v1/audit-logs'),
    adminListMerchants: ofAdmin('/v1/admin/merchants'),
    adminListWithdrawals: ofAdmin('/v1/admin/withdrawals'),
    listAdminUsers: ofAdmin('/v1/admin/users'),
    listChanges: ofAdmin('/v1/admin/changes'),
    listIncidents: ofAdmin('/v1/admin/incidents'),
    listPayouts: ofAdmin('/v1/admin/payouts'),
  } satisfies Partial<Record<OperationId, Walker>>;
}

async function subscriptionsOf(service: TestService, { client, token }: TestMerchant) {
  const [wallet, now] = [77, service.clock.now()];
  const [first, chargeable] = [await subscribe(client, {}, wallet), await subscribe(client, {}, wallet)];
  for (const _ of [1, 2]) await subscribe(client, {}, wallet);
  await put(service.db, chargeable.id, { mandateStatus: 'active' });
  for (const number of [1, 2, 3]) await insertCharge(service.db, first.id, now, { number });
  const session = await beginSession(service.client(), customerWallet(wallet));
  return {
    listPlans: { path: '/v1/subscription-plans', token },
    listSubscriptions: { path: '/v1/subscriptions', token },
    listCharges: { path: `/v1/subscriptions/${first.id}/charges`, token },
    listCustomerSubscriptions: { path: `/v1/public/customer-sessions/${session.token}/subscriptions` },
  } satisfies Partial<Record<OperationId, Walker>>;
}

async function read(service: TestService, { path, token }: Walker, query: Record<string, string>): Promise<Page> {
  const url = `${path}?${new URLSearchParams(query)}`;
  const { status, body, text } = await service.send('GET', url, token === undefined ? {} : { token });
  if (status !== 200) throw new Error(`${url}: ${text}`);
  const { pagination, ...rest } = body as { pagination: Page['pagination'] };
  const rows = Object.values(rest).find((value) => Array.isArray(value)) as { id: string }[];
  return { ids: rows.map(({ id }) => id), pagination };
}

/** The ids that cursors lead to from one end of a list to the other. */
async function walk(service: TestService, list: Walker, way: 'next' | 'previous', limit: number, from?: string) {
  const ids: string[] = [];
  const field = way === 'next' ? 'after' : 'before';
  let last = from;
  for (let cursor: string | null | undefined = from; cursor !== null; ) {
    const page = await read(service, list, {
      limit: String(limit),
      ...(cursor === undefined ? {} : { [field]: cursor }),
    });
    expect(page.ids.length).toBeGreaterThan(0);
    expect(page.pagination.page).toBe(cursor === undefined ? 1 : 0);
    ids.splice(way === 'next' ? ids.length : 0, 0, ...page.ids);
    last = page.pagination[way === 'next' ? 'previous' : 'next'] ?? last;
    cursor = page.pagination[way];
  }
  return { ids, last };
}

test.for(LISTS)('%s takes cursors', (id) => {
  expect(names(id)).toEqual(expect.arrayContaining(['after', 'before', 'limit']));
});

test.for(LISTS)('%s is read by cursors forwards and backwards, as by pages', async (id, { service, walkers }) => {
  const list = (walkers as Partial<Record<OperationId, Walker>>)[id];
  if (!list) throw new Error(`Give ${id} rows in this test.`);
  const whole = await read(service, list, { limit: '100' });
  expect(whole.ids.length).toBeGreaterThan(2);
  expect(new Set(whole.ids).size).toBe(whole.ids.length);
  for (const limit of [1, 2]) {
    const forwards = await walk(service, list, 'next', limit);
    expect(forwards.ids).toEqual(whole.ids);
    const backwards = await walk(service, list, 'previous', limit, forwards.last);
    expect(backwards.ids).toEqual(whole.ids.slice(0, backwards.ids.length));
    // What lies before the last page, whose own rows the cursor leaves out.
    expect(whole.ids.length - backwards.ids.length).toBeLessThanOrEqual(limit);
  }
});

const PAYMENTS = '/v1/payments';
const idOf = (number: number): string => `pay_${String(number).padStart(26, '0')}`;

/** Copies of a payment, all in one millisecond, a microsecond apart, and two of each microsecond. */
async function store({ db }: TestService, id: string, from: number, to: number): Promise<void> {
  await sql`
    insert into payments select (jsonb_populate_record(p, jsonb_build_object(
      'id', 'pay_' || lpad(n::text, 26, '0'), 'created_at', p.created_at + (n / 2) * interval '1 microsecond'))).*
      from payments p, generate_series(${sql.lit(from)}, ${sql.lit(to)}) n where p.id = ${id}`.execute(db);
}

const expire = ({ db }: TestService, id: string) =>
  db.updateTable('payments').set({ status: 'expired' }).where('id', '=', id).execute();

test('rows of one millisecond come once each, in order, although others arrive and one leaves', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const { id } = await merchant.client.payments.create({ amount: 5, currency: 'USD' });
  await store(service, id, 2, 61);
  const list: Walker = { path: PAYMENTS, token: merchant.token };
  const expected = Array.from({ length: 60 }, (_, index) => idOf(61 - index));
  const seen: string[] = [];
  let round = 0;
  for (let cursor: string | null | undefined; cursor !== null; round += 1) {
    const page = await read(service, list, {
      status: 'initiated',
      limit: '7',
      ...(cursor === undefined ? {} : { after: cursor }),
    });
    seen.push(...page.ids);
    cursor = page.pagination.next;
    await store(service, id, 100 + round * 10, 109 + round * 10);
    // The row that the cursor was made of is in the list no more; what is behind it is.
    if (round === 2) await expire(service, seen.at(-1) ?? '');
  }
  expect(seen).toEqual([...expected, id]);
  expect(round).toBe(9);
});

test('a walk back finds what has arrived since, the nearest first', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const { id } = await merchant.client.payments.create({ amount: 5, currency: 'USD' });
  const list: Walker = { path: PAYMENTS, token: merchant.token };
  await store(service, id, 302, 305);
  const second = await read(service, list, { limit: '2', page: '2' });
  expect(second.pagination).toMatchObject({ page: 2, next: expect.any(String), previous: expect.any(String) });
  await store(service, id, 306, 307);
  const before = await read(service, list, { limit: '2', before: second.pagination.previous ?? '' });
  expect(before.ids).toEqual([idOf(305), idOf(304)]);
  const first = await read(service, list, { limit: '2', before: before.pagination.previous ?? '' });
  expect(first).toEqual({
    ids: [idOf(307), idOf(306)],
    pagination: {
      page: 0,
      limit: 2,
      total: 7,
      totalPages: 4,
      totalIsMinimum: false,
      next: expect.any(String),
      previous: null,
    },
  });
  expect((await read(service, list, { limit: '2', after: first.pagination.next ?? '' })).ids).toEqual(before.ids);
});

const KEYS = ['2026-01-01 10:00:00.123456', 'pay_1'] as const;
const WRONG: readonly (readonly [name: string, query: Record<string, string>, path: string, message: RegExp])[] = [
  ['text that is no cursor', { after: 'pay_1' }, 'after', /not a cursor.*pagination\.next/],
  ['text that is no base64', { before: '%%%' }, 'before', /not a cursor/],
  ['a number in its place', { after: Buffer.from('["payments",1,2]').toString('base64url') }, 'after', /not a cursor/],
  ['a key too few', { after: toCursor('payments', [KEYS[0]]) }, 'after', /not a cursor/],
  ['a time that is none', { after: toCursor('payments', ['soon', 'pay_1']) }, 'after', /not a cursor/],
  [
    'a day that there is not',
    { after: toCursor('payments', ['2026-02-30 10:00:00', 'pay_1']) },
    'after',
    /not a cursor/,
  ],
  [
    'a year that PostgreSQL does not have',
    { after: toCursor('payments', ['0000-01-01 10:00:00', 'pay_1']) },
    'after',
    /not a cursor/,
  ],
  [
    'a character that no database stores',
    { after: toCursor('payments', [KEYS[0], 'pay\u0000']) },
    'after',
    /not a cursor/,
  ],
  ['a cursor of another list', { before: toCursor('refunds', KEYS) }, 'before', /another list \(refunds\)/],
  [
    'a page beside it',
    { after: toCursor('payments', KEYS), page: '2' },
    'page',
    /combined with `after`.*Leave one out/,
  ],
  [
    'both of them',
    { after: toCursor('payments', KEYS), before: toCursor('payments', KEYS) },
    'before',
    /combined with/,
  ],
];

test.for(WRONG)('%s is refused with field, cause and cure', async ([, query, path, message], { service, merchant }) => {
  const url = `${PAYMENTS}?${new URLSearchParams(query)}`;
  const { status, body } = await service.send('GET', url, { token: merchant.token });
  const { error } = body as { error: { code: string; fields: { path: string; message: string }[] } };
  expect([status, error.code]).toEqual([400, 'VALIDATION_ERROR']);
  expect(error.fields).toEqual([{ path, message: expect.stringMatching(message) }]);
});

test('every list refuses a wrong cursor, whatever it is ordered by', async ({ service, walkers }) => {
  for (const { path, token } of Object.values<Walker>(walkers)) {
    for (const after of ['x', toCursor('none', ['1', '2', '3'])]) {
      const answer = await service.send('GET', `${path}?after=${after}`, token === undefined ? {} : { token });
      expect([path, answer.status]).toEqual([path, 400]);
    }
  }
});
