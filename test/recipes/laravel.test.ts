import { expect, test } from 'vitest';
import { readSteps } from '../../scripts/recipes/guide.ts';
import { connectOwner, createTestDatabase } from '../support/database.ts';

/** What Laravel makes of a column in PostgreSQL. */
const TYPES: Readonly<Record<string, string>> = { uuid: 'uuid', string: 'varchar(255)', unsignedInteger: 'integer' };

/** The columns of a table in the recipe's migration, as Laravel creates them in PostgreSQL. */
function columnsOf(table: string): string[] {
  const migration = readSteps('laravel').files.find(({ name }) => name.startsWith('database/migrations/'))?.text ?? '';
  const [, body = ''] = new RegExp(`create\\('${table}'[^{]*\\{([^}]*)\\}`).exec(migration) ?? [];
  return [...body.matchAll(/\$table->(\w+)\('(\w+)'/g)].map(([, type = '', name]) => `${name} ${TYPES[type]}`);
}

test('a payment that names no order of the Laravel shop is looked for in PostgreSQL, and not found', async () => {
  const columns = columnsOf('orders');
  expect(columns.map((each) => each.split(' ')[0])).toEqual(['id', 'cents', 'status', 'payment', 'received', 'heard']);
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
