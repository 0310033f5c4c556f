import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { onlyPage } from '../support/pages.ts';

test('lists all merchants page by page, newest first', async ({ service }) => {
  const { client } = await service.admin(['merchants.view']);
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    service.clock.advance(1000);
    ids.unshift((await service.registerMerchant()).id);
  }
  const { data, pagination } = await client.merchants.list();
  expect(data.map(({ id }) => id)).toEqual(ids);
  expect(pagination).toEqual(onlyPage(3));
  expect(data[0]).toEqual({
    id: ids[0],
    businessName: 'Ceylon Tea House',
    email: expect.stringContaining('@example.com'),
    phone: '+94771234567',
    businessType: 'company',
    status: 'pending_verification',
    statusReason: null,
    createdAt: service.clock.now().toISOString(),
    updatedAt: service.clock.now().toISOString(),
  });
  const second = await client.merchants.list({ page: 2, limit: 2 });
  expect(second.data.map(({ id }) => id)).toEqual(ids.slice(2));
  const iterated: string[] = [];
  for await (const { id } of client.merchants.iterate({ limit: 2 })) iterated.push(id);
  expect(iterated).toEqual(ids);
});

test('filters by status, by search, and by both', async ({ service }) => {
  const { client } = await service.admin();
  const shop = await service.activeMerchant({
    businessName: "O'Brien & Söhne சாய் කඩේ",
    email: 'Owner.Galle+shop@Tea-House.example',
    phone: '+94 77 999 8877',
  });
  const found = async (search: string, status?: 'active' | 'frozen') => {
    const { data, pagination } = await client.merchants.list({ search, ...(status && { status }) });
    expect(pagination.total).toBe(data.length);
    return data.map(({ id }) => id);
  };
  for (const search of [
    ...["o'brien", 'BRIEN', 'rie', 'söhne', 'சாய்', 'කඩේ', 'söhne brien', "  o'brien   galle "],
    ...['owner.galle+shop@tea-house.example', 'galle', '.GALLE+', '+94 77 999 8877', '9998877', '99988'],
    ...[shop.id, shop.id.toUpperCase(), shop.id.slice(0, 29), shop.id.slice(4)],
  ]) {
    expect([search, await found(search)]).toEqual([search, [shop.id]]);
  }
  for (const search of [
    'brien london',
    "'",
    '%',
    '_',
    "' | 'london",
    'brien:*',
    '!brien & zz',
    '\\',
    'söhn e9',
    '::',
    '😀',
  ]) {
    const wanted = search === 'brien:*' ? [shop.id] : [];
    expect([search, await found(search)]).toEqual([search, wanted]);
  }
  expect(await found('brien', 'active')).toEqual([shop.id]);
  expect(await found('brien', 'frozen')).toEqual([]);
  expect(await found('house', 'active')).toEqual([shop.id]);
  expect((await found('house')).length).toBeGreaterThan(1);
});

test('refuses an unknown status and a caller without the permission', async ({ service }) => {
  const { token } = await service.admin();
  expect(await service.send('GET', '/v1/admin/merchants?status=closed', { token })).toMatchObject({ status: 400 });
  const other = await service.admin(['merchants.approve']);
  await expect(other.client.merchants.list()).rejects.toMatchObject({ status: 403, reason: 'permission_missing' });
});
