import { copyFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, inject, type TestContext, test } from 'vitest';
import { readSteps } from '../../scripts/recipes/guide.ts';
import { writeFiles } from '../../scripts/recipes/workshop.ts';
import { startFakeService } from '../client/fake-service.ts';
import { LANGUAGES, missingFor, skipWithout } from '../docs/program.ts';
import { connectOwner, createTestDatabase } from '../support/database.ts';
import { makeTestFolder } from '../support/run-folder.ts';
import { serveOrder } from './ordered.ts';
import { playPhp } from './php-shop.ts';
import { happeningsOf, IN_TURN, toldOfRefunds } from './taken-back.ts';

const missing = LANGUAGES.filter(({ name }) => name === 'PHP').flatMap(missingFor);

type State = { said: string | null; status: string; warned: string[] };

/** How an order of the shop stands after each step. */
async function shop(url: string, steps: readonly object[], { skip }: Pick<TestContext, 'skip'>): Promise<State[]> {
  skipWithout(missing, skip);
  const folder = makeTestFolder(inject('runFolder'));
  writeFiles(readSteps('laravel'), folder);
  await copyFile('test/recipes/laravel-shop.php', join(folder, 'shop.php'));
  const keys = { KASI_MERCHANT_ID: 'mer_1', KASI_API_KEY: 'pk_test', KASI_API_SECRET: 'sk_test' };
  const env = { KASI_AUTOLOAD: resolve('clients/php/autoload.php'), KASI_URL: url, SHOP_URL: 'https://shop.example' };
  const lines = await playPhp({ folder, file: 'shop.php', env: { ...keys, ...env } }, steps);
  return lines.map((line) => JSON.parse(line) as State);
}

/** What Laravel makes of a column in PostgreSQL. */
const TYPES: Readonly<Record<string, string>> = {
  uuid: 'uuid',
  string: 'varchar(255)',
  unsignedInteger: 'integer',
  unsignedBigInteger: 'bigint',
};

/** The columns of a table in the recipe's migration, as Laravel creates them in PostgreSQL. */
function columnsOf(table: string): string[] {
  const migration = readSteps('laravel').files.find(({ name }) => name.startsWith('database/migrations/'))?.text ?? '';
  const [, body = ''] = new RegExp(`create\\('${table}'[^{]*\\{([^}]*)\\}`).exec(migration) ?? [];
  return [...body.matchAll(/\$table->(\w+)\('(\w+)'/g)].map(([, type = '', name]) => `${name} ${TYPES[type]}`);
}

test('a payment that names no order of the Laravel shop is looked for in PostgreSQL, and not found', async () => {
  const columns = columnsOf('orders');
  expect(columns.map((each) => each.split(' ')[0])).toEqual([
    ...['id', 'cents', 'status', 'payment', 'asked', 'received', 'heard'],
  ]);
  const database = await createTestDatabase();
  const client = await connectOwner(database);
  try {
    await client.query(`create temporary table shop_orders (${columns.join(', ')})`);
    for (const orderId of ['', 'A-1001']) {
      const { rows } = await client.query('select * from shop_orders where id = $1 for update', [orderId]);
      expect(rows).toEqual([]);
    }
  } finally {
    await client.end();
    await database.drop();
  }
});

test('an order of the shop of laravel whose payment the chain takes back is held', async (context) => {
  for (const [row, [status, ...happenings]] of IN_TURN.entries()) {
    const order = `order_${row}`;
    const steps = happeningsOf(row, happenings).map((event) => ({
      order,
      event: { ...event, data: { ...event.data, metadata: { orderId: order } } },
    }));
    const states = await shop('http://127.0.0.1:1', steps, context);
    expect([row, states.at(-1)?.status]).toEqual([row, status]);
    if (row === 1) expect(states.at(-1)?.warned).toEqual(['Payment pay_1 was taken back: hold order_1.']);
    const refunds = states.at(-1)?.warned.filter((said) => said.startsWith('Refund '));
    expect([row, refunds]).toEqual([row, toldOfRefunds(row)]);
  }
});

test('the customer of the shop of laravel comes back to the shop, whatever host a request names', async (context) => {
  const checkoutUrl = 'https://pay.example/checkout/session/cs_1';
  const { url, sent } = await startFakeService(() => ({
    body: { paymentId: 'pay_1', status: 'initiated', checkoutUrl },
  }));
  const hosts = ['shop.example', 'www.shop.example', 'evil.example'];
  const states = await shop(
    url,
    hosts.map((host, at) => ({ order: `order_${at}`, host })),
    context,
  );
  expect(states.map(({ said }) => said)).toEqual(hosts.map(() => checkoutUrl));
  const bodies = sent.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body));
  expect(bodies.map(({ successUrl, cancelUrl }) => [successUrl, cancelUrl])).toEqual(
    hosts.map((_, at) => [`https://shop.example/orders/order_${at}`, `https://shop.example/orders/order_${at}`]),
  );
});

test('a customer of the shop of laravel is sent to one payment until that is over, however late', async (context) => {
  const { answer, keys } = serveOrder([
    'initiated',
    'confirming',
    'paid',
    'expired',
    'initiated',
    'failed',
    'initiated',
  ]);
  const { url } = await startFakeService(answer);
  const presses = Array.from({ length: 5 }, () => ({ order: 'order_1', host: 'shop.example' }));
  const states = await shop(url, presses, context);
  expect(states.map(({ said }) => said)).toEqual([1, 1, 1, 2, 3].map((at) => `https://pay.example/pay_${at}`));
  expect(keys()).toEqual(['order_1-', 'order_1-pay_1', 'order_1-pay_2']);
});

test('the tables of the Laravel shop take the largest amounts of the contract, also of payments made elsewhere', async () => {
  const cents = 300_000_000 * 100; // Rupees: `amount` of `CreatePaymentRequest`.
  const database = await createTestDatabase();
  const client = await connectOwner(database);
  try {
    for (const [table, columns] of [
      ['orders', ['cents', 'received']],
      ['kasi_refunds', ['cents']],
    ] as const) {
      await client.query(`create temporary table shop_${table} (${columnsOf(table).join(', ')})`);
      for (const column of columns) await client.query(`insert into shop_${table} (${column}) values ($1)`, [cents]);
    }
  } finally {
    await client.end();
    await database.drop();
  }
});
