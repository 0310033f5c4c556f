import { expect, test } from 'vitest';
import { createClient } from '../../clients/typescript/src/index.ts';
import { startFakeService } from './fake-service.ts';

/** A paged list of ids, newest first, with something done to it before each page is read. */
async function startList(key: string, ids: string[], before: (page: number, ids: string[]) => void = () => undefined) {
  const { url, sent } = await startFakeService(({ url }) => {
    const { searchParams } = new URL(url, 'http://localhost');
    const [page, limit] = [Number(searchParams.get('page')), Number(searchParams.get('limit'))];
    before(page, ids);
    const rows = ids.slice((page - 1) * limit, page * limit).map((id) => ({ id }));
    const totalPages = Math.ceil(ids.length / limit);
    return { body: { [key]: rows, pagination: { page, limit, total: ids.length, totalPages } } };
  });
  return { client: createClient({ baseUrl: url, token: 'T1' }), sent };
}

const numbered = (from: number, to: number): string[] =>
  Array.from({ length: from - to + 1 }, (_, index) => `pay_${String(from - index).padStart(4, '0')}`);

async function idsOf(items: AsyncIterable<{ id: string }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const item of items) ids.push(item.id);
  return ids;
}

test('every item comes once, page after page, with the filters on each and a page size of 100', async () => {
  const ids = numbered(250, 1);
  const { client, sent } = await startList('payments', ids);
  expect(await idsOf(client.payments.iterate({ status: 'paid' }))).toEqual(ids);
  expect(sent.map((request) => request.url)).toEqual([
    '/v1/payments?status=paid&page=1&limit=100',
    '/v1/payments?status=paid&page=2&limit=100',
    '/v1/payments?status=paid&page=3&limit=100',
  ]);
});

test('a full last page needs no further request, an empty list one request, and limit is the page size', async () => {
  const full = await startList('data', numbered(6, 1));
  expect(await idsOf(full.client.auth.sessions.iterate({ limit: 3 }))).toHaveLength(6);
  expect(full.sent).toHaveLength(2);
  const empty = await startList('deliveries', []);
  expect(await idsOf(empty.client.webhooks.deliveries.iterate())).toEqual([]);
  expect(empty.sent).toHaveLength(1);
});

test('items added between pages repeat none and hide none, even more of them than fit on a page', async () => {
  const before = (page: number, ids: string[]): void => {
    if (page === 2) ids.unshift(...numbered(125, 121));
    if (page === 4) ids.unshift(...numbered(150, 126));
  };
  const old = numbered(120, 1);
  const { client } = await startList('payments', [...old], before);
  expect(await idsOf(client.payments.iterate({ limit: 10 }))).toEqual(old);
});

test('a list that grows faster than it is read still ends when its last page is reached', async () => {
  const old = numbered(30, 1);
  const before = (page: number, ids: string[]): void => {
    if (page <= 8) ids.unshift(`new_${page}a`, `new_${page}b`, `new_${page}c`, `new_${page}d`, `new_${page}e`);
  };
  const { client, sent } = await startList('payments', [...old], before);
  const seen = await idsOf(client.payments.iterate({ limit: 10 }));
  expect(seen.filter((id) => id.startsWith('pay_'))).toEqual(old);
  expect(new Set(seen).size).toBe(seen.length);
  expect(sent.length).toBeLessThanOrEqual(8);
});

test('items removed meanwhile end the list early instead of never', async () => {
  const { client } = await startList('data', numbered(40, 1), (page, ids) => {
    if (page === 2) ids.splice(0, 35);
  });
  expect(await idsOf(client.settlements.entries.iterate({ limit: 10 }))).toHaveLength(10);
});

test('leaving the loop requests no further page', async () => {
  const { client, sent } = await startList('data', numbered(300, 1));
  for await (const link of client.paymentLinks.iterate()) {
    expect(link.id).toBe('pay_0300');
    break;
  }
  expect(sent).toHaveLength(1);
});

test('a list that never ends, and a response that is no list, are an UNEXPECTED_RESPONSE', async () => {
  let pages = 0;
  const fetch = async (): Promise<Response> => {
    pages += 1;
    const payments = Array.from({ length: 1000 }, (_, index) => ({ id: `pay_${index}` }));
    return Response.json({ payments, pagination: { totalPages: 1e9 } });
  };
  const client = createClient({ baseUrl: 'https://kasi.example', fetch });
  await expect(idsOf(client.payments.iterate())).rejects.toMatchObject({ code: 'UNEXPECTED_RESPONSE' });
  expect(pages).toBeLessThan(20);
  for (const body of [{}, null, [], { payments: [] }, { payments: 5, pagination: { totalPages: 1 } }]) {
    const broken = createClient({ baseUrl: 'https://kasi.example', fetch: async () => Response.json(body) });
    await expect(idsOf(broken.payments.iterate())).rejects.toMatchObject({ code: 'UNEXPECTED_RESPONSE', status: 200 });
  }
});
