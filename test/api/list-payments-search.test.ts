import { describe, expect } from 'vitest';
import type { Client } from '../../clients/typescript/src/index.ts';
import { test } from '../fixture.ts';
import type { TestMerchant } from '../harness.ts';

type Query = Parameters<Client['payments']['list']>[0];
const idsOf = async ({ client }: TestMerchant, query: Query) => {
  const { payments, pagination } = await client.payments.list(query);
  expect(pagination.total).toBe(payments.length);
  return payments.map(({ id }) => id);
};
const draft = { amount: 5, currency: 'USD' } as const;

describe('metadata', () => {
  test('finds payments by one key or by all of several, with case', async ({ merchant }) => {
    const create = async (metadata: Record<string, string>) =>
      (await merchant.client.payments.create({ ...draft, metadata })).id;
    const first = await create({ orderId: 'A-1', shop: 'Galle' });
    const second = await create({ orderId: 'A-1', shop: 'Kandy' });
    await create({ orderId: 'a-1', shop: 'Galle' });
    expect(await idsOf(merchant, { metadata: { orderId: 'A-1' } })).toEqual([second, first]);
    expect(await idsOf(merchant, { metadata: { orderId: 'A-1', shop: 'Galle' } })).toEqual([first]);
    expect(await idsOf(merchant, { metadata: { shop: 'A-1' } })).toEqual([]);
  });

  test.for([
    ['table', 7, '7'],
    ['table', '7', '7'],
    ['rate', 1.5, '1.50'],
    ['gift', true, 'true'],
    ['gift', 'false', 'false'],
    ['zip', '00700', '00700'],
    ['big', '9'.repeat(400), '9'.repeat(400)],
    ['a&b=c#d', 'x&y=z', 'x&y=z'],
    ['deep[er]', 'here', 'here'],
    ['ගාල්ල', '100% + "tea" \\', '100% + "tea" \\'],
    ['constructor', '{}', '{}'],
  ] as const)('finds %s of %s as %s', async ([key, value, said], { service }) => {
    const merchant = await service.activeMerchant();
    const { id } = await merchant.client.payments.create({ ...draft, metadata: { [key]: value } });
    await merchant.client.payments.create({ ...draft, metadata: { [key]: 'other' } });
    expect(await idsOf(merchant, { metadata: { [key]: said } })).toEqual([id]);
  });

  test('shows nothing of other merchants', async ({ service, merchant }) => {
    const other = await service.activeMerchant();
    await other.client.payments.create({ ...draft, metadata: { orderId: 'theirs' } });
    expect(await idsOf(merchant, { metadata: { orderId: 'theirs' } })).toEqual([]);
  });

  test.for([
    ['metadata[]=1', 'metadata'],
    ['metadata[a]=1&metadata[a]=2', 'metadata.a'],
    ['metadata[a]=1&metadata=2', 'metadata[a]', 'metadata'],
    [`metadata[a]=${'x'.repeat(501)}`, 'metadata.a'],
    [`metadata[${'k'.repeat(65)}]=1`, 'metadata'],
    ['metadata[a]=%00', 'metadata.a'],
    ['metadata[a=1', 'metadata[a'],
    [[1, 2, 3, 4, 5, 6].map((each) => `metadata[k${each}]=1`).join('&'), 'metadata'],
    ['metadata.orderId=1', 'metadata.orderId'],
    ['status[a]=paid', 'status[a]'],
  ] as const)('refuses %s', async ([query, ...paths], { service, merchant }) => {
    const { status, body } = await service.send('GET', `/v1/payments?${query}`, { token: merchant.token });
    const { fields } = (body as { error: { fields: { path: string }[] } }).error;
    expect([status, fields.map((field) => field.path)]).toEqual([400, paths]);
  });
});

describe('search', () => {
  test('finds a payment by its whole id, its hash and its deposit address', async ({ service, merchant }) => {
    const payment = await merchant.client.payments.create(draft);
    await merchant.client.payments.create({ ...draft, description: `Again, see ${payment.id}` });
    const txHash = await service.chain.transfer(payment);
    await service.runPaymentJobs();
    for (const search of [
      payment.id,
      ` ${payment.id.toUpperCase()} `,
      txHash,
      txHash.toUpperCase().replace('0X', ''),
      payment.cryptoAddress,
      payment.cryptoAddress.toLowerCase(),
    ]) {
      expect([search, await idsOf(merchant, { search })]).toEqual([search, [payment.id]]);
      expect(await idsOf(merchant, { search, status: 'expired' })).toEqual([]);
    }
    const other = await service.activeMerchant();
    for (const search of [payment.id, txHash, payment.cryptoAddress])
      expect(await idsOf(other, { search })).toEqual([]);
  });

  test('finds a payment by a transaction that a reorg took', async ({ service, merchant }) => {
    const payment = await merchant.client.payments.create(draft);
    const txHash = await service.chain.transfer(payment, { confirmed: false });
    await service.runPaymentJobs();
    await service.chain.drop(1);
    await service.runPaymentJobs();
    expect(await idsOf(merchant, { search: txHash })).toEqual([payment.id]);
  });

  test('looks for any other text in descriptions and e-mail addresses and at the beginning of ids', async ({
    service,
  }) => {
    const merchant = await service.activeMerchant();
    const tea = await merchant.client.payments.create({ ...draft, description: 'Spring Tea 50%_off' });
    service.clock.advance(1000);
    const mail = await merchant.client.payments.create({ ...draft, customerEmail: 'Nimal@tea.example' });
    const both = [mail.id, tea.id];
    for (const [search, found] of [
      ['tea', both],
      ['TEA', both],
      ['ring t', [tea.id]],
      ['0%_o', [tea.id]],
      ['%%', []],
      ['__', []],
      ["o'\\", []],
      ['nimal@', [mail.id]],
      [tea.id.slice(0, -1), [tea.id]],
      ['pay_', both],
      ['ay_', []],
      ['coffee', []],
    ] as const) {
      expect([search, await idsOf(merchant, { search })]).toEqual([search, found]);
    }
    expect(await idsOf(merchant, { search: 'tea', customerEmail: 'nimal@tea.example' })).toEqual([mail.id]);
  });

  test('finds a text at any place of a long description, once', async ({ service }) => {
    const merchant = await service.activeMerchant();
    const words = Array.from({ length: 285 }, (_, number) => `word${100 + number}`);
    const description = words.join('');
    const { id } = await merchant.client.payments.create({ ...draft, description });
    for (const start of [0, 1, 199, 200, 201, 399, 400, 401, 500, 599, 600, description.length - 200]) {
      expect([start, await idsOf(merchant, { search: description.slice(start, start + 200) })]).toEqual([start, [id]]);
    }
    expect(await idsOf(merchant, { search: 'word' })).toEqual([id]);
    // The one ends where the other begins, and they are not one text.
    const other = await merchant.client.payments.create({ ...draft, description: 'tea', customerEmail: 'a@b.example' });
    expect(await idsOf(merchant, { search: 'teaa@b' })).toEqual([]);
    expect(await idsOf(merchant, { search: 'A@B', toDate: '2000-01-01' })).toEqual([]);
    expect(await idsOf(merchant, { search: 'A@B' })).toEqual([other.id]);
  });
});
