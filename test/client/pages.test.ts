import { expect, test } from 'vitest';
import { createClient } from '../../clients/typescript/src/index.ts';
import { refusal, startFakeService } from './fake-service.ts';

/** A list of ids, newest first, whose cursors hold the last id of a page, with something done before each is read. */
async function startList(
  key: string,
  ids: string[],
  before: (request: number, ids: string[]) => void = () => undefined,
) {
  const { url, sent } = await startFakeService(({ url }) => {
    const { searchParams } = new URL(url, 'http://localhost');
    before(sent.length, ids);
    const last = searchParams.get('after')?.slice('behind-'.length);
    const limit = Number(searchParams.get('limit'));
    const left = last === undefined ? ids : ids.filter((id) => id < last);
    const rows = left.slice(0, limit).map((id) => ({ id }));
    const next = left.length > limit ? `behind-${rows.at(-1)?.id}` : null;
    return { body: { [key]: rows, pagination: { page: 0, limit, total: 9, totalPages: 9, next, previous: null } } };
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

test('every item comes once, cursor after cursor, with the filters on each page and a page size of 100', async () => {
  const ids = numbered(250, 1);
  const { client, sent } = await startList('payments', ids);
  expect(await idsOf(client.payments.iterate({ status: 'paid' }))).toEqual(ids);
  expect(sent.map((request) => request.url)).toEqual([
    '/v1/payments?status=paid&limit=100',
    '/v1/payments?status=paid&limit=100&after=behind-pay_0151',
    '/v1/payments?status=paid&limit=100&after=behind-pay_0051',
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

test('items added or removed between pages repeat none and hide none', async () => {
  const before = (request: number, ids: string[]): void => {
    if (request === 2) ids.unshift(...numbered(125, 121));
    if (request === 4) ids.splice(ids.indexOf('pay_0091'), 1);
    if (request === 6) ids.unshift(...numbered(150, 126));
  };
  const old = numbered(120, 1);
  const { client } = await startList('payments', [...old], before);
  expect(await idsOf(client.payments.iterate({ limit: 10 }))).toEqual(old);
});

test('an iterator begins at a cursor that it is given, so that a long reading can go on another day', async () => {
  const { client, sent } = await startList('payments', numbered(30, 1));
  const { pagination } = await client.payments.list({ limit: 10 });
  const items = client.payments.iterate({ limit: 10, after: pagination.next ?? '' });
  expect(await idsOf(items)).toEqual(numbered(20, 1));
  expect(sent.map((request) => request.url)).toEqual([
    '/v1/payments?limit=10',
    '/v1/payments?limit=10&after=behind-pay_0021',
    '/v1/payments?limit=10&after=behind-pay_0011',
  ]);
  // @ts-expect-error An iterator turns the pages itself.
  expect(await idsOf(client.payments.iterate({ limit: 30, page: 2 }))).toHaveLength(30);
});

test('leaving the loop requests no further page', async () => {
  const { client, sent } = await startList('data', numbered(300, 1));
  let seen = 0;
  for await (const link of client.paymentLinks.iterate({ limit: 10 })) {
    seen += 1;
    expect(link.id).toBe(`pay_${String(301 - seen).padStart(4, '0')}`);
    if (seen === 10) break;
  }
  expect(sent).toHaveLength(1);
});

test('a page that fails is asked for again, and the list goes on where it was', async () => {
  const busy = [2, 3, 5];
  const { url, sent } = await startFakeService(({ url }) => {
    if (busy.includes(sent.length)) return refusal(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '0' });
    const place = Number(new URL(url, 'http://localhost').searchParams.get('after') ?? 0);
    return { body: { payments: [{ id: `pay_${place}` }], pagination: { next: place < 2 ? String(place + 1) : null } } };
  });
  const client = createClient({ baseUrl: url, token: 'T1' });
  expect(await idsOf(client.payments.iterate({ limit: 1 }))).toEqual(['pay_0', 'pay_1', 'pay_2']);
  expect(sent).toHaveLength(6);
});

test('a list that goes in circles, and a response that is no page with cursors, are an UNEXPECTED_RESPONSE', async () => {
  let pages = 0;
  const fetch = async (): Promise<Response> => {
    pages += 1;
    return Response.json({ payments: [{ id: 'pay_1' }], pagination: { next: 'the-same' } });
  };
  const client = createClient({ baseUrl: 'https://kasi.example', fetch });
  await expect(idsOf(client.payments.iterate())).rejects.toMatchObject({ code: 'UNEXPECTED_RESPONSE' });
  expect(pages).toBe(2);
  const older = { payments: [], pagination: { page: 1, limit: 100, total: 0, totalPages: 0 } };
  for (const body of [{}, null, [], { payments: [] }, { payments: 5, pagination: { next: null } }, older]) {
    const broken = createClient({ baseUrl: 'https://kasi.example', fetch: async () => Response.json(body) });
    await expect(idsOf(broken.payments.iterate())).rejects.toMatchObject({ code: 'UNEXPECTED_RESPONSE', status: 200 });
  }
});
