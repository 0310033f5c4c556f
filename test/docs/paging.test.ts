import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { test as base } from '../fixture.ts';
import { blocks, readGuide, section } from './guide.ts';
import { LANGUAGES, type Language, missingFor, runProgram, SHELL, skipWithout } from './program.ts';

const guide = section(readGuide('paging'), '## Read a whole list');

/** Where the example finds the client of this checkout. */
const clients = (folder: string): string => resolve('clients', folder);
const linked = (text: string): string =>
  text
    .replace("'@kasi/client'", JSON.stringify(clients('typescript/src/index.ts')))
    .replace("__DIR__ . '/vendor/autoload.php'", JSON.stringify(clients('php/autoload.php')));

/** A shop with more paid payments than a page of an iterator has, and their ids, newest first. */
const test = base.extend('shop', { scope: 'file' }, async ({ service, merchant }) => {
  service.clock.set(new Date());
  const { id } = await merchant.client.payments.create({ amount: 25, currency: 'USD' });
  await service.chain.transfer(await merchant.client.payments.get(id));
  await service.runPaymentJobs();
  await sql`
    insert into payments select (jsonb_populate_record(p, jsonb_build_object(
      'id', 'pay_' || lpad(n::text, 26, '0'), 'created_at', p.created_at + n * interval '1 microsecond'))).*
      from payments p, generate_series(1, 249) n where p.id = ${id}`.execute(service.db);
  const { apiKey, apiSecret } = await merchant.client.apiKeys.create({ name: 'Shop', permissions: ['payments:read'] });
  const ids = Array.from({ length: 249 }, (_, index) => `pay_${String(249 - index).padStart(26, '0')}`);
  const env = { KASI_API_KEY: apiKey, KASI_API_SECRET: apiSecret, PYTHONPATH: clients('python/src') };
  return { ids: [...ids, id], env: { ...env, PYTHONPYCACHEPREFIX: await mkdtemp(join(tmpdir(), 'kasi-py-')) } };
});

test.for(LANGUAGES.filter((language) => language !== SHELL))(
  'reads a whole list in $name',
  async (language, { service, shop, skip }) => {
    skipWithout(missingFor(language), skip);
    const [example = ''] = blocks(guide, language.fence);
    const text = linked(example).replace('http://localhost:3000', service.url);
    const lines = await runProgram(language, text, { env: shop.env });
    expect(lines).toEqual(shop.ids.map((id) => `${id} 25 USD`));
  },
);

test('goes on from a cursor that was kept', async ({ service, shop }) => {
  const text = linked(blocks(guide, 'ts')[1] ?? '').replace('http://localhost:3000', service.url);
  const [first = '', ...rest] = await runProgram(LANGUAGES[0] as Language, text, { env: shop.env });
  expect(first).toMatch(/^100 [\w-]{40,}$/);
  expect(rest).toEqual(shop.ids.slice(100));
});
